// Requests and answers about the warm-up of a domain.
import { type Static, Type as t } from '@sinclair/typebox'
import { answeredInstant, nullableInstant } from '../../../lib/answered'
import type { WarmUp } from './queries'
import { targetDate, utcDateOf, type WarmUpDay } from './warm-up'

export const warmUpBody = t.Object({
  firstDay: t.Integer({ minimum: 1, maximum: 1_000_000, description: 'Messages on its first day' }),
  factor: t.Number({ minimum: 1.1, maximum: 10, description: 'How many times as many on the next day' }),
  target: t.Integer({
    minimum: 1,
    maximum: 10_000_000,
    description: 'Where the plan ends; at least as many as on the first day',
  }),
})

const date = t.String({ description: 'A day in UTC: YYYY-MM-DD' })

const dayOfPlan = t.Object({
  date,
  allowance: t.Integer(),
  sent: t.Integer({ description: 'With mail that is never held back' }),
})

export const warmUpAnswer = t.Object(
  {
    domain: t.String(),
    plan: t.Union([
      t.Object({
        firstDay: t.Integer(),
        factor: t.Number(),
        target: t.Integer(),
        startedAt: answeredInstant(),
        endedAt: nullableInstant({ description: 'When the target was reached' }),
        targetDate: t.Union([date, t.Null()], {
          description: 'When the target may leave, if enough is sent on each day until then',
        }),
        days: t.Array(dayOfPlan, {
          description: 'On which something was sent: the newest, the last one first',
        }),
      }),
      t.Null(),
    ]),
  },
  { title: 'WarmUp' },
)

export type WarmUpBody = Static<typeof warmUpBody>
export type WarmUpAnswer = Static<typeof warmUpAnswer>

export function toWarmUp(
  domain: string,
  plan: WarmUp | undefined,
  days: readonly WarmUpDay[],
  now: Date,
): WarmUpAnswer {
  if (!plan) return { domain, plan: null }
  const { firstDay, factor, target, startedAt, endedAt } = plan
  return {
    domain,
    plan: {
      firstDay,
      factor,
      target,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      targetDate: endedAt ? null : targetDate(plan, days[0], utcDateOf(now)),
      days: days.map(({ date, allowance, sent }) => ({ date, allowance, sent })),
    },
  }
}
