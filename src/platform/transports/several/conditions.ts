// Which mail a transport is for. Pure.
import { domainOf } from '../../../lib/address'
import { canonicalDomain } from '../../../lib/domain-name'
import type { MailKind, TransportEntry } from '../../../settings/transport-list'

/** A message, as far as conditions look at it. */
export interface MailFacts {
  id: string
  kind: MailKind
  /** Mail of the instance itself belongs to none. */
  projectId?: string
  from: string
  to: string
}

/** Returns whether a message meets every condition of the entry. */
export function matcherOf({ mail, projects, from, to }: TransportEntry): (facts: MailFacts) => boolean {
  const conditions = [
    mail && ((facts: MailFacts) => mail.includes(facts.kind)),
    projects && ((facts: MailFacts) => facts.projectId !== undefined && projects.includes(facts.projectId)),
    from && domainMatcher(from, facts => facts.from),
    to && domainMatcher(to, facts => facts.to),
  ].filter(condition => condition !== undefined)
  return facts => conditions.every(holds => holds(facts))
}

function domainMatcher(
  patterns: readonly string[],
  addressOf: (facts: MailFacts) => string,
): (facts: MailFacts) => boolean {
  const exact = new Set(patterns.filter(pattern => !pattern.startsWith('*.')))
  const endings = patterns.filter(pattern => pattern.startsWith('*.')).map(pattern => pattern.slice(1))
  return facts => {
    const domain = canonicalDomain(domainOf(addressOf(facts))) ?? ''
    return exact.has(domain) || endings.some(ending => domain.endsWith(ending))
  }
}
