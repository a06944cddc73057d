// Asks the DNS what it says about the mail of a domain, within bounds that hold whatever is published there, and has it judged.
import { notFound } from '../../../../lib/errors'
import { isLoopbackHost } from '../../../../lib/loopback'
import { second } from '../../../../lib/time'
import type { DnsAnswer } from '../../../../mail/dns/resolver'
import { addressesOf, ownAddresses, reverseName } from '../../../../mail/dns/reverse'
import type { Context } from '../../../../platform/context'
import { relayHosts, staysHere } from '../../../../platform/transports/relay-hosts'
import { dkimFinding, signedByRelay } from '../health/dkim'
import { dmarcFinding } from '../health/dmarc'
import { readDmarc } from '../health/dmarc-record'
import type { DomainFinding, SendingRoute } from '../health/finding'
import { reverseFinding } from '../health/reverse'
import { spfFinding } from '../health/spf'
import { checkSpf, noAddress, type SpfQuestions } from '../health/spf-check'
import { signsBeside } from '../model'
import { verifiesAtOnce } from '../names'
import { findDomain } from '../queries'
import { dkimName, dkimValue, dmarcName, inheritedDmarcName } from '../records'
import type { DomainRow } from '../schema'
import { includeOf } from '../well-known-relays'

export interface DomainHealth {
  domain: string
  findings: DomainFinding[]
}

/** The most addresses of a relay that are checked. */
const maxAddresses = 8
/** For all questions about a domain together: strangers' name servers may be as slow as they like. */
const patienceMs = 10 * second

export async function healthOfDomain(ctx: Context, projectId: string, id: string): Promise<DomainHealth> {
  const row = await findDomain(ctx, projectId, id)
  if (row === undefined) throw notFound('Domain', id)
  return await examineHealth(ctx, row)
}

/** Nothing is found about a name that nobody can own. */
export async function examineHealth(ctx: Context, row: DomainRow): Promise<DomainHealth> {
  const { domain } = row
  if (verifiesAtOnce(domain, staysHere(ctx.config))) return { domain, findings: [] }
  const { dns, end } = patient(ctx)
  try {
    const [route, ...others] = await sendingRoutes(ctx, dns)
    const addresses = new Set([route, ...others].flatMap(each => each.addresses))
    const findings = await Promise.all([
      findSpf(dns, domain, route),
      ...(row.relaySigns ? [signedByRelay()] : findKeys(ctx, dns, row)),
      findDmarc(dns, domain, route),
      ...[...addresses].map(address => findReverse(dns, address)),
    ])
    const uncovered = await Promise.all(others.map(other => findSpf(dns, domain, other)))
    // What is wrong with the record itself is said once.
    return { domain, findings: [...findings, ...uncovered.filter(({ code }) => code === 'spf.notCovered')] }
  } finally {
    end()
  }
}

type Asking = SpfQuestions & Pick<Context['dns'], 'ptr'>

/** Each question is asked once, and none goes on beyond the time that all have together. */
function patient({ dns }: Context): { dns: Asking; end: () => void } {
  const { promise: over, resolve } = Promise.withResolvers<DnsAnswer<never>>()
  const timer = setTimeout(() => resolve({ status: 'failed', reason: 'no time left' }), patienceMs)
  const asked = new Map<string, Promise<DnsAnswer<unknown>>>()
  const ask = <T>(type: 'txt' | 'a' | 'aaaa' | 'mx' | 'ptr', name: string): Promise<DnsAnswer<T>> => {
    const key = `${type} ${name}`
    const known = asked.get(key) ?? Promise.race([dns[type](name) as Promise<DnsAnswer<unknown>>, over])
    asked.set(key, known)
    return known as Promise<DnsAnswer<T>>
  }
  const all: Asking = {
    txt: name => ask('txt', name),
    a: name => ask('a', name),
    aaaa: name => ask('aaaa', name),
    mx: name => ask('mx', name),
    ptr: name => ask('ptr', name),
  }
  return { dns: all, end: () => clearTimeout(timer) }
}

/** Each route that mail may take, the preferred one first. */
async function sendingRoutes({ config }: Context, dns: Asking): Promise<[SendingRoute, ...SendingRoute[]]> {
  // Nothing leaves the machine.
  if (config.mailTransport === 'outbox') return [{ addresses: [] }]
  const envelope = config.bounceDomain === undefined ? {} : { envelopeDomain: config.bounceDomain }
  const relays = await Promise.all(
    relayHosts(config).map(async host => ({ ...envelope, ...(await routeBy(host, dns)) })),
  )
  const bySes: SendingRoute = { include: 'amazonses.com', envelopeDomain: 'amazonses.com', addresses: [] }
  const [first, ...others] = config.mailTransport === 'ses' ? [bySes, ...relays] : relays
  return first ? [first, ...others] : [{ ...envelope, addresses: addressesHere() }]
}

async function routeBy(relayHost: string, dns: Asking): Promise<SendingRoute> {
  if (isLoopbackHost(relayHost)) return { addresses: addressesHere() }
  const include = includeOf(relayHost)
  if (include !== undefined) return { relayHost, include, addresses: [] }
  return { relayHost, addresses: (await addressesOf(dns, relayHost)).slice(0, maxAddresses) }
}

function addressesHere(): string[] {
  return ownAddresses().slice(0, maxAddresses)
}

async function findSpf(dns: Asking, domain: string, route: SendingRoute): Promise<DomainFinding> {
  const texts = await dns.txt(domain)
  const whole = await checkSpf(dns, domain, noAddress)
  const byAddress = []
  for (const address of route.addresses)
    byAddress.push({ address, verdict: await checkSpf(dns, domain, address) })
  return spfFinding(domain, route, { texts, whole, byAddress })
}

function findKeys(ctx: Context, dns: Asking, row: DomainRow): Promise<DomainFinding>[] {
  return keysOf(ctx, row).map(async ({ name, publish }) => dkimFinding(name, await dns.txt(name), publish))
}

/** Where the keys are published that mail of this domain is signed with. */
function keysOf({ config }: Context, row: DomainRow): Array<{ name: string; publish: string | undefined }> {
  const { domain, dkimTokens } = row
  const own = { name: dkimName(row), publish: dkimValue(row.publicKey) }
  if (config.mailTransport !== 'ses' || dkimTokens === null) return [own]
  const provided = dkimTokens.map(token => ({ name: `${token}._domainkey.${domain}`, publish: undefined }))
  return signsBeside(config) ? [...provided, own] : provided
}

async function findDmarc(dns: Asking, domain: string, route: SendingRoute): Promise<DomainFinding> {
  const inherited = inheritedDmarcName(domain)
  const names = [dmarcName(domain), ...(inherited === undefined ? [] : [inherited])]
  return dmarcFinding(domain, route, readDmarc(await Promise.all(names.map(name => dns.txt(name)))))
}

async function findReverse(dns: Asking, address: string): Promise<DomainFinding> {
  return reverseFinding(address, await reverseName(dns, address))
}
