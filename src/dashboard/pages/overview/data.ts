// The overview's queries to the API, and what it computes from the figures.
import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../api/client'
import { type Answer, read, readQuery } from '../../api/queries'
import { queryClient } from '../../app/session'

const dayMs = 86_400_000

/** The numbers of days to choose from; each span is compared with as many days before it. */
export const spans = [7, 30, 45] as const
export type Span = (typeof spans)[number]

/** The one that an address names, else 30 days. */
export const spanOf = (days: string | undefined): Span => spans.find(each => String(each) === days) ?? 30

/** One day of the API's answer. */
export type Point = Answer<'/analytics/timeseries'>[number]

/** The first of a number of days, of which today is the last. */
const firstOf = (days: number) => new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10)

const minutely = { refetchInterval: 60_000 }

/** Twice the span, oldest day first. */
export const pointsQuery = (span: Span) => {
  const query = { startDate: firstOf(span * 2) }
  return readQuery(['timeseries', span], '/analytics/timeseries', { query }, minutely)
}

export type Rejection = Schemas['Rejections']

export const rejectionsQuery = (span: Span) => {
  const query = { startDate: firstOf(span), limit: 5 }
  return readQuery(['rejections', span], '/analytics/rejections', { query }, minutely)
}

const counted = ['sent', 'delivered', 'opens', 'clicks', 'bounces', 'complaints'] as const
export type Totals = Record<(typeof counted)[number], number>

export function totalsOf(points: readonly Point[]): Totals {
  const sums = counted.map(name => [name, points.reduce((total, point) => total + point[name], 0)])
  return Object.fromEntries(sums) as Totals
}

/** A share of what was sent; 0 where nothing was. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

export const upcomingQuery = readQuery(['upcoming'], '/activity/upcoming', { query: { limit: 6 } })

export const setupQuery = (id: string) =>
  queryOptions({
    queryKey: ['setup-state'],
    queryFn: async ({ signal }) => {
      const [setup, mails] = await Promise.all([
        read('/projects/{id}/setup-state', { path: { id } }, signal),
        read('/emails', { query: { limit: 1 } }, signal),
      ])
      return { ...setup, hasMail: mails.data.length > 0 }
    },
  })

export const securityQuery = (id: string) =>
  readQuery(['security'], '/projects/{id}/security', { path: { id } })

export const healthQuery = readQuery(['health'], '/health', {}, { refetchInterval: 30_000 })

/** Asks for what every visit shows while the page's own script is loaded and drawn, which takes as long as the answers. Not awaited. */
export function askAhead(span: Span): void {
  void queryClient.prefetchQuery(pointsQuery(span))
  void queryClient.prefetchQuery(upcomingQuery)
  void queryClient.prefetchQuery(healthQuery)
}
