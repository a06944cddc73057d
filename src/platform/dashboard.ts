// The built dashboard, as scripts/dashboard.ts packed it: a line of JSON that says where each file is, then compressed files end to end. It
// costs nothing until somebody asks: the line is read with the first request, a file each time it is asked for.
import { gunzipSync } from 'bun'
import pack from '../../.cache/dashboard.pack' with { type: 'file' }

export type Encoding = 'br' | 'gzip' | 'identity'

export interface DashboardFile {
  type: string
  content: Uint8Array<ArrayBuffer>
  encoding: Encoding
}

type ByteRange = [from: number, to: number]

interface Index {
  /** Of the source that it was built from. */
  hash: string
  files: Record<string, { type: string; gzip: ByteRange; br: ByteRange }>
}

/** Whoever works on the dashboard rebuilds it while the program runs; inside the executable it never changes. */
let known: { at: number; start: number; index: Index } | undefined

async function open(): Promise<{ start: number; index: Index }> {
  const file = Bun.file(pack)
  const at = file.lastModified
  if (known?.at === at) return known
  const bytes = await file.bytes()
  const end = bytes.indexOf(10)
  const index = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Index
  known = { at, start: end + 1, index }
  return known
}

/** A hash of the whole, for ETags. */
export async function dashboardHash(): Promise<string> {
  return (await open()).index.hash
}

/** One file in an encoding that the client takes; undefined if there is none of that name. */
export async function dashboardFile(name: string, accepted: string): Promise<DashboardFile | undefined> {
  const { start, index } = await open()
  const found = Object.hasOwn(index.files, name) ? index.files[name] : undefined
  if (!found) return undefined
  const encoding = (['br', 'gzip'] as const).find(each => accepted.includes(each)) ?? 'identity'
  const [from, to] = encoding === 'br' ? found.br : found.gzip
  const content = await Bun.file(pack)
    .slice(start + from, start + to)
    .bytes()
  return { type: found.type, encoding, content: encoding === 'identity' ? gunzipSync(content) : content }
}
