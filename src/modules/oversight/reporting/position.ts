// Positions in the feed, which is ordered by time, id and rank, newest first. Ids of events are made from their time, so that a position is
// also a bound for ids: the newest events of a project need no further index. Pure.
import { type Cursor, decodeCursor } from '../../../lib/cursor'
import { badRequest } from '../../../lib/errors'
import { parseDate } from '../../../lib/time'

export interface Position {
  at: Date
  id: string
  /** Beginning and end of an execution have one id, and may have one time: the end (1) is the newer one. */
  rank: 0 | 1
}

export function cursorOf({ at, id, rank }: Position): Cursor {
  return { value: `${at.getTime()}.${rank}`, id }
}

/** Undefined when no cursor was given, 400 when it is broken. */
export function decodePosition(text: string | undefined): Position | undefined {
  const cursor = decodeCursor(text)
  if (!cursor) return undefined
  const match = typeof cursor.value === 'string' ? /^(\d{1,15})\.([01])$/.exec(cursor.value) : null
  const at = match ? new Date(Number(match[1])) : undefined
  if (!match || !isStorable(at!))
    throw badRequest('The cursor is not valid', {
      suggestion: 'Use the cursor of the previous page as it is, or leave it out to start at the first page.',
    })
  return { at: at!, id: cursor.id.toLowerCase(), rank: match[2] === '1' ? 1 : 0 }
}

function isStorable(at: Date): boolean {
  return !Number.isNaN(at.getTime()) && at.getUTCFullYear() <= 9999
}

/** A moment in a request; undefined if none is given, 400 where it can't be understood. */
export function readMoment(text: string | undefined, name: string): Date | undefined {
  if (text === undefined || text === '') return undefined
  const date = parseDate(text)
  if (!date) throw badRequest(`${name} is not a date`, { suggestion: 'Use ISO 8601, such as 2026-03-01.' })
  // Nothing happened beyond these, and ids can't say it.
  return new Date(Math.min(Math.max(date.getTime(), 0), lastMoment))
}

const lastMoment = Date.UTC(9999, 11, 31)

/** The least id that can be made at that time; every id of an earlier time is less. */
export function lowestIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), lastMoment + 86_400_000)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The id below which all events are that come after a position, or that happened up to `until`. */
export function idBound(position: Position | undefined, until: Date | undefined): string | undefined {
  const bounds = [
    position && clamp(position.id, lowestIdAt(position.at.getTime()), lowestIdAt(position.at.getTime() + 1)),
    until && lowestIdAt(until.getTime() + 1),
  ].filter(bound => bound !== undefined)
  return bounds.sort()[0]
}

function clamp(id: string, least: string, most: string): string {
  if (id < least) return least
  return id > most ? most : id
}
