// The topics of the project, which several pages offer to choose from.
import { queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from './client'

export type Topic = Schemas['Topic']

export const topicsQuery = queryOptions({
  queryKey: ['topics'],
  queryFn: async ({ signal }) => (await answer(api.GET('/topics', { signal }))).data,
  staleTime: 30_000,
})
