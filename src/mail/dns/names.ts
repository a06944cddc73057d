// Which texts may be asked of a name server, and how they are spelt on the wire.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

const maxLabel = 63
/** 255 octets on the wire leave 253 characters of text (RFC 1035, section 3.1). */
const maxName = 253

/**
 * The name as it is asked: lower-case ASCII without a trailing dot, international labels as punycode. Undefined when no
 * such name can exist (too long, empty labels, characters outside printable ASCII).
 */
export function toQueryName(name: string): string | undefined {
  const bare = name.replace(/\.$/, '')
  if (bare.length > maxName) return undefined
  // The URL rules behind domainToASCII are for hosts; a plain ASCII name such as _dmarc.example needs none of them.
  const ascii = /^[\x21-\x7e]+$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare)
  if (ascii.length === 0 || ascii.length > maxName) return undefined
  return ascii.split('.').every(label => label.length > 0 && label.length <= maxLabel) ? ascii : undefined
}

/** An address becomes its name in the reverse tree; a name stays what it is. */
export function toReverseName(addressOrName: string): string {
  const version = isIP(addressOrName)
  if (version === 4) return `${addressOrName.split('.').reverse().join('.')}.in-addr.arpa`
  if (version === 6) return `${nibbles(addressOrName).reverse().join('.')}.ip6.arpa`
  return addressOrName
}

function nibbles(address: string): string[] {
  const host = new URL(`http://[${address.replace(/%[\s\S]*/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = host.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].flatMap(group => [...group.padStart(4, '0')])
}
