// What home reads from the API.
import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../api/client'
import { read, readQuery } from '../../api/queries'
import { queryClient } from '../../app/session'

export type CampaignRow = Schemas['Campaign']
export type Endpoint = Schemas['WebhookEndpoint']

const minutely = { refetchInterval: 60_000 }

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

/** Answered to the operator alone; it takes a while, so not with every visit. */
export const findingsQuery = readQuery(
  ['instance', 'findings'],
  '/instance/findings',
  {},
  { staleTime: 600_000 },
)

export const endpointsQuery = readQuery(['webhooks', 'list'], '/webhook-endpoints', {}, minutely)

export const sendingQuery = readQuery(
  ['campaigns', 'sending'],
  '/campaigns',
  { query: { status: 'SENDING', pageSize: 20 } },
  { refetchInterval: 10_000 },
)

export type AwaitingCampaign = Schemas['CampaignsAwaitingApproval']['data'][number]

export const awaitingQuery = readQuery(
  ['campaigns', 'awaiting'],
  '/campaigns/awaiting-approval',
  {},
  { refetchInterval: 60_000 },
)

export const sentQuery = readQuery(
  ['campaigns', 'sent'],
  '/campaigns',
  { query: { status: 'SENT', pageSize: 50 } },
  minutely,
)

export const statsQuery = (id: string) =>
  readQuery(
    ['campaigns', 'stats', id],
    '/campaigns/{id}/stats',
    { path: { id } },
    { refetchInterval: 10_000 },
  )

export const timelineQuery = (id: string) =>
  readQuery(['campaigns', 'hours', id], '/campaigns/{id}/timeline', { path: { id } }, minutely)

export const upcomingQuery = readQuery(
  ['upcoming'],
  '/activity/upcoming',
  { query: { limit: 100 } },
  minutely,
)

const thirtyDaysAgo = () => new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)

export const rejectionsQuery = () =>
  readQuery(
    ['rejections'],
    '/analytics/rejections',
    { query: { startDate: thirtyDaysAgo(), limit: 6 } },
    minutely,
  )

/** Asks for what every visit shows while the page's own script is loaded and drawn, which takes as long as the answers. Not awaited. */
export function askAhead(): void {
  void queryClient.prefetchQuery(sendingQuery)
  void queryClient.prefetchQuery(sentQuery)
  void queryClient.prefetchQuery(upcomingQuery)
  void queryClient.prefetchQuery(healthQuery)
}
