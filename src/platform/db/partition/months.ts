// Months (UTC) as ranges of ids, and the names of their partitions. Pure.
import { firstIdAt } from '../../../lib/ids'
import { day, startOfMonth } from '../../../lib/time'

/** How many months after the current one there are at least, and how many are made when there are fewer. */
export const leastAhead = 3
export const madeAhead = 6

export function addMonths(month: Date, count: number): Date {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + count))
}

/** `2026_12`. */
export function monthName(month: Date): string {
  return month.toISOString().slice(0, 7).replace('-', '_')
}

/**
 * Where the first partition of a table that is split now ends: with the month, or with the next one where this one is nearly over, because
 * clocks differ and the table has to be read to its end before.
 */
export function firstBoundary(now: Date): Date {
  return addMonths(startOfMonth(new Date(now.getTime() + day)), 1)
}

/** The moment that an id begins with. */
export function momentOf(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
}

export interface Month {
  from: Date
  to: Date
}

/** The months from `first` on that end at `end` or before. */
export function monthsUntil(first: Date, end: Date): Month[] {
  const months: Month[] = []
  for (let from = first; from < end; from = addMonths(from, 1)) months.push({ from, to: addMonths(from, 1) })
  return months
}

/** `from` undefined: everything before; `to` undefined: everything after. */
export function boundsOf(from: Date | undefined, to: Date | undefined): string {
  return `for values from (${bound(from, 'minvalue')}) to (${bound(to, 'maxvalue')})`
}

function bound(at: Date | undefined, open: string): string {
  return at ? `'${firstIdAt(at)}'` : open
}
