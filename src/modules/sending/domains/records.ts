// domain -> the DNS records its owner publishes so that mail in its name is trusted. Pure: knows nothing about what is published.

import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import type { IdentityStatus } from '../../../platform/transports/transport'
import { includeOf } from './well-known-relays'

/** `failed`: there is something else at that name. */
export type RecordStatus = IdentityStatus

export const recordPurposes = ['dkim', 'spf', 'dmarc', 'return-path', 'inbound'] as const
export type RecordPurpose = (typeof recordPurposes)[number]

export const recordTypes = ['TXT', 'CNAME', 'MX'] as const

export interface DnsRecord {
  type: (typeof recordTypes)[number]
  name: string
  value: string
  priority?: number
  purpose: RecordPurpose
  required: boolean
  status: RecordStatus
}

/** What was found at each name, by purpose. */
export interface Statuses {
  dkim: RecordStatus
  spf: RecordStatus
  dmarc: RecordStatus
}

export const nothingKnown: Statuses = { dkim: 'pending', spf: 'pending', dmarc: 'pending' }

/** The selector of our keys, a part of the contract: users have published it. */
export const dkimSelector = 'wx1'

/** wx1, wx2, and so on: two consecutive keys never have the same name. */
export function nextSelector(selector: string): string {
  const number = Number(/^wx([1-9]\d{0,8})$/.exec(selector)?.[1] ?? 1)
  return `wx${number + 1}`
}

export interface Published {
  domain: string
  selector: string
  /** Base64 of the key's SubjectPublicKeyInfo, as published in the DNS. */
  publicKey: string
}

/** `relayHost`: the host of SMTP_URL, where mail leaves through a relay. */
export function recordsFor(published: Published, statuses: Statuses, relayHost?: string): DnsRecord[] {
  const { domain } = published
  const txt = { type: 'TXT' as const }
  return [
    dkimRecord(published, statuses.dkim),
    {
      ...txt,
      name: domain,
      value: spfValue(relayHost),
      purpose: 'spf',
      required: false,
      status: statuses.spf,
    },
    {
      ...txt,
      name: dmarcName(domain),
      value: 'v=DMARC1; p=none',
      purpose: 'dmarc',
      required: false,
      status: statuses.dmarc,
    },
  ]
}

/** The record of our own key. */
export function dkimRecord(published: Published, status: RecordStatus): DnsRecord {
  const value = dkimValue(published.publicKey)
  return { type: 'TXT', name: dkimName(published), value, purpose: 'dkim', required: true, status }
}

export function dkimName(published: { domain: string; selector: string }): string {
  return `${published.selector}._domainkey.${published.domain}`
}

export function dmarcName(domain: string): string {
  return `_dmarc.${domain}`
}

/** Where a receiver looks when a sub-domain has no policy of its own (RFC 7489, section 6.6.3); undefined at the top. */
export function inheritedDmarcName(domain: string): string | undefined {
  const organisation = organisationOf(domain)
  return organisation === domain ? undefined : dmarcName(organisation)
}

/** The name under which this one was registered; itself where no list says. */
export function organisationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}

export function dkimValue(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`
}

/** A hint: only the owner knows every server that sends in the domain's name. */
export function spfValue(relayHost: string | undefined): string {
  const mechanism = relayHost === undefined ? undefined : mechanismFor(relayHost)
  return ['v=spf1', 'mx', mechanism, '~all'].filter(part => part !== undefined).join(' ')
}

/** The mechanism for a host in SPF; undefined for this very machine. */
export function mechanismFor(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) === 4) return bare.startsWith('127.') ? undefined : `ip4:${bare}`
  if (isIP(bare) === 6) return bare === '::1' ? undefined : `ip6:${bare}`
  const include = includeOf(bare)
  if (include !== undefined) return `include:${include}`
  return bare.includes('.') ? `a:${bare}` : undefined
}
