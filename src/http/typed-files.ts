// Reads a form so that each file has the type that its part declares. The runtime goes by the file name's extension alone, and takes a table
// that is called people.txt for plain text whatever the client says.
import { boundaryOf } from './form-parts'

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
