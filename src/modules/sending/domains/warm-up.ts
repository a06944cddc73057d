// The plan by which a new sender becomes known: so many messages on its first day, more on each day that follows, up to a target. Receivers
// judge by what they have seen, so a day on which little was sent is no step. Days are those of UTC. Pure.
import { day as dayMs } from '../../../lib/time'

export interface WarmUpPlan {
  firstDay: number
  /** How many times as many on the next day. */
  factor: number
  target: number
}

export interface WarmUpDay {
  /** `YYYY-MM-DD`. */
  date: string
  /** Days before it that counted. */
  step: number
  allowance: number
  /** All that left, mail that is never held back included. */
  sent: number
  transactional: number
  /** How many places are kept for mail that is never held back: as many as were needed the day before. */
  reserved: number
}

export function allowanceAt({ firstDay, factor, target }: WarmUpPlan, step: number): number {
  return Math.min(target, Math.floor(firstDay * factor ** step))
}

/** The day after `last` on which something is sent; undefined: the plan is over. */
export function nextDay(plan: WarmUpPlan, last: WarmUpDay | undefined, date: string): WarmUpDay | undefined {
  const empty = { date, sent: 0, transactional: 0 }
  if (!last) return { ...empty, step: 0, allowance: allowanceAt(plan, 0), reserved: 0 }
  const counts = last.sent * 2 >= last.allowance
  if (counts && last.allowance >= plan.target) return undefined
  const step = last.step + (counts ? 1 : 0)
  const allowance = allowanceAt(plan, step)
  return { ...empty, step, allowance, reserved: reserveFor(last.transactional, allowance) }
}

/** At most half of a day is kept free. */
export function reserveFor(transactional: number, allowance: number): number {
  return Math.min(transactional, Math.floor(allowance / 2))
}

/** What may still leave of mail that can wait. */
export function roomOn({ allowance, sent, reserved, transactional }: WarmUpDay): number {
  return Math.max(0, allowance - sent - Math.max(0, reserved - transactional))
}

/** The first day on which the target may leave, if every day from `from` on counts. */
export function targetDate(plan: WarmUpPlan, last: WarmUpDay | undefined, from: string): string {
  const today = last?.date === from ? last : nextDay(plan, last, from)
  let date = from
  for (let step = today?.step ?? 0; today && allowanceAt(plan, step) < plan.target; step++)
    date = dateAfter(date)
  return date
}

export function utcDateOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** The first moment of the day after. */
export function startOfNextDay(at: Date): Date {
  return new Date(`${dateAfter(utcDateOf(at))}T00:00:00Z`)
}

export function dateAfter(date: string): string {
  return utcDateOf(new Date(Date.parse(`${date}T00:00:00Z`) + dayMs))
}
