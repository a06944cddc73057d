// How the name of a sender domain is written, and which names can never be real.
import { domainToASCII, domainToUnicode } from 'node:url'

const minLength = 3
const maxLength = 253
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one spelling of a domain: trimmed, lower case, without a trailing dot, international labels as punycode. Undefined when
 * it is no domain that mail could come from.
 */
export function canonicalDomain(text: string): string | undefined {
  if (text.length > 2 * maxLength) return undefined
  const bare = text.trim().toLowerCase().replace(/\.$/, '')
  // The conversion is for hosts of URLs and cuts or decodes what a domain never holds; so that is refused before.
  const ascii = /^[a-z0-9.-]*$/.test(bare)
    ? bare
    : /^[\p{L}\p{M}\p{N}.\-\u3002]+$/u.test(bare)
      ? domainToASCII(bare)
      : ''
  if (ascii.length < minLength || ascii.length > maxLength) return undefined
  const labels = ascii.split('.')
  const last = labels.at(-1)!
  const wellFormed = labels.length > 1 && labels.every(label => labelPattern.test(label))
  return wellFormed && last.length > 1 && !/^\d+$/.test(last) ? ascii : undefined
}

/** The spellings under which an address of this (canonical) domain may have been stored. */
export function spellings(domain: string): string[] {
  return [...new Set([domain, domainToUnicode(domain)])]
}

/** The canonical domain of a sender address; undefined when the address has no two parts or its domain is none. */
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

/** A sandbox domain verifies at once where mail never leaves the machine, and only there. */
export function verifiesAtOnce(domain: string, mailTransport: string): boolean {
  return mailTransport === 'outbox' && isSandboxName(domain)
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
