// What the DNS says about a domain that mail goes to: whether it exists, accepts mail, has a website. All queries are sent at once and
// share one time limit; a query without an answer leaves its fact unknown.
import { getDomain } from 'tldts'
import type { DnsAnswer, MxRecord, Resolver } from '../../../mail/dns/resolver'

/** Undefined means that no name server answered. */
export interface DomainFacts {
  exists: boolean | undefined
  /** `refused`: a null MX (RFC 7505), by which a domain says that it takes no mail. */
  mail: 'accepted' | 'refused' | 'none' | undefined
  website: boolean | undefined
}

interface Answers {
  ns: DnsAnswer<string>
  /** Of the registrable domain; the same as `ns` where the domain is registrable itself. */
  parentNs: DnsAnswer<string>
  mx: DnsAnswer<MxRecord>
  a: DnsAnswer<string>
  aaaa: DnsAnswer<string>
}

/** `domain` in lower-case ASCII. */
export async function lookUpDomain(dns: Resolver, domain: string, limitMs: number): Promise<DomainFacts> {
  const limit = startLimit(limitMs)
  const parent = getDomain(domain) ?? domain
  try {
    const ns = limit.within(dns.ns(domain))
    const [nsAnswer, parentNs, mx, a, aaaa] = await Promise.all([
      ns,
      // Separate zones are rare below the registrable domain, which has name servers whenever anything below it exists.
      parent === domain ? ns : limit.within(dns.ns(parent)),
      limit.within(dns.mx(domain)),
      limit.within(dns.a(domain)),
      limit.within(dns.aaaa(domain)),
    ])
    return conclude({ ns: nsAnswer, parentNs, mx, a, aaaa })
  } finally {
    limit.clear()
  }
}

export function isCertain(facts: DomainFacts): boolean {
  return facts.exists !== undefined && facts.mail !== undefined && facts.website !== undefined
}

/** The facts that follow from all answers. */
function conclude(answers: Answers): DomainFacts {
  const exists = existence(answers)
  if (exists === false) return { exists, mail: 'none', website: false }
  return { exists, mail: mailOf(answers.mx), website: websiteOf(answers) }
}

/**
 * Name servers are looked up for the domain and for its registrable parent. Other records prove a domain as well: some registries hold
 * mail records themselves, without a delegation.
 */
function existence({ ns, parentNs, mx, a, aaaa }: Answers): boolean | undefined {
  const own = [ns, mx, a, aaaa]
  if (own.some(isFound)) return true
  if (own.some(answer => answer.status === 'nxdomain')) return false
  const isName = own.some(isEmpty)
  if (isFound(parentNs)) return isName ? true : undefined
  const isAnswered = [parentNs, mx, a].every(({ status }) => status !== 'failed')
  return isEmpty(ns) && isAnswered ? false : undefined
}

function mailOf(mx: DnsAnswer<MxRecord>): DomainFacts['mail'] {
  if (mx.status === 'failed') return undefined
  if (mx.status !== 'found' || mx.records.length === 0) return 'none'
  return mx.records.some(record => record.exchange !== '') ? 'accepted' : 'refused'
}

function websiteOf({ a, aaaa }: Answers): boolean | undefined {
  if (isFound(a) || isFound(aaaa)) return true
  return a.status === 'failed' || aaaa.status === 'failed' ? undefined : false
}

/** An alias that leads to no record of the type gives an empty answer. */
const isFound = (answer: DnsAnswer<unknown>): boolean =>
  answer.status === 'found' && answer.records.length > 0
const isEmpty = (answer: DnsAnswer<unknown>): boolean =>
  answer.status === 'nodata' || (answer.status === 'found' && answer.records.length === 0)

/** One time limit for several queries. */
function startLimit(limitMs: number): {
  within<T>(answer: Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>>
  clear(): void
} {
  const late = Promise.withResolvers<{ status: 'failed'; reason: string }>()
  const timer = setTimeout(() => late.resolve({ status: 'failed', reason: 'timeout' }), limitMs)
  return {
    within: answer => Promise.race([answer, late.promise]),
    clear: () => clearTimeout(timer),
  }
}
