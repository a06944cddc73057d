// Paging of lists, in the two forms of the interface: by page number, and by cursor. Normalises what a query asks for and builds
// the two list envelopes. Too large pages are clamped.
import { type TSchema, Type } from '@sinclair/typebox'
import { type Cursor, encodeCursor } from './cursor'
import { cursorParameter, filterWord, wordText } from './described'

export const directions = ['asc', 'desc'] as const
export type Direction = (typeof directions)[number]

const defaultSize = 20
const maxSize = 100

/** A whole number in a query. Numbers are read from the text of a query, while the type `integer` would refuse it. */
export function queryInteger(options: { minimum?: number; maximum?: number; description?: string }) {
  return Type.Number({ multipleOf: 1, ...options })
}

/** Query members of an offset list; spread into a route's query schema. */
export const pageQuery = {
  page: Type.Optional(queryInteger({ minimum: 1, maximum: 1_000_000, description: 'From 1; default 1' })),
  pageSize: Type.Optional(
    queryInteger({ minimum: 1, description: 'Default 20; more than 100 counts as 100' }),
  ),
}

/** Query members of a cursor list. */
export const cursorQuery = {
  limit: Type.Optional(queryInteger({ minimum: 1, description: 'Default 20; more than 100 counts as 100' })),
  cursor: Type.Optional(cursorParameter),
}

const sortMeaning = 'Field to sort by. Default: createdAt'

/** What lists of things with a name are ordered by. */
export const namedSortKeys = ['name', 'createdAt', 'updatedAt'] as const

/** Query members of sorting, by one of `keys`; other words are refused. */
export function sortQuery(keys: readonly string[]) {
  return {
    sort: Type.Optional(filterWord(keys, sortMeaning)),
    dir: Type.Optional(filterWord(directions, 'Default: desc')),
  }
}

/** The same for lists of which the interface says that other words count as the default, by `sortKey` and `direction`. */
export function lenientSortQuery(keys: readonly string[]) {
  return {
    sort: Type.Optional(wordText(keys, `${sortMeaning}, also for unknown values`)),
    dir: Type.Optional(wordText(directions, 'Default: desc, also for unknown values')),
  }
}

export interface Page {
  page: number
  pageSize: number
  /** Rows to skip. */
  offset: number
}

export function pageOf(query: { page?: number; pageSize?: number }, largest = maxSize): Page {
  const page = Math.max(1, query.page ?? 1)
  const pageSize = limitOf(query.pageSize, { largest })
  return { page, pageSize, offset: (page - 1) * pageSize }
}

/** A page size between 1 and `largest`. */
export function limitOf(
  asked: number | undefined,
  bounds: { standard?: number; largest?: number } = {},
): number {
  const { standard = defaultSize, largest = maxSize } = bounds
  return Math.min(largest, Math.max(1, Math.floor(asked ?? standard)))
}

/** `asked` if it is one of `keys`, otherwise `fallback`. */
export function sortKey<K extends string>(asked: string | undefined, keys: readonly K[], fallback: K): K {
  return keys.find(key => key === asked) ?? fallback
}

export function direction(asked: string | undefined, fallback: Direction = 'desc'): Direction {
  return asked === 'asc' || asked === 'desc' ? asked : fallback
}

export interface OffsetList<T> {
  data: T[]
  page: number
  pageSize: number
  total: number
  totalPages: number
}

export function offsetList<T>(data: T[], { page, pageSize }: Page, total: number): OffsetList<T> {
  return { data, page, pageSize, total, totalPages: Math.ceil(total / pageSize) }
}

export interface CursorList<T> {
  data: T[]
  cursor: string | null
  hasMore: boolean
  total: number
}

/**
 * A page of a keyset list. `rows` are up to `limit + 1` rows: the one too many says that there is more. `total` is counted for
 * the first page only and 0 on later ones.
 */
export function cursorList<Row, T>(
  rows: readonly Row[],
  limit: number,
  total: number,
  toWire: (row: Row) => T,
  cursorOf: (row: Row) => Cursor,
): CursorList<T> {
  const hasMore = rows.length > limit
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(row => toWire(row)),
    cursor: hasMore && last !== undefined ? encodeCursor(cursorOf(last)) : null,
    hasMore,
    total,
  }
}

/** Response schema of an offset list; that of a named item is named too. */
export function offsetListOf<T extends TSchema>(item: T) {
  return Type.Object(
    {
      data: Type.Array(item),
      page: Type.Integer(),
      pageSize: Type.Integer(),
      total: Type.Integer(),
      totalPages: Type.Integer(),
    },
    titleOf(item, 'Page'),
  )
}

/** What `total` of a list says that is too long to be counted. */
export const uncounted = 'Always 0: this list has no total'

/** Response schema of an offset list that can be gone through by cursor, too. */
export function seekableListOf<T extends TSchema>(item: T) {
  const { properties, title } = offsetListOf(item)
  return Type.Object(
    { ...properties, cursor: nextCursor, hasMore: Type.Boolean() },
    title === undefined ? {} : { title },
  )
}

const nextCursor = Type.Union([Type.String(), Type.Null()], {
  description: 'Asks for the next page; null at the end',
})

/** Response schema of a cursor list; `total` says what its member of that name counts. */
export function cursorListOf<T extends TSchema>(
  item: T,
  total = 'Total over all pages, on the first page only; later pages have 0',
) {
  return Type.Object(
    {
      data: Type.Array(item),
      cursor: nextCursor,
      hasMore: Type.Boolean(),
      total: Type.Integer({ description: total }),
    },
    titleOf(item, 'CursorPage'),
  )
}

function titleOf({ title }: TSchema, ending: string): { title?: string } {
  return title === undefined ? {} : { title: `${title}${ending}` }
}
