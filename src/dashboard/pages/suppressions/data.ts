// The suppression page's queries to the API.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type Suppression = Schemas['Suppression']

export interface Filters {
  search?: string
  reason?: string
}

export const reasons = ['bounce', 'complaint', 'manual', 'repeated'] as const

export const suppressionsQuery = ({ search, reason }: Filters) =>
  infiniteQueryOptions({
    queryKey: ['suppressions', search, reason],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: 100,
        cursor: pageParam,
        search,
        reason: reasons.find(each => each === reason),
      }
      return answer(api.GET('/suppressions', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })
