// Requests and answers of the analytics.
import { type Static, Type } from '@sinclair/typebox'
import { answeredAddress, answeredId, nullableInstant } from '../../../lib/answered'
import {
  countText,
  cursorParameter,
  filterDate,
  filterId,
  filterWords,
  queryText,
} from '../../../lib/described'
import { freeForm } from '../../../lib/free-form'
import { cursorListOf, queryInteger } from '../../../lib/paging'
import type { DayCounts, ReceiverRefusals } from '../../sending/emails'
import type { CampaignFigures, TemplateFigures } from './queries/statistics'
import { campaignMetrics, percentOf } from './span'
import { activityTypes } from './types'

const days = {
  startDate: Type.Optional(queryText(100, 'From the beginning of this day (UTC); default 30 days')),
  endDate: Type.Optional(queryText(100, 'To the end of this day (UTC); default today')),
}

export const daysQuery = Type.Object(days)

export const topCampaignsQuery = Type.Object({
  ...days,
  limit: Type.Optional(queryInteger({ minimum: 1, description: 'Default 10; more than 50 counts as 50' })),
  metric: Type.Optional(
    Type.Union(
      campaignMetrics.map(metric => Type.Literal(metric)),
      { description: 'What they are ranked by; default opened' },
    ),
  ),
})

export const topEventsQuery = Type.Object({
  ...days,
  limit: Type.Optional(queryInteger({ minimum: 1, description: 'Default 5; more than 20 counts as 20' })),
})

const count = Type.Integer()

export const timeseriesAnswer = Type.Array(
  Type.Object({
    date: Type.String({ format: 'date-time' }),
    emails: Type.Integer({ description: 'Messages made on that day; the other counts are of these' }),
    sent: count,
    delivered: count,
    opens: Type.Integer({ description: 'Messages that were opened, each once' }),
    clicks: count,
    bounces: count,
    complaints: count,
    failed: count,
  }),
)

const campaignFigures = {
  id: answeredId(),
  name: Type.String(),
  subject: Type.String(),
  status: Type.String(),
  sentAt: nullableInstant(),
  sentCount: count,
  deliveredCount: count,
  openedCount: count,
  clickedCount: count,
  bouncedCount: count,
  unsubscribedCount: count,
  openRate: Type.Number({ description: 'Percent of what was sent' }),
  clickRate: Type.Number(),
}

export const topCampaignsAnswer = Type.Array(Type.Object(campaignFigures))

export const campaignStatsAnswer = Type.Object({
  total: count,
  active: Type.Integer({ description: 'DRAFT and SCHEDULED' }),
  sending: count,
  completed: count,
  averageOpenRate: Type.Number({ description: 'Percent of all that the completed ones sent' }),
  averageClickRate: Type.Number(),
  campaigns: Type.Array(Type.Object(campaignFigures), { description: 'The newest 100, one by one' }),
})

export const topTemplatesAnswer = Type.Array(
  Type.Object({
    id: answeredId(),
    name: Type.String(),
    subject: Type.String(),
    sentCount: count,
    openedCount: count,
    clickedCount: count,
    openRate: Type.Number({ description: 'Percent of what was sent' }),
    clickRate: Type.Number(),
  }),
)

export function toTemplateFigures(row: TemplateFigures): Static<typeof topTemplatesAnswer>[number] {
  const { id, name, subject, sent, opened, clicked } = row
  return {
    ...{ id, name, subject, sentCount: sent, openedCount: opened, clickedCount: clicked },
    openRate: percentOf(opened, sent),
    clickRate: percentOf(clicked, sent),
  }
}

export const topEventsAnswer = Type.Array(
  Type.Object({
    name: Type.String(),
    count,
    trend: Type.Integer({ description: 'Percent against as many days before; 100 where there was nothing' }),
  }),
)

export const rejectionsQuery = Type.Object({
  ...days,
  limit: Type.Optional(queryInteger({ minimum: 1, description: 'Default 10; more than 50 counts as 50' })),
})

