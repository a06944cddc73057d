// The segment pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import type { FilterTree } from '../../editor/filter/tree'

export type Segment = Schemas['Segment']

/** The condition as the builder takes it; the server checked it before it was stored. */
export const treeOf = ({ condition }: Segment): FilterTree | undefined =>
  (condition as FilterTree | null) ?? undefined

/** All at once, in the shape of a page, for the table. */
export const segmentsQuery = infiniteQueryOptions({
  queryKey: ['segments', 'list'],
  queryFn: async ({ signal }) => ({ data: await answer(api.GET('/segments', { signal })) }),
  initialPageParam: undefined,
  getNextPageParam: () => undefined,
})

export const segmentQuery = (id: string) =>
  queryOptions({
    queryKey: ['segments', 'one', id],
    queryFn: ({ signal }) => answer(api.GET('/segments/{id}', { params: { path: { id } }, signal })),
  })

const pageSize = 100

export const membersQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['segments', 'members', id],
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { page: pageParam, pageSize } }
      return answer(api.GET('/segments/{id}/contacts', { params, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  })

export const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['segments', 'history', id],
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { id }, query: { limit: 20, cursor: pageParam } }
      return answer(api.GET('/segments/{id}/history', { params, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })
