// Mail of the usual shape, as programs write it: text, HTML, or both as alternatives, in UTF-8 or ASCII. Reading it takes a quarter of what
// a reader of all MIME takes. Whatever is not plainly of that shape is left to that reader, and what is read here reads the same there.
import { isAscii } from 'node:buffer'
import type { Address, Email } from 'postal-mime'

/** The two functions of postal-mime that read what is inside headers. */
export type HeaderReaders = Pick<typeof import('postal-mime'), 'addressParser' | 'decodeWords'>

/** Of postal-mime's result, what a message in itself consists of. */
export type UsualMail = Pick<
  Email,
  'headers' | 'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'messageId' | 'html' | 'text' | 'attachments'
>

/** What is larger mostly has files, and is worth no look in vain. */
const maxLength = 500_000

/** Undefined for everything else. */
export function readUsualMail(raw: Buffer, readers: HeaderReaders): UsualMail | undefined {
  if (raw.length > maxLength) return undefined
  // One character for each byte.
  const text = raw.toString('latin1')
  const root = text.endsWith('\r\n') && !strayLineEnd.test(text) ? readPart(text) : undefined
  const bodies = root && bodiesOf(root, isAscii(raw))
  return bodies && { ...read(root.headers, readers), ...bodies, headers: root.headers, attachments: [] }
}

const strayLineEnd = /\r(?!\n)|(?<!\r)\n/
const maxHeaderLength = 16_000

interface Part {
  headers: UsualMail['headers']
  type: string
  boundary: string | undefined
  isUtf8: boolean
  isQuoted: boolean
  /** From the blank line on. */
  rest: string
}

function readPart(text: string): Part | undefined {
  const end = text.indexOf('\r\n\r\n')
  const headers = end > 0 && end < maxHeaderLength ? headersOf(text.slice(0, end)) : undefined
  if (!headers) return undefined
  const type = contentType.exec(firstOf(headers, 'content-type') ?? '')
  const encoding = (firstOf(headers, 'content-transfer-encoding') ?? '8bit').toLowerCase()
  if (!type || !encodings.has(encoding) || firstOf(headers, 'content-disposition') !== undefined)
    return undefined
  const [, name = '', written = ''] = type
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, token] of written.matchAll(parameter)) {
    if (parameters.has(key.toLowerCase())) return undefined
    parameters.set(key.toLowerCase(), quoted ?? token ?? '')
  }
  const charset = parameters.get('charset')?.toLowerCase()
  if (parameters.has('format') || (charset !== undefined && !charsets.has(charset))) return undefined
  return {
    headers,
    type: name.toLowerCase(),
    boundary: parameters.get('boundary'),
    isUtf8: charset === 'utf-8',
    isQuoted: encoding === 'quoted-printable',
    rest: text.slice(end + 2),
  }
}

/** Parameters without white space, comments and escapes. */
const contentType =
  /^(text\/plain|text\/html|multipart\/alternative)((?:[ \t]*;[ \t]*[\w-]+=(?:"[^\s"()\\]+"|[^\s"();\\]+))*)$/i
const parameter = /;[ \t]*([\w-]+)=(?:"([^"]+)"|([^\s;]+))/g
const encodings: ReadonlySet<string> = new Set(['7bit', '8bit', 'quoted-printable'])
const charsets: ReadonlySet<string> = new Set(['utf-8', 'us-ascii', 'iso-8859-1'])

/** Printable ASCII, each with a name. */
function headersOf(block: string): Part['headers'] | undefined {
  if (/[^\t\r\n -~]/.test(block)) return undefined
  const headers: Part['headers'] = []
  for (const line of block.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':')
    const originalKey = line.slice(0, Math.max(colon, 0))
    if (!/^[!-9;-~]+$/.test(originalKey)) return undefined
    headers.push({ key: originalKey.toLowerCase(), originalKey, value: line.slice(colon + 1).trim() })
  }
  return headers
}

/** Of a header that is there twice, the first counts. */
function firstOf(headers: Part['headers'], name: string): string | undefined {
  return headers.find(({ key }) => key === name)?.value
}

function bodiesOf(root: Part, isAscii: boolean): Pick<UsualMail, 'html' | 'text'> | undefined {
  if (!root.type.startsWith('multipart/')) return bodyOf(root, isAscii, root.rest.slice(2))
  if (root.boundary === undefined) return undefined
  const [, ...pieces] = root.rest.split(`\r\n--${root.boundary}`, 4)
  if (!pieces.pop()?.startsWith('--\r\n')) return undefined
  const bodies: Pick<UsualMail, 'html' | 'text'> = {}
  const seen = new Set<string>()
  for (const piece of pieces) {
    const part = piece.startsWith('\r\n') ? readPart(piece.slice(2)) : undefined
    const body = part && bodyOf(part, isAscii, `${part.rest.slice(2)}\r\n`)
    if (!body || seen.has(part.type)) return undefined
    seen.add(part.type)
    Object.assign(bodies, body)
  }
  return bodies
}

function bodyOf({ type, isUtf8, isQuoted }: Part, isAscii: boolean, lines: string) {
  if (type.startsWith('multipart/') || (isQuoted && /=(?![0-9A-F]{2}|\r\n)/.test(lines))) return undefined
  const bytes = isQuoted ? unquoted(lines) : lines.replaceAll('\r\n', '\n')
  const needsDecoding = (isQuoted || !isAscii) && /[\x80-\xff]/.test(bytes)
  if (needsDecoding && !isUtf8) return undefined
  const body = needsDecoding ? utf8.decode(Buffer.from(bytes, 'latin1')) : bytes
  if (body === '') return {}
  return type === 'text/html' ? { html: body } : { text: body }
}

const utf8 = new TextDecoder()

/** Quoted-printable (RFC 2045, 6.7). */
function unquoted(lines: string): string {
  return lines
    .replaceAll('=\r\n', '')
    .replaceAll('\r\n', '\n')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Lists of addresses that are there twice are one list. */
function read(headers: Part['headers'], { addressParser, decodeWords }: HeaderReaders) {
  const wordsOf = (name: string): string => {
    const value = firstOf(headers, name) ?? ''
    return value.includes('=?') ? decodeWords(value) : value
  }
  const addressesIn = (value: string): Address[] =>
    bareAddress.test(value) ? [{ address: value, name: '' }] : addressParser(value)
  const listOf = (name: string): Address[] =>
    headers.flatMap(({ key, value }) => (key === name ? addressesIn(value) : []))
  const [from] = addressesIn(firstOf(headers, 'from') ?? '')
  return {
    ...(from ? { from } : {}),
    to: listOf('to'),
    cc: listOf('cc'),
    replyTo: listOf('reply-to'),
    subject: wordsOf('subject'),
    messageId: wordsOf('message-id'),
  }
}

const bareAddress = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/
