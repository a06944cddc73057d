// The domain pages' queries to the API, and the state that a domain's records add up to.
import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { isSandbox, type SendingDomain } from '../../api/domains'

export { isSandbox, type SendingDomain }
export type DnsRecord = SendingDomain['records'][number]

/** Checks the DNS now. The server does so by itself every few minutes, but more often while somebody is looking. */
export const checkQuery = (domain: SendingDomain) =>
  queryOptions({
    queryKey: ['domains', 'check', domain.id],
    queryFn: ({ signal }) =>
      answer(api.GET('/domains/{id}/verify', { params: { path: { id: domain.id } }, signal })),
    enabled: !domain.verified,
    refetchInterval: 20_000,
  })

export type State = 'verified' | 'advised' | 'waiting' | 'wrong'

/** The state in one word: an `advised` domain may send, but lacks what receivers like to see. */
export function stateOf({ verified, records }: Pick<SendingDomain, 'verified' | 'records'>): State {
  const missing = records.filter(record => record.status !== 'verified')
  if (verified) return missing.length === 0 ? 'verified' : 'advised'
  return missing.some(record => record.required && record.status === 'failed') ? 'wrong' : 'waiting'
}
