// The instance page's queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type State = Schemas['InstanceState']
export type JobKind = State['jobs'][number]
export type FailedJob = Schemas['FailedJob']
export type Finding = Schemas['InstanceFindings']['findings'][number]

export const stateQuery = queryOptions({
  queryKey: ['instance', 'state'],
  queryFn: ({ signal }) => answer(api.GET('/instance', { signal })),
  refetchInterval: 15_000,
})

export const findingsQuery = queryOptions({
  queryKey: ['instance', 'findings'],
  queryFn: ({ signal }) => answer(api.GET('/instance/findings', { signal })),
  staleTime: 60_000,
})

export const failedQuery = (kind: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'failed', kind],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, cursor: pageParam, kind }
      return answer(api.GET('/instance/failed-jobs', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })
