// E-mail addresses as the API takes them: a sane subset of RFC 5321 (no quoted local parts, no address literals), one spelling for
// comparison and storage, and the ASCII spelling for headers and envelopes. Nothing here asks the network.
import { asciiDomain, isAscii, isDomain, unicodeDomain, withoutInvisible } from './domain-name'
import { holdsSeveral, readMailbox } from './mailbox'

const maxAddressLength = 254
const maxLocalLength = 64
/** Beyond this, a text is no address with a name either, and is not worth reading. */
const maxTextLength = 2000

/** RFC 5322 dot-atom: the characters of an unquoted local part, no dot at either end and none doubled. */
const localPattern = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i

/**
 * Whether `text` is an address that mail can be sent to, as it stands. International domains are fine; a non-ASCII local part is not,
 * since it needs SMTPUTF8 on every hop and would bounce at most of them.
 */
export function isEmail(text: string): boolean {
  if (text.length > maxAddressLength) return false
  const at = text.lastIndexOf('@')
  if (at < 1) return false
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (local.length > maxLocalLength || !localPattern.test(local) || !isDomain(domain)) return false
  return isAscii(domain) || hasOneSpelling(domain, local.length)
}

/** Whether nothing is in it that `normaliseEmail` would take out, and it is short enough as servers get it. */
function hasOneSpelling(domain: string, localLength: number): boolean {
  const ascii = asciiDomain(domain)!
  const stray = withoutInvisible(domain).length !== domain.length
  return localLength + 1 + ascii.length <= maxAddressLength && (!stray || unicodeDomain(ascii) === domain)
}

/**
 * The one spelling under which an address is compared, stored and sent: without the name beside it, without space around it and
 * characters that nobody sees, the local part in lower case and composed, the domain by UTS 46 and in Unicode. Applied to its own result it
 * changes nothing. What is no address stays none.
 */
export function normaliseEmail(text: string): string {
  if (text.length > maxTextLength) return text.trim()
  const given = readMailbox(text).email
  const at = given.lastIndexOf('@')
  const local = withoutInvisible(given.slice(0, Math.max(at, 0)))
    .normalize('NFC')
    .toLowerCase()
  const domain = given.slice(at + 1)
  const ascii = asciiDomain(domain)
  const spelled = ascii === undefined ? domain : unicodeDomain(ascii)
  return at === -1 ? withoutInvisible(given).trim().toLowerCase() : `${local}@${spelled}`
}

/** Why mail can't be sent to what `text` says, to follow the name of its field; undefined if it can. */
export function addressFault(text: string): string | undefined {
  const email = normaliseEmail(text)
  if (isEmail(email)) return undefined
  if (holdsSeveral(text))
    return 'must be one email address, and this text holds several: in a field that takes several, send an array with one item for each'
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  if (local.startsWith('"')) return 'must be an email address without quotes before the @'
  const strange = /[^\p{ASCII}]/u.exec(local)?.[0]
  if (strange !== undefined && isDomain(email.slice(at + 1)))
    return `must be an email address with plain letters before the @: many mail servers refuse "${strange}" there`
  if (localPattern.test(local) && !isAscii(email) && !isDomain(email.slice(at + 1)))
    return 'must be an email address, and its domain has letters or signs that no domain can have'
  return plainFault
}

const plainFault = 'must be an email address'

/** The same as a sentence about a row of a file; undefined if mail can be sent to it. */
export function whyNoAddress(text: string): string | undefined {
  const fault = addressFault(text)
  return fault === plainFault ? 'The address is not valid' : fault && `The address ${fault}`
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

/** What is searched for in addresses, spelled as they are: a whole address, a domain behind its `@`, or any other part as far as it has a spelling. */
export function partOfAddress(text: string): string {
  const email = normaliseEmail(text)
  if (isEmail(email) || (email.startsWith('@') && isDomain(email.slice(1)))) return email
  return withoutInvisible(text).trim().normalize('NFC').toLowerCase()
}
