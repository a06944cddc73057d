// The overview's queries to the API, and what it computes from the figures.
import { queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { queryClient } from '../../app/session'

const dayMs = 86_400_000

/** The numbers of days to choose from; each span is compared with as many days before it. */
export const spans = [7, 30, 45] as const
export type Span = (typeof spans)[number]

/** The one that an address names, else 30 days. */
export const spanOf = (days: string | undefined): Span => spans.find(each => String(each) === days) ?? 30

/** One day of the API's answer. */
export type Point = Awaited<ReturnType<typeof fetchPoints>>[number]

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

async function fetchPoints(days: number, signal: AbortSignal) {
  const query = { startDate: dayOf(Date.now() - (days - 1) * dayMs) }
  return await answer(api.GET('/analytics/timeseries', { params: { query }, signal }))
}

/** Twice the span, oldest day first. */
export const pointsQuery = (span: Span) =>
  queryOptions({
    queryKey: ['timeseries', span],
    queryFn: ({ signal }) => fetchPoints(span * 2, signal),
    refetchInterval: 60_000,
  })

export type Rejection = Schemas['Rejections']

export const rejectionsQuery = (span: Span) =>
  queryOptions({
    queryKey: ['rejections', span],
    queryFn: ({ signal }) => {
      const query = { startDate: dayOf(Date.now() - (span - 1) * dayMs), limit: 5 }
      return answer(api.GET('/analytics/rejections', { params: { query }, signal }))
    },
    refetchInterval: 60_000,
  })

export interface Totals {
  sent: number
  delivered: number
  opens: number
  clicks: number
  bounces: number
  complaints: number
}

export function totalsOf(points: readonly Point[]): Totals {
  const sum = (name: keyof Totals): number => points.reduce((total, point) => total + point[name], 0)
  return {
    sent: sum('sent'),
    delivered: sum('delivered'),
    opens: sum('opens'),
    clicks: sum('clicks'),
    bounces: sum('bounces'),
    complaints: sum('complaints'),
  }
}

/** A share of what was sent; 0 where nothing was. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

export const upcomingQuery = queryOptions({
  queryKey: ['upcoming'],
  queryFn: ({ signal }) => answer(api.GET('/activity/upcoming', { params: { query: { limit: 6 } }, signal })),
})

export const setupQuery = (id: string) =>
  queryOptions({
    queryKey: ['setup-state'],
    queryFn: async ({ signal }) => {
      const [setup, mails] = await Promise.all([
        answer(api.GET('/projects/{id}/setup-state', { params: { path: { id } }, signal })),
        answer(api.GET('/emails', { params: { query: { limit: 1 } }, signal })),
      ])
      return { ...setup, hasMail: mails.data.length > 0 }
    },
  })

export const securityQuery = (id: string) =>
  queryOptions({
    queryKey: ['security'],
    queryFn: ({ signal }) => answer(api.GET('/projects/{id}/security', { params: { path: { id } }, signal })),
  })

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => answer(api.GET('/health', { signal })),
  refetchInterval: 30_000,
})

/** Asks for what every visit shows while the page's own script is loaded and drawn, which takes as long as the answers. Not awaited. */
export function askAhead(span: Span): void {
  void queryClient.prefetchQuery(pointsQuery(span))
  void queryClient.prefetchQuery(upcomingQuery)
  void queryClient.prefetchQuery(healthQuery)
}
