// Mail that somebody else wrote, parsed by postal-mime within bounds. The parser does not stop for anybody while it reads, so what is
// not known to be small is read by a thread (platform/foreign-mail.ts).
import type { Email, PostalMimeOptions } from 'postal-mime'

/** Each line that begins like a boundary costs the parser more than other lines; text has some thousand of them in a table. */
const maxBorders = 10_000
/** Each line costs the parser a chunk of its own, however short it is. */
const maxLines = 100_000
/** Files as Base64 have lines of sixty characters and more: larger messages may have more lines, but not mostly short ones. */
const bytesOfLine = 50
const maxHeadersSize = 256 * 1024

/** Beyond the bounds, so that nothing of it was read. */
export class TooManyParts extends Error {
  override name = 'TooManyParts'
}

type Bounds = PostalMimeOptions & { maxNestingDepth: number }

/** Rejects if this is not a message, or one beyond the bounds. */
export async function readForeignMail(raw: Uint8Array, bounds: Bounds): Promise<Email> {
  requireBounds(raw)
  const { default: PostalMime } = await import('postal-mime')
  return await PostalMime.parse(raw, { ...bounds, maxHeadersSize })
}

function requireBounds(raw: Uint8Array): void {
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if (occursBeyond(bytes, '\n--', maxBorders)) throw new TooManyParts('it has too many parts')
  if (hasTooManyLines(bytes)) throw new TooManyParts('it has too many lines')
}

/** More than 100,000, most of them short. */
export function hasTooManyLines(bytes: Buffer): boolean {
  return occursBeyond(bytes, '\n', Math.max(maxLines, Math.floor(bytes.length / bytesOfLine)))
}

/** Whether the text occurs more often than that. */
export function occursBeyond(bytes: Buffer, text: string, most: number): boolean {
  let count = 0
  for (let at = bytes.indexOf(text); at !== -1 && count <= most; at = bytes.indexOf(text, at + text.length))
    count++
  return count > most
}

const longestHeader = 65_536
const contentType = /^content-type:[ \t\r\n]{0,100}([\w.+-]{1,100}\/[\w.+-]{1,100})/im

/** The media type that the header names, before anything is parsed: in lower case, without parameters; '' where it names none. */
export function mediaTypeOf(raw: Uint8Array): string {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, longestHeader)).toString('latin1')
  const [header = ''] = text.split(/\r?\n\r?\n/, 1)
  return contentType.exec(header)?.[1]?.toLowerCase() ?? ''
}