export const rejectionsAnswer = Type.Array(
  Type.Object(
    {
      provider: Type.String({
        description:
          'gmail, outlook, yahoo, the domain of the operator of the MX, or the domain of the addresses',
      }),
      emails: count,
      reason: Type.String({ description: 'What the provider said last' }),
      lastAt: Type.String({ format: 'date-time' }),
    },
    { title: 'Rejections' },
  ),
)

export function toRejections(row: ReceiverRefusals): Static<typeof rejectionsAnswer>[number] {
  const { receiver, messages, words, lastAt } = row
  return { provider: receiver, emails: messages, reason: words, lastAt: lastAt.toISOString() }
}

export function toCampaignFigures(row: CampaignFigures): Static<typeof topCampaignsAnswer>[number] {
  return {
    id: row.id,
    name: row.name,
    subject: row.subject,
    status: row.status,
    sentAt: row.sentAt?.toISOString() ?? null,
    sentCount: row.sent,
    deliveredCount: row.delivered,
    openedCount: row.opened,
    clickedCount: row.clicked,
    bouncedCount: row.bounced,
    unsubscribedCount: row.unsubscribed,
    openRate: percentOf(row.opened, row.sent),
    clickRate: percentOf(row.clicked, row.sent),
  }
}

export function toTimePoint({
  day,
  counts,
}: {
  day: string
  counts: DayCounts
}): Static<typeof timeseriesAnswer>[number] {
  return {
    date: `${day}T00:00:00.000Z`,
    emails: counts.created,
    sent: counts.sent,
    delivered: counts.delivered,
    opens: counts.opened,
    clicks: counts.clicked,
    bounces: counts.bounced,
    complaints: counts.complained,
    failed: counts.failed,
  }
}

/** Any text: what is not a number counts as the default, and what is less than 1 as 1. */
const amount = (description: string) => Type.Optional(countText(description))

const date = (description: string) => Type.Optional(filterDate(description))

export const feedQuery = Type.Object({
  limit: amount('Default 50; more than 100 counts as 100'),
  cursor: Type.Optional(cursorParameter),
  types: Type.Optional(
    filterWords(activityTypes, `Separated by commas; an unknown one is 400. ${activityTypes.join(', ')}`),
  ),
  contactId: Type.Optional(filterId('Only what concerns this contact')),
  startDate: date('From this moment on; default 30 days before the end'),
  endDate: date('Up to this moment'),
})

export const statsQuery = Type.Object({
  startDate: date('From the beginning of this day (UTC); default 30 days ago'),
  endDate: date('To the end of this day (UTC); default today'),
})

export const recentQuery = Type.Object({
  minutes: amount('Default 5; more than 60 counts as 60'),
})

export const upcomingQuery = Type.Object({
  limit: amount('Default 50; more than 100 counts as 100'),
  daysAhead: amount('Default 30; more than 90 counts as 90'),
})

export const activityAnswer = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
    contactId: Type.Optional(answeredId()),
    contactEmail: Type.Optional(answeredAddress()),
    metadata: freeForm,
  },
  { title: 'Activity' },
)

export const feedAnswer = cursorListOf(activityAnswer)

export const statsAnswer = Type.Object(
  {
    totalEvents: Type.Integer(),
    totalEmailsSent: Type.Integer(),
    totalEmailsOpened: Type.Integer({ description: 'Messages that were opened, each once' }),
    totalEmailsClicked: Type.Integer(),
    totalWorkflowsStarted: Type.Integer({ description: 'Counted up to 100,000' }),
    openRate: Type.Number({ description: 'Percent of the messages made in these days' }),
    clickRate: Type.Number(),
  },
  { title: 'ActivityStats' },
)

export const recentAnswer = Type.Object({ count: Type.Integer(), minutes: Type.Integer() })
export const typesAnswer = Type.Object({ types: Type.Array(Type.String()) })
export const upcomingAnswer = Type.Object({ activities: Type.Array(activityAnswer) })

/** The whole number that a text begins with; undefined if it begins with none. */
export function readAmount(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10)
  return Number.isNaN(value) ? undefined : value
}
