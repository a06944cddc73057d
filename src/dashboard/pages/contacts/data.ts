// The contact pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { type Filter, isComplete, readTree, type WholeTree } from '../../editor/filter/tree'

export type Contact = Schemas['Contact']

export interface Filters {
  search?: string
  status?: string
  sort?: string
  /** A filter tree as JSON. */
  filter?: string
}

export const statuses = ['subscribed', 'unsubscribed', 'snoozed'] as const

/** The filters as the API's parameters; it ignores values that it does not know. */
export function wordsOf({ search, status, sort }: Filters) {
  return {
    search,
    status: statuses.find(each => each === status),
    ...(sort === 'email' ? { sort: 'email' as const, dir: 'asc' as const } : {}),
  }
}

/** The filter tree in the address, if there is a complete one. */
export function treeOf({ filter }: Filters): WholeTree | undefined {
  const tree = readTree(filter)
  return isComplete(tree) ? tree : undefined
}

/** The same filters as a bulk change takes them; undefined if there are none: that would mean everybody. */
export function bulkQueryOf(filters: Filters) {
  const states: Record<string, Filter[]> = {
    subscribed: [{ field: 'subscribed', operator: 'equals', value: true }],
    snoozed: [{ field: 'snoozedUntil', operator: 'exists' }],
    unsubscribed: [
      { field: 'subscribed', operator: 'equals', value: false },
      { field: 'snoozedUntil', operator: 'notExists' },
    ],
  }
  const state = states[filters.status ?? '']
  const tree = treeOf(filters)
  const groups = [
    ...(state ? [{ filters: state }] : []),
    ...(tree ? [{ filters: [], conditions: tree }] : []),
  ]
  if (groups.length === 0 && !filters.search) return undefined
  const filter = groups.length > 0 ? ({ logic: 'AND', groups } as WholeTree) : undefined
  return { mode: 'query' as const, search: filters.search, filter }
}

export const contactsQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'list', filters],
    queryFn: ({ pageParam, signal }) => {
      const words = { limit: 100, cursor: pageParam, ...wordsOf(filters) }
      const filter = treeOf(filters)
      if (filter) return answer(api.POST('/contacts/search', { body: { ...words, filter }, signal }))
      return answer(api.GET('/contacts', { params: { query: words }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })

export const fieldsQuery = queryOptions({
  queryKey: ['contacts', 'fields'],
  queryFn: async ({ signal }) => (await answer(api.GET('/contacts/fields', { signal }))).fields,
  staleTime: 60_000,
})

/** The static segments that contacts can be added to, by name. */
export const listsQuery = queryOptions({
  queryKey: ['segments', 'lists'],
  queryFn: async ({ signal }) => {
    const segments = await answer(api.GET('/segments', { signal }))
    return segments
      .filter(({ type }) => type === 'STATIC')
      .sort((one, other) => one.name.localeCompare(other.name))
  },
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

export const contactSegmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['segments', 'of', id],
    queryFn: ({ signal }) => answer(api.GET('/contacts/{id}/segments', { params: { path: { id } }, signal })),
  })

export const contactTopicsQuery = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'topics', id],
    queryFn: async ({ signal }) =>
      (await answer(api.GET('/contacts/{id}/topics', { params: { path: { id } }, signal }))).data,
  })

export const contactWorkflowsQuery = (id: string) =>
  queryOptions({
    queryKey: ['workflows', 'of', id],
    queryFn: ({ signal }) =>
      answer(api.GET('/contacts/{id}/executions', { params: { path: { id } }, signal })),
  })

export const linksQuery = (id: string) =>
  queryOptions({
    queryKey: ['contacts', 'links', id],
    queryFn: ({ signal }) => answer(api.GET('/contacts/{id}/links', { params: { path: { id } }, signal })),
    staleTime: 600_000,
  })

export const consentQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['contacts', 'consent', id],
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { limit: 20, cursor: pageParam } }
      return answer(api.GET('/contacts/{id}/consent', { params, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })
