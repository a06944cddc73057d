// The one spelling of a domain. Names are mapped by UTS 46 without its transitional rules, so that every way of writing one that DNS takes
// for the same gives the same text: ASCII where DNS and servers are asked, Unicode where people read it.
import { domainToASCII, domainToUnicode } from 'node:url'

const minLength = 3
const maxLength = 253
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What nobody sees: zero-width characters, soft hyphens, marks of direction. They come along when text is copied. */
const invisible = /\p{Default_Ignorable_Code_Point}+/gu
/** Zero-width joiners, which the names of some scripts are written with, and the others. */
const joiners = /[\u200c\u200d]+/g
const invisibleButJoiners = /[^\P{Default_Ignorable_Code_Point}\u200c\u200d]+/gu

/** The text without characters that nobody sees. */
export function withoutInvisible(text: string): string {
  return isAscii(text) ? text : text.replace(invisible, '')
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}

/**
 * The one spelling of a domain for DNS and servers: trimmed, lower case, without a trailing dot, international labels as punycode.
 * Undefined when it is not a domain that mail could come from.
 */
export function canonicalDomain(text: string): string | undefined {
  if (text.length > 2 * maxLength) return undefined
  const ascii = asciiDomain(text.trim())?.replace(/\.$/, '')
  return ascii !== undefined && ascii.length >= minLength && isHostName(ascii) && ascii.at(-2) !== '.'
    ? ascii
    : undefined
}

/** Whether `text` is a dotted host name of at least two labels whose last one is not a number; Unicode labels are allowed. */
export function isDomain(text: string): boolean {
  const ascii = asciiDomain(text)
  return ascii !== undefined && isHostName(ascii)
}

function isHostName(ascii: string): boolean {
  if (ascii.length > maxLength) return false
  const labels = ascii.split('.')
  return labels.length > 1 && labels.every(label => labelPattern.test(label)) && !/^\d+$/.test(labels.at(-1)!)
}

/** What a domain never holds, but the conversion, which is for hosts of URLs, would decode or cut off instead of refusing. */
const forbidden = /[\s\p{Cc}%/\\?#@:[\]<>^|"'`(),;]/u

/** The name as DNS has it. Undefined where it has no such form; what it returns is not yet a host name. */
export function asciiDomain(text: string): string | undefined {
  if (isAscii(text) && !/xn--/i.test(text)) return text.toLowerCase()
  if (text.length > 2 * maxLength) return undefined
  const seen = text.replace(invisibleButJoiners, '')
  if (forbidden.test(seen)) return undefined
  // A joiner stays where the name of a script needs it; anywhere else it was copied along with the text.
  return domainToASCII(seen) || domainToASCII(seen.replace(joiners, '')) || undefined
}

/** The name as people read it, of what `asciiDomain` returned. */
export function unicodeDomain(ascii: string): string {
  return ascii.includes('xn--') ? domainToUnicode(ascii) || ascii : ascii
}
