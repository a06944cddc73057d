// Answers about projects at a glance. These are wrapped, as clients of the reference know them.
import { type Static, Type } from '@sinclair/typebox'
import type { OverviewRow, SetupRow } from './queries'

const nullableText = Type.Union([Type.String(), Type.Null()])

const overview = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  defaultSenderDomain: nullableText,
  createdAt: Type.String(),
})

export const overviewAnswer = Type.Object({ success: Type.Literal(true), data: overview })

export const overviewsAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Union([overview, Type.Array(overview)], {
    description: 'One project for its key, the list of all projects for a signed-in user',
  }),
})

export const setupAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    hasSubscription: Type.Boolean(),
    hasVerifiedDomain: Type.Boolean(),
    contactCount: Type.Integer(),
    lastCampaignSentAt: nullableText,
    hasEnabledWorkflow: Type.Boolean(),
  }),
})

export function toOverview({ createdAt, ...row }: OverviewRow): Static<typeof overview> {
  return { ...row, createdAt: createdAt.toISOString() }
}

export function toSetup({ lastCampaignSentAt, ...row }: SetupRow): Static<typeof setupAnswer> {
  const setup = {
    ...row,
    hasSubscription: false,
    lastCampaignSentAt: lastCampaignSentAt?.toISOString() ?? null,
  }
  return { success: true, data: setup }
}
