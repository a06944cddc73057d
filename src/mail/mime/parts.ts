// Where the parts of a finished message are, so that one of them can be read, or exchanged, without touching the others. Only what a header
// calls a multipart is looked into: attached messages are files. Pure.
import { headerValue, parameterOf, readFields } from './fields'
import { quotedPrintable, wrapBase64 } from './transfer'

export interface Part {
  /** Of its media type, in lower case. */
  type: string
  charset: string
  encoding: string
  isFile: boolean
  /** Inside of what is signed or encrypted: not one byte of it may change. */
  isSealed: boolean
  /** Where its header begins, where its body does, and where that ends. */
  start: number
  body: number
  end: number
}

/** Why a message can't be taken, as a sentence that goes on. */
export class MessageFault extends Error {
  override name = 'MessageFault'
}

const maxParts = 1_000
const maxDepth = 30
const maxHeadLength = 64_000
const lf = 10

/** The parts that hold no others, in their order. Throws MessageFault where there are too many. */
export function partsOf(raw: Buffer): Part[] {
  const parts: Part[] = []
  const collect = (start: number, end: number, isSealed: boolean, depth: number): void => {
    const { type, boundary, ...part } = readPart(raw, start, end)
    if (boundary !== undefined && depth < maxDepth) {
      const seals = isSealed || type === 'multipart/signed' || type === 'multipart/encrypted'
      for (const [from, to] of between(raw.subarray(0, end), part.body, boundary))
        collect(from, to, seals, depth + 1)
    } else if (parts.push({ ...part, type, isSealed, start, end }) > maxParts)
      throw new MessageFault(`it has more than ${maxParts} parts`)
  }
  collect(0, raw.length, false, 0)
  return parts
}

function readPart(raw: Buffer, start: number, end: number) {
  const view = raw.subarray(start, end)
  const hasHead = !(view[0] === 13 && view[1] === lf)
  const blank = hasHead ? view.indexOf('\r\n\r\n') : -2
  const head = hasHead
    ? view.toString('latin1', 0, Math.min(blank === -1 ? view.length : blank, maxHeadLength))
    : ''
  const fields = readFields(head)
  const contentType = headerValue(fields, 'content-type') ?? 'text/plain'
  const disposition = headerValue(fields, 'content-disposition') ?? ''
  const type =
    /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}/.exec(contentType)?.[0]?.toLowerCase() ?? 'text/plain'
  const hasName = /;\s*(?:file)?name\*?/i.test(`${contentType}${disposition}`.slice(0, 8_000))
  return {
    type,
    charset: parameterOf(contentType, 'charset')?.toLowerCase() ?? 'us-ascii',
    encoding: (headerValue(fields, 'content-transfer-encoding') ?? '7bit').toLowerCase(),
    boundary: type.startsWith('multipart/') ? parameterOf(contentType, 'boundary') : undefined,
    isFile: hasName || /^attachment/i.test(disposition) || !/^text\/(?:plain|html)$/.test(type),
    body: blank === -1 ? end : start + blank + 4,
  }
}

/** The stretches between the lines of a boundary; the line end before such a line belongs to it (RFC 2046, 5.1.1). */
function between(raw: Buffer, from: number, boundary: string): Array<[number, number]> {
  const found: Array<[number, number]> = []
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  let open = -1
  for (let at = raw.indexOf(mark, from); at !== -1; at = raw.indexOf(mark, at + mark.length)) {
    if (at !== from && raw[at - 1] !== lf) continue
    const behind = raw.toString('latin1', at + mark.length, at + mark.length + 100)
    const line = /^(--)?[ \t]*(?:\r\n|$)/.exec(behind)
    if (!line) continue
    if (open !== -1) found.push([open, Math.max(open, at - 2)])
    if (found.length > maxParts) throw new MessageFault(`it has more than ${maxParts} parts`)
    open = at + mark.length + line[0].length
    if (line[1]) return found
  }
  return open === -1 ? found : [...found, [open, raw.length]]
}

/** The bytes that a part stands for. */
export function decodedPart(
  raw: Buffer,
  { encoding, body, end }: Pick<Part, 'encoding' | 'body' | 'end'>,
): Buffer {
  const bytes = raw.subarray(body, end)
  if (encoding === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64')
  if (encoding !== 'quoted-printable') return bytes
  const text = bytes
    .toString('latin1')
    .replace(/=[ \t]{0,80}\r\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(text, 'latin1')
}

/** The text of a part; characters of a charset that nobody knows are taken for those of Western Europe. */
export function partText(raw: Buffer, part: Part): string {
  const bytes = decodedPart(raw, part)
  try {
    return new TextDecoder(part.charset === 'us-ascii' ? 'utf-8' : part.charset).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

/** The message with other bytes in the place of some parts', in an encoding that goes through anywhere. `exchanges` are in order. */
export function exchangeParts(
  raw: Buffer,
  exchanges: ReadonlyArray<{ part: Part; bytes: Uint8Array; charset?: string }>,
): Buffer {
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { part, bytes, charset } of exchanges) {
    const isText = part.type.startsWith('text/')
    const encoding = isText ? 'quoted-printable' : 'base64'
    const fields = readFields(raw.toString('latin1', part.start, part.body))
    const kept = fields.filter(({ name }) => name !== 'content-transfer-encoding')
    const typed =
      charset && charset !== part.charset
        ? [
            ...kept.filter(({ name }) => name !== 'content-type'),
            { text: `Content-Type: ${part.type}; charset=${charset}` },
          ]
        : kept
    const head = [...typed.map(({ text }) => text), `Content-Transfer-Encoding: ${encoding}`, '', ''].join(
      '\r\n',
    )
    const body = isText ? quotedPrintable(bytes) : wrapBase64(bytes)
    pieces.push(raw.subarray(from, part.start), Buffer.from(head, 'latin1'), body)
    from = part.end
  }
  return Buffer.concat([...pieces, raw.subarray(from)])
}
