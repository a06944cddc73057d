// Verifies addresses without sending anything: syntax, word lists, and the domain's records. Keeps nothing but a short-lived memory of
// domains that were looked up.
import { addressFault, normaliseEmail } from '../../../lib/address'
import { invalid } from '../../../lib/errors'
import { type Clock, minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { type DomainFacts, isCertain, lookUpDomain } from './facts'
import { makeDomainLists } from './lists'
import { asciiDomainOf, assessAddress, type Verification } from './rules'

export interface Verifier {
  /** Refuses text that is not an address; everything else has a result, even while no name server answers. */
  verify(email: string): Promise<Verification>
}

/** For all DNS queries about one address. */
const limitMs = 5 * second

/** A domain costs some 200 bytes, so a full memory some 2 MB. */
const maxDomains = 10_000

export function makeVerifier(ctx: Context): Verifier {
  const lists = makeDomainLists()
  const domains = makeMemory<DomainFacts>({
    clock: ctx.clock,
    keepMs: 5 * minute,
    maxEntries: maxDomains,
    keeps: isCertain,
  })
  return {
    async verify(given) {
      const message = addressFault(given)
      if (message !== undefined) throw invalid([{ field: 'email', message, code: 'invalid_string' }])
      const email = normaliseEmail(given)
      const domain = asciiDomainOf(email)
      const [known, facts] = await Promise.all([
        lists(),
        domains.get(domain, () => lookUpDomain(ctx.dns, domain, limitMs)),
      ])
      return assessAddress(email, known, facts)
    },
  }
}

export interface MemoryCacheOptions<T> {
  clock: Clock
  keepMs: number
  maxEntries: number
  /** Which answers are worth keeping. */
  keeps(value: T): boolean
}

export interface Memory<T> {
  /** The kept answer to `key`, or the result of `ask`. A rejection reaches everybody who waits for it and is not kept. */
  get(key: string, ask: () => Promise<T>): Promise<T>
}

export function makeMemory<T>(options: MemoryCacheOptions<T>): Memory<T> {
  const kept = new Map<string, { value: T; until: number }>()
  const pending = new Map<string, Promise<T>>()
  const now = (): number => options.clock.now().getTime()

  const keep = (key: string, value: T): void => {
    if (!options.keeps(value)) return
    // A Map iterates in the order of insertion, and all answers live equally long: the first is the oldest.
    kept.delete(key)
    kept.set(key, { value, until: now() + options.keepMs })
    if (kept.size > options.maxEntries) kept.delete(kept.keys().next().value!)
  }

  const ask = async (key: string, question: () => Promise<T>): Promise<T> => {
    try {
      const value = await question()
      keep(key, value)
      return value
    } finally {
      pending.delete(key)
    }
  }

  return {
    async get(key, question) {
      const known = kept.get(key)
      if (known && now() < known.until) return known.value
      const running = pending.get(key) ?? ask(key, question)
      pending.set(key, running)
      return await running
    },
  }
}
