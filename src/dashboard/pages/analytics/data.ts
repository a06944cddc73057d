// The analytics page's queries to the API. A series has ninety days at most, so a span has at most half of that: it is compared with as
// many days before it.
import { type Answer, readQuery } from '../../api/queries'

const dayMs = 86_400_000

export const spans = [7, 14, 30, 45] as const
export type Span = (typeof spans)[number]

export const lines = ['emails', 'delivered', 'opens', 'clicks', 'bounces', 'complaints', 'failed'] as const
export type Line = (typeof lines)[number]

export const metrics = ['opened', 'clicked', 'sent', 'delivered', 'bounced', 'unsubscribed'] as const
export type Metric = (typeof metrics)[number]

const since = (days: number): string => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)

export const pointsQuery = (span: Span) =>
  readQuery(['analytics', 'series', span], '/analytics/timeseries', { query: { startDate: since(span * 2) } })

export type Point = Answer<'/analytics/timeseries'>[number]

const best = (span: Span) => ({ startDate: since(span), limit: 8 })

export const campaignsQuery = (span: Span, metric: Metric) => {
  const query = { ...best(span), metric }
  return readQuery(['analytics', 'campaigns', span, metric], '/analytics/top-campaigns', { query })
}

export const templatesQuery = (span: Span) =>
  readQuery(['analytics', 'templates', span], '/analytics/top-templates', { query: best(span) })

export const eventsQuery = (span: Span) =>
  readQuery(['analytics', 'events', span], '/analytics/top-events', { query: best(span) })

export const sumOf = (points: readonly Point[], line: Line): number =>
  points.reduce((sum, point) => sum + point[line], 0)
