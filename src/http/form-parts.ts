// Reads a multipart form whose bytes are there. Its parts are counted first: no form of ours has many, and each costs.
import { payloadTooLarge } from './body-limit'

const maxParts = 100
/** The fields beside the files are ids and words. */
const maxTextLength = 16 * 1024

/** The boundary of a multipart form; undefined for another Content-Type. */
export function boundaryOf(type: string): string | undefined {
  return /^multipart\/form-data\s*;.*boundary="?([^";]+)/i.exec(type.slice(0, 1_000))?.[1]
}

/** The form; throws 413 for more parts, or longer texts, than a form may have. */
export async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  const boundary = boundaryOf(type)
  if (boundary !== undefined && hasMore(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), boundary))
    throw payloadTooLarge(maxTextLength)
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  for (const value of form.values())
    if (typeof value === 'string' && value.length > maxTextLength) throw payloadTooLarge(maxTextLength)
  return form
}

function hasMore(bytes: Buffer, boundary: string): boolean {
  const mark = `--${boundary}`
  let parts = 0
  for (
    let at = bytes.indexOf(mark);
    at !== -1 && parts <= maxParts;
    at = bytes.indexOf(mark, at + mark.length)
  )
    parts++
  return parts > maxParts
}
