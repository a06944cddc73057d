// Header fields as lines (RFC 5322, 2047, 2231): encoded words for what is not ASCII, quoting of names, folding. Whatever comes in,
// no value can start a new header.
import { asciiAddress } from '../../lib/address'
import type { Mailbox } from './mail'

const maxLine = 76
/** An unbroken word longer than this can't be folded within the hard limit of 998. */
const maxWord = 900
/** Bytes of text in one encoded word: 39 are 52 characters of Base64, so that the word fits into 76 beside a short header's name. */
const wordBytes = 39
const wordLength = 52

/** `Name: value` with CRLF; the value is taken as unstructured text. */
export function textHeader(name: string, value: string): string {
  return fold(name, encodeUnstructured(value))
}

/** The subject as it was written: an encoded word keeps tabs and outer blanks, which a header's line would lose on its way. */
export function subjectHeader(subject: string): string {
  const kept = subject.replace(/[\p{Cc}\u2028\u2029]+/gu, controls =>
    /^\t+$/.test(controls) ? controls : ' ',
  )
  const isOdd = kept.trim() !== '' && (kept !== kept.trim() || kept.includes('\t'))
  return isOdd ? fold('Subject', encodedWords(kept)) : textHeader('Subject', subject)
}

/** `Name: value`, folded at blanks, for a value that is ASCII already. */
export function foldHeader(name: string, value: string): string {
  return fold(name, withoutControls(value))
}

function fold(name: string, clean: string): string {
  if (name.length + 2 + clean.length <= maxLine) return `${name}: ${clean}\r\n`
  const [first = '', ...words] = clean.split(/(?<=[^ ])(?= )/)
  // A line with an encoded word has 76 characters at most (RFC 2047, 2), however long the name is.
  const isTooLong = first.startsWith('=?') && name.length + 2 + first.length > maxLine
  const lines = isTooLong ? [`${name}:`, ` ${first}`] : [`${name}: ${first}`]
  for (const word of words) {
    const line = lines.at(-1)!
    // A line of blanks only would end the header for some readers.
    if (line.length + word.length <= maxLine || word.trim() === '') lines[lines.length - 1] = line + word
    else lines.push(word)
  }
  return `${lines.join('\r\n')}\r\n`
}

/** `From: "Name" <address>`. */
export function addressHeader(header: string, address: string, name?: string | null): string {
  return foldHeader(header, namedAddress(address, name))
}

/** The same with several, between commas. */
export function addressListHeader(header: string, mailboxes: readonly Mailbox[]): string {
  return foldHeader(header, mailboxes.map(({ email, name }) => namedAddress(email, name)).join(', '))
}

function namedAddress(address: string, name?: string | null): string {
  const spec = asciiAddress(address).replace(/[\s<>\p{Cc}]/gu, '')
  const phrase = name ? encodePhrase(withoutControls(name).trim()) : ''
  return phrase === '' ? spec : `${phrase} <${spec}>`
}

/** Line breaks and other control characters could forge headers; a tab becomes a blank. */
function withoutControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

function encodeUnstructured(value: string): string {
  const clean = withoutControls(value)
  const needsWords =
    !isAscii(clean) || clean.includes('=?') || clean.split(' ').some(word => word.length > maxWord)
  return needsWords ? encodedWords(clean) : clean
}

/** A name as a phrase: atoms, quoted, or encoded words. */
export function encodePhrase(name: string): string {
  if (!isAscii(name) || name.includes('=?') || name.length > maxWord) return encodedWords(name)
  return /^[\w!#$%&'*+/=?^`{|}~ -]*$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** The whole text as encoded words of one line each; blanks between two of them are not part of the text. */
function encodedWords(text: string): string {
  const chunks: string[] = []
  let chunk = ''
  let size = 0
  for (const char of text) {
    const bytes = Buffer.byteLength(char)
    if (size + bytes > wordBytes) {
      chunks.push(chunk)
      chunk = ''
      size = 0
    }
    chunk += char
    size += bytes
  }
  return [...chunks, chunk].map(encodedWord).join(' ')
}

function encodedWord(text: string): string {
  const q = qEncoded(text)
  if (q.length <= wordLength) return `=?UTF-8?Q?${q}?=`
  return `=?UTF-8?B?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** Only characters that are safe in a phrase too stay as they are. */
function qEncoded(text: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const char = String.fromCharCode(byte)
    if (/[A-Za-z0-9!*+/-]/.test(char)) encoded += char
    else encoded += byte === 32 ? '_' : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** `; name="value"`, each on a line of its own; beyond ASCII in the form of RFC 2231, in numbered pieces where it is long. */
export function parameter(name: string, value: string): string {
  const clean = withoutControls(value)
  if (isAscii(clean) && !clean.includes('=?')) return `;\r\n ${name}="${clean.replace(/["\\]/g, '\\$&')}"`
  const pieces = percentPieces(clean, 50)
  if (pieces.length === 1) return `;\r\n ${name}*=utf-8''${pieces[0]}`
  return pieces
    .map((piece, index) => `;\r\n ${name}*${index}*=${index === 0 ? "utf-8''" : ''}${piece}`)
    .join('')
}

/** Percent-encoded text in pieces of about `size` characters, never cut inside a character. */
function percentPieces(text: string, size: number): string[] {
  const pieces = ['']
  for (const char of text.toWellFormed()) {
    const encoded = encodeURIComponent(char).replace(
      /['()*!]/g,
      mark => `%${mark.charCodeAt(0).toString(16)}`,
    )
    if (pieces.at(-1)!.length + encoded.length > size) pieces.push('')
    pieces[pieces.length - 1] += encoded
  }
  return pieces
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 126) return false
  return true
}
