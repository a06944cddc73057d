// What a list request of contacts means. Pure.
import { partOfAddress } from '../../../lib/address'
import { type Cursor, cursorText, decodeCursor } from '../../../lib/cursor'
import { type Direction, direction, limitOf, sortKey } from '../../../lib/paging'

export const contactSortKeys = ['createdAt', 'email'] as const

export const contactStatuses = ['subscribed', 'snoozed', 'unsubscribed'] as const
export type ContactStatus = (typeof contactStatuses)[number]

export interface ContactListing {
  limit: number
  /** Part of the address, in its stored spelling. */
  search: string | null
  /** Contacts with a name that the text is part of are found too. */
  searchNames: boolean
  subscribed: boolean | null
  /** Wins over `subscribed`. */
  status: ContactStatus | null
  sort: (typeof contactSortKeys)[number]
  dir: Direction
  /** The last contact of the previous page: its id, or its address where the list is sorted by that. */
  after: string | null
}

/** The members of a list's query string, all as text. */
export interface ListRequest {
  limit?: string
  cursor?: string
  search?: string
  searchNames?: string
  subscribed?: string
  status?: string
  sort?: string
  dir?: string
}

export function readContactListing(query: ListRequest): ContactListing {
  const sort = sortKey(query.sort, contactSortKeys, 'createdAt')
  const status = contactStatuses.find(each => each === query.status) ?? null
  const cursor = decodeCursor(query.cursor)
  return {
    limit: limitOf(positive(query.limit)),
    search: partOfAddress(query.search ?? '') || null,
    searchNames: query.searchNames === 'true',
    subscribed: status === null ? readBoolean(query.subscribed) : null,
    status,
    sort,
    dir: direction(query.dir),
    after: cursor ? (sort === 'email' ? cursorText(cursor) : cursor.id) : null,
  }
}

/** The position after a contact. Ids are made from the time of creation, so they alone give the position in a list ordered by it. */
export function contactCursor(sort: ContactListing['sort'], contact: { id: string; email: string }): Cursor {
  return { value: sort === 'email' ? contact.email : null, id: contact.id }
}

/** The same members, checked already. */
export interface ContactSearchRequest {
  limit?: number
  cursor?: string | null
  search?: string
  searchNames?: boolean
  status?: ContactStatus
  sort?: ContactListing['sort']
  dir?: Direction
}

export function readContactSearch({
  limit,
  cursor,
  searchNames,
  ...rest
}: ContactSearchRequest): ContactListing {
  return readContactListing({
    ...rest,
    searchNames: String(searchNames === true),
    limit: limit === undefined ? undefined : String(limit),
    cursor: cursor ?? undefined,
  })
}

function positive(text: string | undefined): number | undefined {
  const value = Number.parseInt(text ?? '', 10)
  return value > 0 ? value : undefined
}

function readBoolean(text: string | undefined): boolean | null {
  return text === 'true' ? true : text === 'false' ? false : null
}
