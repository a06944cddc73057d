// E-mail addresses as the API takes them: a sane subset of RFC 5321 (no quoted local parts, no address literals), one spelling for
// storage, and the ASCII spelling for headers and envelopes. Nothing here asks the network.
import { domainToASCII } from 'node:url'

const maxAddressLength = 254
const maxLocalLength = 64
const maxDomainLength = 253

/** RFC 5322 dot-atom: the characters of an unquoted local part, no dot at either end and none doubled. */
const localPattern = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/**
 * Whether `text` is an address that mail can be sent to. International domains are fine; a non-ASCII local part is not, since
 * it needs SMTPUTF8 on every hop and would bounce at most of them.
 */
export function isEmail(text: string): boolean {
  if (text.length > maxAddressLength) return false
  const at = text.lastIndexOf('@')
  if (at < 1) return false
  const local = text.slice(0, at)
  return local.length <= maxLocalLength && localPattern.test(local) && isDomain(text.slice(at + 1))
}

/** Whether `text` is a dotted host name of at least two labels whose last one is not a number; Unicode labels are allowed. */
export function isDomain(text: string): boolean {
  const ascii = asciiDomain(text)
  if (ascii === undefined || ascii.length > maxDomainLength) return false
  const labels = ascii.split('.')
  return labels.length > 1 && labels.every(label => labelPattern.test(label)) && !/^\d+$/.test(labels.at(-1)!)
}

/** The one spelling under which an address is stored and compared. */
export function normaliseEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** A name followed by the address in angle brackets, or an address alone. For anything else, what it returns is not a valid address either. */
export function readMailbox(text: string): { email: string; name: string | null } {
  const whole = text.trim()
  const open = whole.lastIndexOf('<')
  if (open === -1 || !whole.endsWith('>')) return { email: whole, name: null }
  const name = unquoted(whole.slice(0, open).trim())
  return { email: whole.slice(open + 1, -1).trim(), name: name === '' ? null : name }
}

/** A quoted phrase as its text (RFC 5322, 3.2.4). */
function unquoted(phrase: string): string {
  const isQuoted = phrase.length > 1 && phrase.startsWith('"') && phrase.endsWith('"')
  return isQuoted ? phrase.slice(1, -1).replace(/\\(.)/g, '$1').trim() : phrase
}

/** What follows the last `@`, in lower case; empty if there is none. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@')
  return at === -1 ? '' : address.slice(at + 1).toLowerCase()
}

/** The address with its domain in Punycode, as headers and SMTP need it; unchanged where the domain has no such form. */
export function asciiAddress(address: string): string {
  if (isAscii(address)) return address
  const at = address.lastIndexOf('@')
  const domain = asciiDomain(address.slice(at + 1))
  return at === -1 || domain === undefined ? address : `${address.slice(0, at)}@${domain}`
}

/** Characters that a domain never holds, but that the conversion would decode or cut off instead of refusing. */
const forbiddenInDomain = /[\s\p{Cc}%/\\?#@:[\]<>^|"'`(),;]/u

function asciiDomain(domain: string): string | undefined {
  if (isAscii(domain)) return domain
  if (domain.length > maxDomainLength || forbiddenInDomain.test(domain)) return undefined
  return domainToASCII(domain) || undefined
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}
