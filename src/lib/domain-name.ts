// The one spelling of a domain that mail could come from.
import { domainToASCII } from 'node:url'

const minLength = 3
const maxLength = 253
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The one spelling of a domain: trimmed, lower case, without a trailing dot, international labels as punycode. Undefined when
 * it is not a domain that mail could come from.
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
