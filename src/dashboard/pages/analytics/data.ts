// The analytics page's queries to the API. A series has ninety days at most, so a span has at most half of that: it is compared with as
// many days before it.
import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '../../api/client'

const dayMs = 86_400_000

export const spans = [7, 14, 30, 45] as const
export type Span = (typeof spans)[number]

export const lines = ['emails', 'delivered', 'opens', 'clicks', 'bounces', 'complaints', 'failed'] as const
export type Line = (typeof lines)[number]

export const metrics = ['opened', 'clicked', 'sent', 'delivered', 'bounced', 'unsubscribed'] as const
export type Metric = (typeof metrics)[number]

const since = (days: number): string => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)

export const pointsQuery = (span: Span) =>
  queryOptions({
    queryKey: ['analytics', 'series', span],
    queryFn: ({ signal }) =>
      answer(api.GET('/analytics/timeseries', { params: { query: { startDate: since(span * 2) } }, signal })),
  })

export type Point = Awaited<ReturnType<NonNullable<ReturnType<typeof pointsQuery>['queryFn']>>>[number]

export const campaignsQuery = (span: Span, metric: Metric) =>
  queryOptions({
    queryKey: ['analytics', 'campaigns', span, metric],
    queryFn: ({ signal }) => {
      const query = { startDate: since(span), metric, limit: 8 }
      return answer(api.GET('/analytics/top-campaigns', { params: { query }, signal }))
    },
  })

export const templatesQuery = (span: Span) =>
  queryOptions({
    queryKey: ['analytics', 'templates', span],
    queryFn: ({ signal }) => {
      const query = { startDate: since(span), limit: 8 }
      return answer(api.GET('/analytics/top-templates', { params: { query }, signal }))
    },
  })

export const eventsQuery = (span: Span) =>
  queryOptions({
    queryKey: ['analytics', 'events', span],
    queryFn: ({ signal }) => {
      const query = { startDate: since(span), limit: 8 }
      return answer(api.GET('/analytics/top-events', { params: { query }, signal }))
    },
  })

export const sumOf = (points: readonly Point[], line: Line): number =>
  points.reduce((sum, point) => sum + point[line], 0)
