// The layout pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'
import type { Stored } from '../../editor/use-edited'

export type LayoutRow = Schemas['Layout']

export const layoutPages = infiniteQueryOptions({
  queryKey: ['layouts', 'list'],
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: 12, ...(pageParam ? { cursor: pageParam } : {}) }
    return answer(api.GET('/layouts', { params: { query }, signal }))
  },
  initialPageParam: '',
  getNextPageParam: ({ cursor }) => cursor ?? undefined,
})

const path = (id: string) => ({ params: { path: { id } } })

export const fetchLayout = (id: string, signal?: AbortSignal) =>
  answer(api.GET('/layouts/{id}', { ...path(id), signal }))

export const layoutQuery = (id: string) =>
  queryOptions({
    queryKey: ['layouts', 'one', id],
    queryFn: ({ signal }) => fetchLayout(id, signal),
    // Something that is being edited is not reloaded behind somebody's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['layouts', 'usage', id],
    queryFn: ({ signal }) => answer(api.GET('/layouts/{id}/usage', { ...path(id), signal })),
  })

/** A layout in the form that editors work with: a name and a source. */
export const asWritten = ({ name, body, version }: LayoutRow): Stored => ({
  ...{ name, body, version, subject: '', from: '', fromName: null, replyTo: null },
  ...{ type: 'MARKETING', editor: null, layoutId: null },
})
