// Where a webhook may go: the scheme, the name's addresses, and the rule that one private address among them rules out all.
import { isIP } from 'node:net'
import { isPublicAddress } from '../../lib/public-address'
import type { Resolver } from '../../mail/dns/resolver'

export interface TargetRules {
  dns: Resolver
  allowPrivate: boolean
}

export type Target = { addresses: string[] } | { refused: string } | { unreachable: string }

/** The addresses that the host of `url` stands for, every one of them checked. */
export async function resolveTarget(url: URL, { dns, allowPrivate }: TargetRules): Promise<Target> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { refused: `the scheme ${url.protocol.slice(0, 20)} is not allowed` }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const found = isIP(host) > 0 ? { addresses: [host] } : await lookUp(dns, host.replace(/\.$/, ''))
  if (!('addresses' in found)) return found
  const blocked = found.addresses.find(address => !allowPrivate && !isPublicAddress(address))
  if (blocked === undefined) return found
  return {
    refused: `${host === blocked ? '' : `${host} leads to `}${blocked}, which is not a public address`,
  }
}

async function lookUp(dns: Resolver, host: string): Promise<Target> {
  // No server knows this name, and every machine does.
  if (/^(.+\.)?localhost$/.test(host)) return { addresses: ['127.0.0.1', '::1'] }
  const [v4, v6] = await Promise.all([dns.a(host), dns.aaaa(host)])
  const addresses = [v4, v6].flatMap(answer => (answer.status === 'found' ? answer.records : []))
  if (addresses.length > 0) return { addresses }
  const failure = [v4, v6].find(answer => answer.status === 'failed')
  return {
    unreachable: failure ? `${host} could not be looked up: ${failure.reason}` : `${host} has no address`,
  }
}
