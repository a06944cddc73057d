// The finding about SPF (RFC 7208): one record, which can be parsed and covers what mail leaves from. Pure.
import type { DnsAnswer } from '../../../../mail/dns/resolver'
import { mechanismFor, spfValue } from '../records'
import { type DomainFinding, findingsAbout, type SendingRoute } from './finding'
import type { SpfVerdict } from './spf-check'
import { spfTexts, withMechanisms } from './spf-record'

export interface SpfFacts {
  texts: DnsAnswer<string>
  /** Read as a whole. */
  whole: SpfVerdict
  byAddress: ReadonlyArray<{ address: string; verdict: SpfVerdict }>
}

/** The one finding about SPF. */
export function spfFinding(
  domain: string,
  route: SendingRoute,
  { texts, whole, byAddress }: SpfFacts,
): DomainFinding {
  const say = findingsAbout('spf')
  if (route.envelopeDomain !== undefined)
    return say({
      level: 'ok',
      code: 'spf.provider',
      message: `The envelope of its mail is in the name of ${route.envelopeDomain}, whose SPF counts`,
      values: { domain: route.envelopeDomain },
    })
  if (texts.status === 'failed' || whole.result === 'temperror')
    return say({ level: 'warn', code: 'spf.unknown', message: 'No name server answered about SPF' })
  const published = spfTexts(texts.status === 'found' ? texts.records : [])
  const publish = (value: string) => ({ type: 'TXT' as const, name: domain, value })
  if (published.length === 0)
    return say({
      level: 'warn',
      code: 'spf.missing',
      message: 'There is no SPF record',
      record: publish(spfValue(route.relayHost)),
    })
  if (published.length > 1)
    return say({
      level: 'fail',
      code: 'spf.several',
      message: 'There is more than one SPF record, and receivers trust none: merge them into one',
      record: publish(joined(published)),
    })
  return spfOfOne(route, published[0]!, whole, byAddress, publish)
}

/** The mechanisms of all of them. */
function joined([first, ...others]: string[]): string {
  const more = others.flatMap(text => text.split(' ').slice(1))
  return withMechanisms(
    first,
    more.filter(term => !/^[+\-~?]?all$|^redirect=/i.test(term)),
  )
}

const faults = {
  syntax: 'a part of it, or of a record that it includes, cannot be read',
  several: 'a domain that it includes has more than one record',
  voids: 'more than two of its names do not exist',
  loop: 'it includes itself',
  hosts: 'a domain in it has more than ten mail servers',
}

function spfOfOne(
  { include, relayHost, addresses }: SendingRoute,
  text: string,
  whole: SpfVerdict,
  byAddress: SpfFacts['byAddress'],
  publish: (value: string) => DomainFinding['record'],
): DomainFinding {
  const say = findingsAbout('spf')
  if (whole.fault === 'lookups')
    return say({
      level: 'fail',
      code: 'spf.lookups',
      message:
        'The SPF record needs more than ten look-ups, and receivers give up: leave out what no longer sends',
    })
  if (whole.result === 'permerror')
    return say({
      level: 'fail',
      code: 'spf.invalid',
      message: `The SPF record is not valid: ${faults[(whole.fault ?? 'syntax') as keyof typeof faults]}`,
      values: { fault: whole.fault ?? 'syntax' },
    })
  if (whole.result === 'pass')
    return say({
      level: 'fail',
      code: 'spf.open',
      message: 'The SPF record lets everybody send in the name of the domain: end it with ~all',
      record: publish(text.replace(/\+?all\s*$/i, '~all')),
    })
  const missing =
    include === undefined
      ? byAddress.filter(({ verdict }) => verdict.result !== 'pass').map(({ address }) => address)
      : whole.read.includes(include)
        ? []
        : [include]
  const what = { hosts: (missing.length > 0 ? missing : include ? [include] : addresses).join(', ') }
  if (missing.length > 0)
    return say({
      level: 'fail',
      code: 'spf.notCovered',
      message: `The SPF record does not cover what mail leaves from: ${what.hosts}`,
      values: what,
      record: publish(withMechanisms(text, mechanismsOf(missing, include, relayHost))),
    })
  return include === undefined && addresses.length === 0
    ? say({
        level: 'ok',
        code: 'spf.unchecked',
        message: 'There is one SPF record, and it can be read; where mail leaves from is not known here',
      })
    : say({ level: 'ok', code: 'spf.covers', message: `SPF covers ${what.hosts}`, values: what })
}

function mechanismsOf(
  missing: readonly string[],
  include: string | undefined,
  relayHost: string | undefined,
): string[] {
  if (include !== undefined) return [`include:${include}`]
  const ofRelay = relayHost === undefined ? undefined : mechanismFor(relayHost)
  return ofRelay ? [ofRelay] : missing.map(address => `ip${address.includes(':') ? 6 : 4}:${address}`)
}
