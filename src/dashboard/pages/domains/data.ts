// The domain pages' queries to the API, and the state that a domain's records add up to.
import type { Schemas } from '../../api/client'
import { isSandbox, type SendingDomain } from '../../api/domains'
import { readQuery } from '../../api/queries'

export { isSandbox, type SendingDomain }
export type DnsRecord = SendingDomain['records'][number]
export type Finding = Schemas['DomainFinding']
export type Keys = Schemas['SigningKeys']

const of = ({ id }: SendingDomain) => ({ path: { id } })

/** Checks the DNS now. The server does so by itself every few minutes, but more often while somebody is looking. */
export const checkQuery = (domain: SendingDomain) =>
  readQuery(['domains', 'check', domain.id], '/domains/{id}/verify', of(domain), {
    enabled: !domain.verified,
    refetchInterval: 20_000,
  })

export const findingsQuery = (domain: SendingDomain) =>
  readQuery(['domains', 'health', domain.id], '/domains/{id}/health', of(domain), { staleTime: 60_000 })

export const keysQuery = (domain: SendingDomain) =>
  readQuery(['domains', 'keys', domain.id], '/domains/{id}/dkim', of(domain), { refetchInterval: 30_000 })

export const warmUpQuery = (domain: SendingDomain) =>
  readQuery(['domains', 'warm-up', domain.id], '/domains/{id}/warm-up', of(domain), {
    enabled: domain.verified && !isSandbox(domain),
    refetchInterval: 30_000,
  })

export type State = 'verified' | 'advised' | 'waiting' | 'wrong'

/** The state in one word: an `advised` domain may send, but lacks what receivers like to see. */
export function stateOf({ verified, records }: Pick<SendingDomain, 'verified' | 'records'>): State {
  const missing = records.filter(record => record.status !== 'verified')
  if (verified) return missing.length === 0 ? 'verified' : 'advised'
  return missing.some(record => record.required && record.status === 'failed') ? 'wrong' : 'waiting'
}
