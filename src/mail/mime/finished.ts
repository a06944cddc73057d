// A message that came finished, as it leaves: its parts as they are, and a header on top that lacks nothing. Pure.
import { withBefore } from '../../lib/headroom'
import { type Field, fieldOf, headerValue, readFields, writeFields } from './fields'
import { foldHeader } from './header-lines'
import { exchangeParts, type Part, partsOf, partText } from './parts'
import { headerLine } from './structured'

export interface LeavingMessage {
  /** Without brackets. */
  messageId: string
  /** Those that it does not have yet. */
  headers: Readonly<Record<string, string>>
  /** What its HTML becomes; left out, it stays as it is. */
  html?: (html: string) => string
}

const utf8 = 'utf-8'

/** Of a large message the bytes are in the memory of `raw`, which is lost with that. */
export function leavingBytes(raw: Buffer, { messageId, headers, html }: LeavingMessage): Buffer {
  const own = html ? withHtml(raw, html) : raw
  const end = own.indexOf('\r\n\r\n') + 2
  const fields = readFields(own.toString('latin1', 0, end))
  const hasId = headerValue(fields, 'message-id') === `<${messageId}>`
  const kept = hasId ? fields : fields.filter(({ name }) => name !== 'message-id')
  const names = new Set(kept.map(({ name }) => name))
  const added = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()))
  const lines: Field[] = [
    ...kept,
    ...(hasId ? [] : [fieldOf(foldHeader('Message-ID', `<${messageId}>`))]),
    ...added.map(([name, value]) => fieldOf(headerLine(name, value))),
  ]
  const [head, body] = [writeFields(lines), own.subarray(end)]
  return withBefore(head, body) ?? Buffer.concat([Buffer.from(head, 'latin1'), body])
}

/** The names of the headers that it has, in lower case. */
export function namesIn(raw: Buffer): Set<string> {
  return new Set(readFields(raw.toString('latin1', 0, raw.indexOf('\r\n\r\n') + 2)).map(({ name }) => name))
}

/** The part that people see as HTML. */
export function htmlPart(parts: readonly Part[]): Part | undefined {
  return parts.find(({ type, isFile }) => type === 'text/html' && !isFile)
}

function withHtml(raw: Buffer, change: (html: string) => string): Buffer {
  const part = htmlPart(partsOf(raw))
  if (!part || part.isSealed) return raw
  const bytes = Buffer.from(change(partText(raw, part)), 'utf8')
  return exchangeParts(raw, [{ part, bytes, charset: utf8 }])
}
