// The webhook pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client'
import { cursorQuery, read, readQuery } from '../../../api/queries'

export type Endpoint = Schemas['WebhookEndpoint']
export type Delivery = Schemas['WebhookDelivery']

export const endpointsQuery = readQuery(['webhooks', 'list'], '/webhook-endpoints', {})

export const endpointQuery = (id: string) =>
  readQuery(['webhooks', 'one', id], '/webhook-endpoints/{id}', { path: { id } })

const soonMs = 3_000

/** Reloads while something is under way and the list is short. */
export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    ...cursorQuery(['webhooks', 'deliveries', id], (cursor, signal) => {
      const params = { path: { id }, query: { limit: 50, cursor } }
      return read('/webhook-endpoints/{id}/deliveries', params, signal)
    }),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]!.data.some(({ status }) => status === 'PENDING')
        ? soonMs
        : false,
  })

export const deliveryQuery = (id: string, deliveryId: string) => {
  const path = '/webhook-endpoints/{id}/deliveries/{deliveryId}'
  return readQuery(
    ['webhooks', 'delivery', id, deliveryId],
    path,
    { path: { id, deliveryId } },
    {
      refetchInterval: ({ state: { data } }) => (data?.status === 'PENDING' ? soonMs : false),
    },
  )
}

/** Names of events that were seen, the most frequent first. */
export const eventNamesQuery = queryOptions({
  queryKey: ['events', 'names'],
  queryFn: async ({ signal }) => (await read('/events/names', {}, signal)).eventNames,
  staleTime: 30_000,
})
