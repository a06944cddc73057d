// The webhook pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../../api/client'

export type Endpoint = Schemas['WebhookEndpoint']
export type Delivery = Schemas['WebhookDelivery']

export const endpointsQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => answer(api.GET('/webhook-endpoints', { signal })),
})

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => answer(api.GET('/webhook-endpoints/{id}', { params: { path: { id } }, signal })),
  })

const soonMs = 3_000

/** Reloads while something is under way and the list is short. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', id],
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { limit: 50, cursor: pageParam } }
      return answer(api.GET('/webhook-endpoints/{id}/deliveries', { params, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]!.data.some(({ status }) => status === 'PENDING')
        ? soonMs
        : false,
  })

export const deliveryQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', id, deliveryId],
    queryFn: ({ signal }) => {
      const params = { path: { id, deliveryId } }
      return answer(api.GET('/webhook-endpoints/{id}/deliveries/{deliveryId}', { params, signal }))
    },
    refetchInterval: ({ state: { data } }) => (data?.status === 'PENDING' ? soonMs : false),
  })

/** Names of events that were seen, the most frequent first. */
export const eventNamesQuery = queryOptions({
  queryKey: ['events', 'names'],
  queryFn: async ({ signal }) => (await answer(api.GET('/events/names', { signal }))).eventNames,
  staleTime: 30_000,
})
