// Mail that somebody else wrote, parsed by postal-mime within bounds, so that no message can hold up everybody else.
import type { Email, PostalMimeOptions } from 'postal-mime'
import { readUsualMail, type UsualMail } from './usual'

/** Each line that begins like a boundary costs the parser some work, and megabytes of them cost seconds. */
const maxBorders = 10_000
const maxHeadersSize = 256 * 1024

export class TooManyParts extends Error {
  override name = 'TooManyParts'
  constructor() {
    super('it has too many parts')
  }
}

type Bounds = PostalMimeOptions & { maxNestingDepth: number }

/** Rejects if this is not a message, or one beyond the bounds. */
export async function readForeignMail(raw: Uint8Array, bounds: Bounds): Promise<Email> {
  if (hasManyBorders(raw)) throw new TooManyParts()
  const { default: PostalMime } = await reader()
  return await PostalMime.parse(raw, { ...bounds, maxHeadersSize })
}

/** What a message consists of in itself; the shortest way where it has the usual shape. */
export async function readProgramMail(raw: Buffer, bounds: Bounds): Promise<UsualMail> {
  return readUsualMail(raw, await reader()) ?? (await readForeignMail(raw, bounds))
}

/** Loaded with the first message: most instances get no such mail, and take less memory without it. */
async function reader(): Promise<typeof import('postal-mime')> {
  library ??= import('postal-mime')
  return await library
}

let library: Promise<typeof import('postal-mime')> | undefined

function hasManyBorders(raw: Uint8Array): boolean {
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  let count = 0
  for (let at = bytes.indexOf('\n--'); at !== -1 && count <= maxBorders; at = bytes.indexOf('\n--', at + 3))
    count++
  return count > maxBorders
}
