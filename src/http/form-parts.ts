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

/** The `parse` of a route that takes files by their type; other bodies are left to the framework. */
export async function typedFiles({ request }: { request: Request }): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  const boundary = boundaryOf(type)
  if (boundary === undefined) return undefined
  const form = await request.formData()
  const bytes = Buffer.from(await request.arrayBuffer())
  const declared = declaredTypes(bytes, boundary)
  return Object.fromEntries(
    [...new Set(form.keys())].map(name => {
      const values = form.getAll(name).map(value => withType(value, declared.get(name)?.shift()))
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

function withType(value: string | File, type: string | undefined): string | File {
  return typeof value === 'string' ? value : new File([value], value.name, { type: type ?? '' })
}

const maxHeaderLength = 8_192

/** The types of file parts by the name of their field, in their order; empty if a part declares none. */
function declaredTypes(bytes: Buffer, boundary: string): Map<string, string[]> {
  const types = new Map<string, string[]>()
  const mark = `--${boundary}`
  let at = bytes.indexOf(mark)
  while (at !== -1) {
    const head = bytes.subarray(at + mark.length, at + mark.length + maxHeaderLength)
    at = bytes.indexOf(mark, at + mark.length)
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) continue
    const header = head.subarray(0, end).toString('utf8')
    const name = /[;\s]name="([^"\r\n]*)"/i.exec(header)?.[1]
    if (name === undefined || !/[;\s]filename/i.test(header)) continue
    const type = /\r\ncontent-type:([^\r\n;]*)/i.exec(header)?.[1]?.trim() ?? ''
    types.set(name, [...(types.get(name) ?? []), type])
  }
  return types
}
