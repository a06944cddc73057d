// The sender domains of the project, which several pages need: for choosing a sender, showing and checking them.
import { queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from './client'

export type SendingDomain = Schemas['Domain']

export const domainsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['domains', projectId],
    queryFn: ({ signal }) =>
      answer(api.GET('/domains/project/{projectId}', { params: { path: { projectId } }, signal })),
  })
