// The segment pages' queries to the API, and adding addresses to a list.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import { cursorQuery, read, readQuery } from '../../api/queries'
import type { FilterTree } from '../../editor/filter/tree'

export type Segment = Schemas['Segment']

/** The condition as the builder takes it; the server checked it before it was stored. */
export const treeOf = ({ condition }: Segment): FilterTree | undefined =>
  (condition as FilterTree | null) ?? undefined

/** All at once, in the shape of a page, for the table. */
export const segmentsQuery = infiniteQueryOptions({
  queryKey: ['segments', 'list'],
  queryFn: async ({ signal }) => ({ data: await read('/segments', {}, signal) }),
  initialPageParam: undefined,
  getNextPageParam: () => undefined,
})

export const segmentQuery = (id: string) =>
  readQuery(['segments', 'one', id], '/segments/{id}', { path: { id } })

export const membersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['segments', 'members', id],
    queryFn: ({ pageParam, signal }) =>
      read('/segments/{id}/contacts', { path: { id }, query: { page: pageParam, pageSize: 100 } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  })

export const historyQuery = (id: string) =>
  cursorQuery(['segments', 'history', id], (cursor, signal) =>
    read('/segments/{id}/history', { path: { id }, query: { limit: 20, cursor } }, signal),
  )

export interface Added {
  added: number
  created: number
  notFound: string[]
}

/** How many addresses the API takes at once. */
export const portion = 500

export async function addMembers(
  id: string,
  emails: readonly string[],
  createMissing: boolean,
  onProgress: (done: number) => void = () => {},
): Promise<Added> {
  const sum: Added = { added: 0, created: 0, notFound: [] }
  for (let from = 0; from < emails.length; from += portion) {
    const body = { emails: emails.slice(from, from + portion), createMissing }
    const { added, created, notFound } = (await answer(
      api.POST('/segments/{id}/members', { params: { path: { id } }, body }),
    ))!
    sum.added += added
    sum.created += created
    sum.notFound.push(...notFound)
    onProgress(Math.min(emails.length, from + portion))
  }
  return sum
}
