// Mail that somebody else wrote, parsed by postal-mime within bounds, so that no message can hold up everybody else.
import type { Email, PostalMimeOptions } from 'postal-mime'

/** Each line that begins like a boundary costs the parser some work, and megabytes of them cost seconds. */
const maxBorders = 10_000
const maxHeadersSize = 256 * 1024

export class TooManyParts extends Error {
  override name = 'TooManyParts'
  constructor() {
    super('it has too many parts')
  }
}

/** Rejects if this is not a message, or one beyond the bounds. */
export async function readForeignMail(
  raw: Uint8Array,
  options: PostalMimeOptions & { maxNestingDepth: number },
): Promise<Email> {
  if (hasManyBorders(raw)) throw new TooManyParts()
  library ??= import('postal-mime')
  const { default: PostalMime } = await library
  return await PostalMime.parse(raw, { ...options, maxHeadersSize })
}

/** Loaded with the first message: most instances get no such mail, and take less memory without it. */
let library: Promise<typeof import('postal-mime')> | undefined

function hasManyBorders(raw: Uint8Array): boolean {
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  let count = 0
  for (let at = bytes.indexOf('\n--'); at !== -1 && count <= maxBorders; at = bytes.indexOf('\n--', at + 3))
    count++
  return count > maxBorders
}
