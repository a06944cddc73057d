// The domain of a sender address, and which names can never be real.
import { domainToUnicode } from 'node:url'
import { canonicalDomain } from '../../../lib/domain-name'

/** The spellings under which an address of this (canonical) domain may have been stored. */
export function spellings(domain: string): string[] {
  return [...new Set([domain, domainToUnicode(domain)])]
}

/** The canonical domain of a sender address; undefined when the address does not have two parts or its domain is not valid. */
export function senderDomain(address: string): string | undefined {
  const [local, domain, ...rest] = address.trim().split('@')
  if (!local || domain === undefined || rest.length > 0) return undefined
  return canonicalDomain(domain)
}

const reservedTops = ['test', 'example', 'localhost']
const reservedNames = ['example.com', 'example.net', 'example.org']

/** Names that nobody can own (RFC 2606, RFC 6761); their sub-domains count for the reserved top-level ones only. */
export function isSandboxName(domain: string): boolean {
  return reservedNames.includes(domain) || reservedTops.includes(domain.slice(domain.lastIndexOf('.') + 1))
}

/** A sandbox domain verifies at once where mail stays on the machine, and only there. */
export function verifiesAtOnce(domain: string, stays: boolean): boolean {
  return stays && isSandboxName(domain)
}

/** The sandbox domain that a project of this name starts with. */
export function sandboxNameFor(projectName: string): string {
  const slug = projectName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  return `${slug || 'project'}.example`
}
