// What the pages of contacts ask the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type Contact = Schemas['Contact']

export interface Filters {
  search?: string
  status?: string
  sort?: string
}

export const statuses = ['subscribed', 'unsubscribed', 'snoozed'] as const

/** The filters in the API's words; what it does not know it leaves out. */
export function wordsOf({ search, status, sort }: Filters) {
  return {
    search,
    status: statuses.find(each => each === status),
    ...(sort === 'email' ? { sort: 'email' as const, dir: 'asc' as const } : {}),
  }
}

export const contactsQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'list', filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, cursor: pageParam, ...wordsOf(filters) }
      return answer(api.GET('/contacts', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })

export const fieldsQuery = queryOptions({
  queryKey: ['contacts', 'fields'],
  queryFn: async ({ signal }) => (await answer(api.GET('/contacts/fields', { signal }))).fields,
  staleTime: 60_000,
})

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: ({ signal }) => answer(api.GET('/contacts/{id}', { params: { path: { id } }, signal })),
  })

export const contactMailsQuery = (contactId: string) =>
  queryOptions({
    queryKey: ['emails', 'of', contactId],
    queryFn: ({ signal }) =>
      answer(api.GET('/emails', { params: { query: { contactId, limit: 20 } }, signal })),
  })

export const contactEventsQuery = (contactId: string) =>
  infiniteQueryOptions({
    queryKey: ['events', 'of', contactId],
    queryFn: ({ pageParam, signal }) =>
      answer(
        api.GET('/events/contact/{contactId}', {
          params: { path: { contactId }, query: { limit: 30, cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })
