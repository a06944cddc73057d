// Reads members of other programs' answers, whose shapes may change: what is missing or of another type counts as nothing.
import { SourceFault } from './record'

export type Answered = Readonly<Record<string, unknown>>

export function objectOf(value: unknown): Answered {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answered) : {}
}

export function answeredText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): Answered[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

/** Throws if there is no list: an empty one would look like an import that went well. */
export function answeredList(value: unknown, of: string): Answered[] {
  if (Array.isArray(value)) return value.map(objectOf)
  throw new SourceFault(`the answer holds no list of ${of}: is this the address of its API?`)
}

/** ISO 8601; undefined for what is not a time. */
export function timeOf(value: unknown): string | undefined {
  const date = typeof value === 'string' && value !== '' ? new Date(value) : undefined
  return date && !Number.isNaN(date.getTime()) ? date.toISOString() : undefined
}

const samePage = 'it keeps answering with the same page again'

/** Page after page, by the cursor in each answer. Throws if one leads back to itself, which would never end. */
export async function* byCursor(
  read: (cursor: string | undefined) => Promise<{ rows: Answered[]; next: string }>,
): AsyncGenerator<Answered> {
  for (let cursor: string | undefined; ; ) {
    const { rows, next } = await read(cursor)
    yield* rows
    if (next === '') return
    if (next === cursor) throw new SourceFault(samePage)
    cursor = next
  }
}

/** Page after page, until one is not full. Throws where a number means nothing and the same page comes for all of them. */
export async function* byPage(
  size: number,
  read: (page: number) => Promise<Answered[]>,
): AsyncGenerator<Answered> {
  let before = ''
  for (let page = 1; ; page++) {
    const rows = await read(page)
    const first = JSON.stringify(rows[0])
    if (rows.length >= size && first === before) throw new SourceFault(samePage)
    before = first
    yield* rows
    if (rows.length < size) return
  }
}

/** `Ada <ada@example.com>`, or the address alone. */
export function namedSender(text: string): { from: string; fromName?: string } {
  const open = text.lastIndexOf('<')
  if (open === -1 || !text.endsWith('>')) return { from: text.trim() }
  const fromName = text.slice(0, open).trim().replaceAll('"', '')
  return { from: text.slice(open + 1, -1).trim(), ...(fromName === '' ? {} : { fromName }) }
}
