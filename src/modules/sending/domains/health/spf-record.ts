// An SPF record as values (RFC 7208): reads it, says whether an address is in a network, and puts a mechanism where it belongs. Pure.
import { BlockList, isIP } from 'node:net'

export type SpfQualifier = '+' | '-' | '~' | '?'

export interface SpfMechanism {
  qualifier: SpfQualifier
  name: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists'
  /** A domain or an address; empty where the domain of the record is meant. */
  value: string
  /** Prefix lengths (section 5.6); whole addresses unless given. */
  four: number
  six: number
}

export interface SpfRecord {
  mechanisms: SpfMechanism[]
  redirect: string | undefined
}

/** Longer ones fit into no answer that resolvers like to give (section 3.4), and nobody has one. */
const maxLength = 4_000
const maxTerms = 200

/** The texts that are SPF records: there must be one of them (section 4.5). */
export function spfTexts(records: readonly string[]): string[] {
  return records.filter(text => /^v=spf1( |$)/i.test(text))
}

/** Text where the record can't be understood: what receivers call a permanent error (section 4.6). */
export function parseSpf(text: string): SpfRecord | string {
  const terms = text
    .slice(0, maxLength + 1)
    .split(' ')
    .slice(1)
    .filter(Boolean)
  if (text.length > maxLength || terms.length > maxTerms) return 'the record is too long'
  const record: SpfRecord = { mechanisms: [], redirect: undefined }
  for (const term of terms) {
    const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(term)
    if (modifier) {
      if (modifier[1]!.toLowerCase() === 'redirect') record.redirect ??= modifier[2]!
      continue
    }
    const mechanism = readMechanism(term)
    if (!mechanism) return `"${term.slice(0, 100)}" is not a mechanism`
    record.mechanisms.push(mechanism)
  }
  return record
}

function readMechanism(term: string): SpfMechanism | undefined {
  const found = /^([+\-~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?:([:/])(.*))?$/i.exec(term)
  if (!found) return undefined
  const [, sign = '', word = '', separator, remaining = ''] = found
  const name = word.toLowerCase() as SpfMechanism['name']
  const plain = { qualifier: (sign || '+') as SpfQualifier, name, four: 32, six: 128 }
  if (name === 'all') return separator === undefined ? { ...plain, value: '' } : undefined
  if (name === 'ip4' || name === 'ip6') return separator === ':' ? readNetwork(plain, remaining) : undefined
  if (name === 'a' || name === 'mx') return readHosts(plain, separator === '/' ? `/${remaining}` : remaining)
  if (name === 'ptr') return { ...plain, value: remaining }
  return separator === ':' && remaining !== '' ? { ...plain, value: remaining } : undefined
}

function readNetwork(plain: Omit<SpfMechanism, 'value'>, text: string): SpfMechanism | undefined {
  const [address = '', length, ...more] = text.split('/')
  const [version, widest] = plain.name === 'ip4' ? [4, 32] : [6, 128]
  const bits = length === undefined ? widest : readLength(length, widest)
  if (more.length > 0 || isIP(address) !== version || bits === undefined) return undefined
  return { ...plain, value: address, ...(version === 4 ? { four: bits } : { six: bits }) }
}

/** `host/24//64` */
function readHosts(plain: Omit<SpfMechanism, 'value'>, text: string): SpfMechanism | undefined {
  const found = /^([^/]*)(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(text)
  if (!found) return undefined
  const four = found[2] === undefined ? 32 : readLength(found[2], 32)
  const six = found[3] === undefined ? 128 : readLength(found[3], 128)
  return four === undefined || six === undefined ? undefined : { ...plain, value: found[1]!, four, six }
}

function readLength(text: string, widest: number): number | undefined {
  const bits = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  return bits <= widest ? bits : undefined
}

/** Whether an address is in a network; addresses of the other family never do. */
export function isWithin(address: string, network: string, { four, six }: SpfMechanism): boolean {
  const version = isIP(address)
  if (version === 0 || isIP(network) !== version) return false
  const list = new BlockList()
  const family = version === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(network, version === 4 ? four : six, family)
  return list.check(address, family)
}

/** The record with more mechanisms, before whatever ends it; a new one where there is none. */
export function withMechanisms(text: string | undefined, more: readonly string[]): string {
  const terms = (text ?? 'v=spf1 ~all').split(' ').filter(Boolean)
  const end = terms.findIndex(term => /^[+\-~?]?all$|^redirect=/i.test(term))
  const at = end < 0 ? terms.length : end
  return [...terms.slice(0, at), ...more.filter(one => !terms.includes(one)), ...terms.slice(at)].join(' ')
}
