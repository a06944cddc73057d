// The campaign pages' queries to the API.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read, readQuery, whileEdited } from '../../api/queries'

export type CampaignRow = Schemas['Campaign']
export type Stats = Schemas['CampaignStats']
export type Recipient = Schemas['CampaignRecipient']
export type VariantName = Schemas['CampaignAbResults']['variants'][number]['variant']
export type Audience = Pick<CampaignRow, 'audienceType' | 'segmentId' | 'audienceCondition' | 'topicId'>

export interface Filters {
  search?: string
  status?: string
}

export const statuses = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const

export const campaignsQuery = ({ search, status }: Filters) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', 'list', search, status],
    queryFn: ({ pageParam, signal }) => {
      const known = statuses.find(each => each === status)
      const query = { page: pageParam, pageSize: 50, search, status: known }
      return read('/campaigns', { query }, signal)
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(page => page.data.some(each => each.status === 'SENDING')) ? 3_000 : false,
  })

export const fetchCampaign = (id: string, signal?: AbortSignal) =>
  read('/campaigns/{id}', { path: { id } }, signal)

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: ({ signal }) => fetchCampaign(id, signal),
    ...whileEdited,
    // A campaign that waits or is being sent changes by itself; a draft only when somebody edits it.
    refetchInterval: ({ state }) => {
      const status = state.data?.status
      return status === 'SENDING' || status === 'SCHEDULED' ? 5_000 : false
    },
  })

export const statsQuery = (id: string) =>
  readQuery(
    ['campaigns', 'stats', id],
    '/campaigns/{id}/stats',
    { path: { id } },
    { refetchInterval: ({ state }) => (state.data?.status === 'SENDING' ? 1_500 : 15_000) },
  )

export const linksQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'links', id],
    queryFn: async ({ signal }) => (await read('/campaigns/{id}/links', { path: { id } }, signal)).links,
    refetchInterval: 15_000,
  })

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'timeline', id],
    queryFn: async ({ signal }) => (await read('/campaigns/{id}/timeline', { path: { id } }, signal)).hours,
    refetchInterval: 60_000,
  })

export const reactions = [
  'opened',
  'notOpened',
  'clicked',
  'notClicked',
  'bounced',
  'complained',
  'failed',
] as const
export type Reaction = (typeof reactions)[number]

export interface RecipientFilter {
  reaction?: Reaction
  link?: string
  variant?: VariantName
}

/** Asked anew when the campaign has another status, and while it may change; a list that somebody has scrolled far down stays. */
export const recipientsQuery = ({ id, status }: CampaignRow, filter: RecipientFilter) =>
  infiniteQueryOptions({
    ...cursorQuery(
      ['campaigns', 'recipients', id, status, filter.reaction, filter.link, filter.variant],
      (cursor, signal) =>
        read(
          '/campaigns/{id}/recipients',
          { path: { id }, query: { cursor, pageSize: 50, ...filter } },
          signal,
        ),
    ),
    placeholderData: (old, before) => (before?.queryKey[2] === id ? old : undefined),
    refetchInterval({ state }) {
      if ((state.data?.pages.length ?? 0) > 3) return false
      return status === 'SENDING' ? 3_000 : 15_000
    },
  })

/** What is tried, and what came of it; a campaign without a test has none. */
export const abResultsQuery = (id: string) =>
  readQuery(
    ['campaigns', 'ab-test', id],
    '/campaigns/{id}/ab-test',
    { path: { id } },
    { refetchInterval: ({ state }) => (state.data?.state === 'DECIDED' ? false : 5_000) },
  )

export const checkQuery = (id: string, version: number, variant: VariantName) =>
  queryOptions({
    queryKey: ['campaigns', 'check', id, version, variant],
    queryFn: ({ signal }) =>
      answer(api.POST('/campaigns/{id}/preview', { params: { path: { id } }, body: { variant }, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const audienceQuery = (type: CampaignRow['type'], audience: Audience) =>
  queryOptions({
    queryKey: ['campaigns', 'audience', type, audience],
    queryFn: ({ signal }) =>
      answer(api.POST('/campaigns/audience', { body: { type, ...audience } as never, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const segmentsQuery = readQuery(['segments', 'names'], '/segments', {}, { staleTime: 30_000 })

export const templateNamesQuery = queryOptions({
  queryKey: ['templates', 'names'],
  queryFn: async ({ signal }) =>
    (await read('/templates', { query: { pageSize: 50, sort: 'updatedAt' } }, signal)).data,
})
