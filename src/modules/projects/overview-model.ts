// Answers about projects at a glance.
import { type Static, Type } from '@sinclair/typebox'
import { answeredInstant, nullableInstant } from '../../lib/answered'
import type { OverviewRow, SetupRow } from './queries'

const nullableText = Type.Union([Type.String(), Type.Null()])

export const overviewAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    defaultSenderDomain: nullableText,
    timeZone: Type.Union([Type.String(), Type.Null()], {
      description: 'IANA time zone of contacts without one of their own; null is UTC',
    }),
    createdAt: answeredInstant(),
  },
  { title: 'ProjectOverview' },
)

export const overviewsAnswer = Type.Union([overviewAnswer, Type.Array(overviewAnswer)], {
  description: 'One project for its key, the list of all projects for a signed-in user',
})

export const setupAnswer = Type.Object(
  {
    hasSubscription: Type.Boolean(),
    hadSubscription: Type.Optional(
      Type.Boolean({ description: 'One that has ended: the provider still has its invoices' }),
    ),
    hasVerifiedDomain: Type.Boolean(),
    contactCount: Type.Integer(),
    lastCampaignSentAt: nullableInstant(),
    hasEnabledWorkflow: Type.Boolean(),
  },
  { title: 'ProjectSetup' },
)

export function toOverview({ createdAt, ...row }: OverviewRow): Static<typeof overviewAnswer> {
  return { ...row, createdAt: createdAt.toISOString() }
}

export function toSetup({
  lastCampaignSentAt,
  hadSubscription,
  ...row
}: SetupRow): Static<typeof setupAnswer> {
  return {
    ...row,
    ...(hadSubscription ? { hadSubscription } : {}),
    lastCampaignSentAt: lastCampaignSentAt?.toISOString() ?? null,
  }
}
