// Which operator receives the mail of a domain, by its MX records. Nobody waits for the DNS: a domain that was not looked up yet stands
// for itself, and its next messages find the answer.
import { type Clock, hour, minute } from '../../lib/time'
import type { MxRecord, Resolver } from '../../mail/dns/resolver'
import { operatorOf } from '../../mail/receivers'

export interface ReceiverGroups {
  /** Undefined while nothing is known, and for a domain that receives for itself under no name of its own. */
  groupOf(domain: string): string | undefined
}

interface Known {
  group: string | undefined
  until: number
}

const foundMs = 6 * hour
const failedMs = 5 * minute
const maxDomains = 20_000
/** What does not fit is asked for by the next message to the domain. */
const maxQuestions = 20

export function makeReceiverGroups(clock: Clock, dns: Pick<Resolver, 'mx'>): ReceiverGroups {
  const known = new Map<string, Known>()
  const questions = new Set<string>()

  function keep(domain: string, group: string | undefined, forMs: number): void {
    // The oldest goes first, so what is used stays: it is written anew whenever it expires.
    known.delete(domain)
    if (known.size >= maxDomains) known.delete(known.keys().next().value!)
    known.set(domain, { group, until: clock.now().getTime() + forMs })
  }

  /** Never rejects. */
  async function ask(domain: string): Promise<void> {
    questions.add(domain)
    const records = await mxOf(dns, domain)
    questions.delete(domain)
    if (!records) return keep(domain, known.get(domain)?.group, failedMs)
    const [first] = records.toSorted((one, other) => one.priority - other.priority)
    keep(domain, first && operatorOf(first.exchange), foundMs)
  }

  return {
    groupOf(domain) {
      const entry = known.get(domain)
      const isFresh = entry !== undefined && entry.until > clock.now().getTime()
      if (!isFresh && !questions.has(domain) && questions.size < maxQuestions) void ask(domain)
      return entry?.group
    },
  }
}

/** Undefined: nobody answered. */
async function mxOf(dns: Pick<Resolver, 'mx'>, domain: string): Promise<MxRecord[] | undefined> {
  try {
    const answer = await dns.mx(domain)
    if (answer.status === 'failed') return undefined
    return answer.status === 'found' ? answer.records : []
  } catch {
    return undefined
  }
}
