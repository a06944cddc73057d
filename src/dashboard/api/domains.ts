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

const sandboxTops = ['example', 'test', 'localhost']

/** A name that nobody can own: for trying things out while mail stays on the machine. */
export function isSandbox({ domain }: Pick<SendingDomain, 'domain'>): boolean {
  return sandboxTops.includes(domain.slice(domain.lastIndexOf('.') + 1))
}
