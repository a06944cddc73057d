// The template pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type TemplateRow = Schemas['Template']

export interface Filters {
  search?: string
  type?: string
}

export const types = ['MARKETING', 'TRANSACTIONAL', 'HEADLESS'] as const

export const templatesQuery = ({ search, type }: Filters) =>
  infiniteQueryOptions({
    queryKey: ['templates', 'list', search, type],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        page: pageParam,
        pageSize: 12,
        search,
        type: types.find(each => each === type),
        sort: 'updatedAt' as const,
      }
      return answer(api.GET('/templates', { params: { query }, signal }))
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, totalPages }) => (page < totalPages ? page + 1 : undefined),
  })

export const fetchTemplate = (id: string, signal?: AbortSignal) =>
  answer(api.GET('/templates/{id}', { params: { path: { id } }, signal }))

export const templateQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: ({ signal }) => fetchTemplate(id, signal),
    // Something that is being edited is not reloaded behind somebody's back.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['templates', 'usage', id],
    queryFn: ({ signal }) => answer(api.GET('/templates/{id}/usage', { params: { path: { id } }, signal })),
  })
