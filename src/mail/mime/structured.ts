// Header fields that have a syntax of their own: addresses, Message-IDs, lists of addresses of the web, List-Id. In them only phrases are
// words that may be encoded (RFC 2047, 5), and nothing inside of angle brackets. Pure.
import { isEmail, normaliseEmail } from '../../lib/address'
import { readMailbox } from '../../lib/mailbox'
import { splitList } from './address-headers'
import { addressListHeader, encodePhrase, foldHeader, textHeader } from './header-lines'

type Reader = (name: string, value: string) => string | undefined

const messageIds: Reader = (name, value) => {
  const ids = value.match(/<[^<>]*>|[^<>\s,]+/g) ?? []
  return ids.length > 0 && ids.every(id => /^<[!-;=?-~]{1,900}>$/.test(id))
    ? foldHeader(name, ids.join(' '))
    : undefined
}

/** Each may have a comment beside it (RFC 2369, 2). */
const links: Reader = (name, value) => {
  const items = value.match(/<[^<>]*>|\([^()<>]*\)|[^<>()\s,]+/g) ?? []
  const isNone = name.toLowerCase() === 'list-post' && /^NO\b/.test(value)
  const areLinks = items.every(
    item => /^<[a-z][a-z0-9+.-]{0,30}:[!-;=?-~]{1,900}>$/i.test(item) || /^\([ -~]{0,200}\)$/.test(item),
  )
  const hasLink = items.some(item => item.startsWith('<'))
  if (isNone) return foldHeader(name, 'NO')
  if (!areLinks || !hasLink) return undefined
  return foldHeader(
    name,
    items
      .map((item, at) => (at > 0 && item.startsWith('<') ? `, ${item}` : at > 0 ? ` ${item}` : item))
      .join(''),
  )
}

/** A phrase, and the name in angle brackets (RFC 2919). */
const listId: Reader = (name, value) => {
  const { email: id, name: phrase } = readMailbox(value.trim())
  if (!value.trim().endsWith('>') || !/^[\w!#$%&'*+/=?^`{|}~.-]{1,255}$/.test(id)) return undefined
  return foldHeader(name, `${phrase ? `${encodePhrase(phrase)} ` : ''}<${id}>`)
}

const addresses: Reader = (name, value) => {
  const mailboxes = splitList(value)
    .map(item => readMailbox(item))
    .filter(({ email }) => email !== '')
  const areSound = mailboxes.length > 0 && mailboxes.every(({ email }) => isEmail(normaliseEmail(email)))
  return areSound ? addressListHeader(name, mailboxes) : undefined
}

const readers: Readonly<Record<string, { read: Reader; form: string }>> = {
  ...named(
    ['in-reply-to', 'references', 'supersedes', 'original-message-id'],
    messageIds,
    'Message-IDs in angle brackets',
  ),
  ...named(
    [
      ...['list-unsubscribe', 'list-help', 'list-subscribe', 'list-post', 'list-owner', 'list-archive'],
      'archived-at',
    ],
    links,
    'links in angle brackets, in ASCII and with commas between them',
  ),
  ...named(['list-id'], listId, 'a name and an identifier in angle brackets'),
  ...named(
    [
      ...['from', 'to', 'cc', 'reply-to', 'sender', 'errors-to', 'disposition-notification-to'],
      ...['return-receipt-to', 'x-confirm-reading-to', 'mail-followup-to', 'mail-reply-to', 'author'],
      'original-from',
    ],
    addresses,
    'email addresses with commas between them',
  ),
}

function named(names: string[], read: Reader, form: string) {
  return Object.fromEntries(names.map(name => [name, { read, form }]))
}

/** Why a header can't have this value, to follow its name; undefined if it can. */
export function structureFault(name: string, value: string): string | undefined {
  const reader = readers[name.toLowerCase()]
  return !reader || reader.read(name, value) !== undefined ? undefined : `must be ${reader.form}`
}

/** `Name: value` with CRLF, by the syntax of the field; a value that has another one is taken as text. */
export function headerLine(name: string, value: string): string {
  return readers[name.toLowerCase()]?.read(name, value) ?? textHeader(name, value)
}
