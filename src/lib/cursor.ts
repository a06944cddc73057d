// The opaque cursor of keyset lists: the sort value and the id of the last row, so that deleting a row never breaks paging.
import { badRequest } from './errors'
import { isUuid } from './ids'
import { parseDate } from './time'

/** The position after a row: its value in the sort column and its id. */
export interface Cursor {
  value: string | number | null
  id: string
}

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.value, cursor.id])).toString('base64url')
}

/** Reads a cursor of ours; undefined when none was given, 400 when it is broken. */
export function decodeCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined || text === '') return undefined
  const parts = text.length <= 2_000 && /^[\w-]+$/.test(text) ? readJson(text) : undefined
  if (!Array.isArray(parts) || parts.length !== 2) throw brokenCursor()
  const [value, id]: unknown[] = parts
  if (typeof id !== 'string' || !isUuid(id) || !isSortValue(value)) throw brokenCursor()
  return { value, id }
}

/** The cursor's value as a date, for lists sorted by time; 400 when it is not one. */
export function cursorDate(cursor: Cursor): Date {
  const date = typeof cursor.value === 'string' ? parseDate(cursor.value) : undefined
  if (!date) throw brokenCursor()
  return date
}

/** The cursor's value as text; 400 when it is not one. */
export function cursorText(cursor: Cursor): string {
  if (typeof cursor.value !== 'string' || cursor.value.includes('\0')) throw brokenCursor()
  return cursor.value
}

/** The cursor's value as a number of PostgreSQL's type integer; 400 when it is not one. */
export function cursorInteger({ value }: Cursor): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 2_147_483_647)
    throw brokenCursor()
  return value
}

function isSortValue(value: unknown): value is Cursor['value'] {
  return value === null || typeof value === 'string' || typeof value === 'number'
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function brokenCursor() {
  return badRequest('The cursor is not valid', {
    suggestion: 'Use the cursor of the previous page as it is, or leave it out to start at the first page.',
  })
}
