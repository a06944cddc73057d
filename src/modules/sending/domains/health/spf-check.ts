// What receivers make of a published SPF record (RFC 7208, section 4): walks it for an address, within the limits of that standard and
// those of a page that people wait for. Its questions are passed in as functions, so nothing here knows of a network.
import type { DnsAnswer, Resolver } from '../../../../mail/dns/resolver'
import { isWithin, parseSpf, type SpfMechanism, type SpfQualifier, spfTexts } from './spf-record'

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror'

export interface SpfVerdict {
  result: SpfResult
  /** Terms that caused a look-up: ten are allowed. */
  lookups: number
  /** The domains whose records were read, that of the sender first. */
  read: string[]
  /** Why there is no result. */
  fault?: 'syntax' | 'lookups' | 'voids' | 'several' | 'loop' | 'hosts'
}

export type SpfQuestions = Pick<Resolver, 'txt' | 'a' | 'aaaa' | 'mx'>

/** Section 4.6.4. */
const maxLookups = 10
const maxVoids = 2
const maxHosts = 10
/** Of one answer; nobody's honest record goes beyond that. */
const maxAddresses = 100

/** An address that nothing but `all` matches, so that every part of a record is read. */
export const noAddress = 'none'

class Stop extends Error {
  constructor(
    readonly result: 'permerror' | 'temperror',
    readonly fault?: SpfVerdict['fault'],
  ) {
    super(result)
  }
}

const results: Record<SpfQualifier, SpfResult> = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' }

/** What a receiver says to mail from `address` with a sender at `domain`. Never throws. */
export async function checkSpf(ask: SpfQuestions, domain: string, address: string): Promise<SpfVerdict> {
  const walk = new Walk(ask, address)
  try {
    return { result: await walk.check(domain.toLowerCase()), lookups: walk.lookups, read: walk.read }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { result, fault } = error
    return { result, lookups: walk.lookups, read: walk.read, ...(fault ? { fault } : {}) }
  }
}

/** The state of one evaluation: what was asked so far is counted across all records that it leads to. */
class Walk {
  lookups = 0
  readonly read: string[] = []
  private voids = 0
  private readonly open: string[] = []

  constructor(
    private readonly ask: SpfQuestions,
    private readonly address: string,
  ) {}

  async check(domain: string): Promise<SpfResult> {
    if (this.open.includes(domain)) throw new Stop('permerror', 'loop')
    const texts = spfTexts(this.records(await this.ask.txt(domain), this.open.length > 0))
    if (texts.length > 1) throw new Stop('permerror', 'several')
    if (texts.length === 0) return 'none'
    const record = parseSpf(texts[0]!)
    if (typeof record === 'string') throw new Stop('permerror', 'syntax')
    if (!this.read.includes(domain)) this.read.push(domain)
    this.open.push(domain)
    for (const mechanism of record.mechanisms)
      if (await this.matches(mechanism, domain)) return this.leave(results[mechanism.qualifier])
    return this.leave(record.redirect === undefined ? 'neutral' : await this.redirected(record.redirect))
  }

  private leave(result: SpfResult): SpfResult {
    this.open.pop()
    return result
  }

  private async redirected(target: string): Promise<SpfResult> {
    this.count()
    if (isMacro(target)) return 'neutral'
    const result = await this.check(target.toLowerCase())
    if (result === 'none') throw new Stop('permerror', 'syntax')
    return result
  }

  private async matches(mechanism: SpfMechanism, domain: string): Promise<boolean> {
    const { name, value } = mechanism
    if (name === 'all') return true
    if (name === 'ip4' || name === 'ip6') return isWithin(this.address, value, mechanism)
    this.count()
    // Macros stand for parts of a message, and there is none; `ptr` is not to be used (section 5.5).
    if (isMacro(value) || name === 'ptr' || name === 'exists') return false
    const target = (value || domain).toLowerCase()
    if (name === 'include') return await this.included(target)
    const hosts = name === 'a' ? [target] : await this.exchanges(target)
    for (const host of hosts)
      for (const found of await this.addresses(host, name === 'a'))
        if (isWithin(this.address, found, mechanism)) return true
    return false
  }

  /** Section 5.2: only a pass is a match, and a missing record is an error. */
  private async included(target: string): Promise<boolean> {
    const result = await this.check(target)
    if (result === 'none') throw new Stop('permerror', 'syntax')
    return result === 'pass'
  }

  private async exchanges(domain: string): Promise<string[]> {
    const found = this.records(await this.ask.mx(domain), true)
    if (found.length > maxHosts) throw new Stop('permerror', 'hosts')
    return found.map(({ exchange }) => exchange).filter(Boolean)
  }

  private async addresses(host: string, isCounted: boolean): Promise<string[]> {
    const answer = this.address.includes(':') ? await this.ask.aaaa(host) : await this.ask.a(host)
    return this.records(answer, isCounted).slice(0, maxAddresses)
  }

  private records<T>(answer: DnsAnswer<T>, isCounted: boolean): T[] {
    if (answer.status === 'found') return answer.records
    if (answer.status === 'failed') throw new Stop('temperror')
    if (isCounted && ++this.voids > maxVoids) throw new Stop('permerror', 'voids')
    return []
  }

  private count(): void {
    if (++this.lookups > maxLookups) throw new Stop('permerror', 'lookups')
  }
}

function isMacro(text: string): boolean {
  return text.includes('%')
}
