// Verifies addresses without sending anything: syntax, word lists, and the domain's records. Keeps nothing but a short-lived memory of
// domains that were looked up.
import { addressFault, normaliseEmail } from '../../lib/address'
import { invalid } from '../../lib/errors'
import { minute, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import { type DomainFacts, isCertain, lookUpDomain } from './facts'
import { makeDomainLists } from './lists'
import { makeMemory } from './memory'
import type { Verification } from './routes'
import { asciiDomainOf, assessAddress } from './rules'

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
