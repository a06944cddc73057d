// The contact pages' queries to the API.
import { queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { type Answer, cursorQuery, read, readQuery } from '../../api/queries'
import { type Filter, isComplete, readTree, type WholeTree } from '../../editor/filter/tree'

export type Contact = Schemas['Contact']
export type Fields = Answer<'/contacts/fields'>['fields']

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
  return { mode: 'query' as const, search: filters.search, searchNames: true, filter }
}

export const contactsQuery = (filters: Filters) =>
  cursorQuery(['contacts', 'list', filters], (cursor, signal) => {
    const words = { limit: 100, cursor, ...wordsOf(filters) }
    const filter = treeOf(filters)
    if (filter)
      return answer(api.POST('/contacts/search', { body: { ...words, searchNames: true, filter }, signal }))
    return read('/contacts', { query: { ...words, searchNames: true } }, signal)
  })

export const fieldsQuery = readQuery(['contacts', 'fields'], '/contacts/fields', {}, { staleTime: 60_000 })

/** The static segments that contacts can be added to, by name. */
export const listsQuery = queryOptions({
  queryKey: ['segments', 'lists'],
  queryFn: async ({ signal }) => {
    const segments = await read('/segments', {}, signal)
    return segments
      .filter(({ type }) => type === 'STATIC')
      .sort((one, other) => one.name.localeCompare(other.name))
  },
})

const of = (id: string) => ({ path: { id } })

export const contactQuery = (id: string) => readQuery(['contacts', 'one', id], '/contacts/{id}', of(id))

export const contactMailsQuery = (contactId: string) =>
  readQuery(['emails', 'of', contactId], '/emails', { query: { contactId, limit: 20 } })

export const contactEventsQuery = (contactId: string) =>
  cursorQuery(['events', 'of', contactId], (cursor, signal) => {
    const params = { path: { contactId }, query: { limit: 30, cursor } }
    return read('/events/contact/{contactId}', params, signal)
  })

export const contactSegmentsQuery = (id: string) =>
  readQuery(['segments', 'of', id], '/contacts/{id}/segments', of(id))

export const contactTopicsQuery = (id: string) =>
  readQuery(['contacts', 'topics', id], '/contacts/{id}/topics', of(id))

export const contactWorkflowsQuery = (id: string) =>
  readQuery(['workflows', 'of', id], '/contacts/{id}/executions', of(id))

export const linksQuery = (id: string) =>
  readQuery(['contacts', 'links', id], '/contacts/{id}/links', of(id), { staleTime: 600_000 })

export const consentQuery = (id: string) =>
  cursorQuery(['contacts', 'consent', id], (cursor, signal) =>
    read('/contacts/{id}/consent', { ...of(id), query: { limit: 20, cursor } }, signal),
  )
