// What an address says about itself, and what its domain's records say about it, put into the documented result with its reasons.
// Pure: the lists and the records are given.
import { domainToUnicode } from 'node:url'
import { getDomain } from 'tldts'
import { asciiAddress, domainOf } from '../../../lib/address'
import type { DomainFacts } from './facts'
import type { DomainLists } from './lists'
import { suggestDomain } from './typo'

type Traits = Record<'isDisposable' | 'isAlias' | 'isPlusAddressed' | 'isPersonalEmail', boolean>
export type Verification = ReturnType<typeof assessAddress>

/** The domain as it is looked up and compared: lower-case ASCII. */
export function asciiDomainOf(email: string): string {
  return domainOf(asciiAddress(email))
}

export function assessAddress(email: string, lists: DomainLists, facts: DomainFacts) {
  const domain = asciiDomainOf(email)
  const traits = traitsOf(email, domain, lists)
  const meant = suggestDomain(domain)
  const concerns = [...concernsOf(traits), ...(meant ? [`Possible typo: did you mean ${meant}?`] : [])]
  const faults = faultsOf(domain, facts)
  const reasons = [...concerns, ...(faults.length > 0 ? faults : doubtsOf(facts))]
  return {
    email,
    valid: faults.length === 0,
    ...traits,
    isTypo: meant !== undefined,
    domainExists: facts.exists !== false,
    hasWebsite: facts.website === true,
    hasMxRecords: facts.mail === 'accepted',
    ...(meant && { suggestedEmail: withDomain(email, meant) }),
    reasons: reasons.length > 0 ? reasons : ['The domain exists and accepts mail'],
  }
}

function traitsOf(email: string, domain: string, lists: DomainLists): Traits {
  const spellings = lineage(domain).flatMap(each => [...new Set([each, domainToUnicode(each)])])
  return {
    isDisposable: spellings.some(lists.isDisposable),
    isAlias: spellings.some(lists.isForwarding),
    isPlusAddressed: email.slice(0, email.lastIndexOf('@')).includes('+'),
    isPersonalEmail: spellings.some(lists.isPersonal),
  }
}

/**
 * The domain and its parents up to the one that somebody registered: many services hand out subdomains. Names below which anybody may
 * register (`uk.com`) count as top-level domains, so that one customer is not taken for another.
 */
function lineage(domain: string): string[] {
  const top = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const chain = [domain]
  for (let name = domain; name !== top && name.endsWith(`.${top}`); ) {
    name = name.slice(name.indexOf('.') + 1)
    chain.push(name)
  }
  return chain
}

function concernsOf(traits: Traits): string[] {
  const concerns: string[] = []
  if (traits.isDisposable) concerns.push('The domain hands out disposable addresses')
  if (traits.isAlias) concerns.push('The domain belongs to a forwarding or alias service')
  if (traits.isPlusAddressed) concerns.push('The address uses plus addressing')
  return concerns
}

/** What makes an address invalid; only what the DNS answered for certain. */
function faultsOf(domain: string, facts: DomainFacts): string[] {
  if (facts.exists === false) return [`The domain ${domain} does not exist`]
  if (facts.mail === 'refused') return [`The domain ${domain} declares that it accepts no mail (null MX)`]
  if (facts.mail === 'none') return [`The domain ${domain} has no MX records`]
  return []
}

/** What is unknown because no name server answered; this never counts against the address. */
function doubtsOf(facts: DomainFacts): string[] {
  if (facts.exists === undefined)
    return ['The domain could not be checked: no name server answered. Try again later']
  if (facts.mail === undefined)
    return ['The MX records could not be checked: no name server answered. Try again later']
  return []
}

function withDomain(email: string, domain: string): string {
  return `${email.slice(0, email.lastIndexOf('@'))}@${domain}`
}
