// The message pages' queries to the API.
import { queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read, readQuery } from '../../api/queries'

export type Mail = Schemas['Email']
export type WholeMail = Schemas['EmailWithContent']

export const troubleKinds = ['any', 'failed', 'bounced', 'complained', 'suppressed', 'waiting'] as const
export type Trouble = (typeof troubleKinds)[number]

/** Days back. */
export const spans = ['1', '7', '30', '90'] as const

export interface Filters {
  to?: string
  subject?: string
  template?: string
  campaign?: string
  workflow?: string
  days?: string
  trouble?: string
}

const dayMs = 86_400_000

export const messagesQuery = ({ to, subject, template, campaign, workflow, days, trouble }: Filters) =>
  cursorQuery(
    ['emails', 'ledger', to, subject, template, campaign, workflow, days, trouble],
    (cursor, signal) => {
      const since = days ? new Date(Date.now() - Number(days) * dayMs).toISOString() : undefined
      const named = { templateId: template, campaignId: campaign, workflowId: workflow }
      const query = { limit: 50, cursor, to, subject, since, trouble: trouble as Trouble, ...named }
      return read('/emails', { query }, signal)
    },
  )

export const troublesQuery = readQuery(
  ['emails', 'troubles'],
  '/emails/troubles',
  {},
  { refetchInterval: 30_000 },
)

const newest = { query: { pageSize: 100 } }

/** Names to choose from: the newest templates, campaigns and workflows. */
export const namesQuery = queryOptions({
  queryKey: ['emails', 'names'],
  queryFn: async ({ signal }) => {
    const [templates, campaigns, workflows] = await Promise.all([
      read('/templates', newest, signal),
      read('/campaigns', newest, signal),
      read('/workflows', newest, signal),
    ])
    return { template: templates.data, campaign: campaigns.data, workflow: workflows.data }
  },
  staleTime: 60_000,
})

export const messageQuery = (id: string) =>
  readQuery(
    ['email', id],
    '/emails/{id}',
    { path: { id } },
    {
      refetchInterval: ({ state }) => (isOpen(state.data?.status) ? 5_000 : false),
    },
  )

/** The source as it left, or would leave; it changes once the message was tried again. */
export const sourceQuery = ({ id, attempts }: Mail) =>
  queryOptions({
    queryKey: ['email', id, 'source', attempts],
    queryFn: ({ signal }) =>
      answer(api.GET('/emails/{id}/source', { params: { path: { id } }, parseAs: 'text', signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const messageEventsQuery = (id: string) =>
  readQuery(['email', id, 'events'], '/emails/{id}/events', { path: { id } })

/** Whether something will still happen to it by itself. */
export function isOpen(status: string | undefined): boolean {
  return status === 'PENDING' || status === 'SENDING'
}
