// Lists of a table that may be split by month, newest first. Sorted by time, they would have to look into every month; most pages are full
// of what is recent.
import { endOfIdsAt, firstIdAt } from '../../../lib/ids'
import { after, day, minute } from '../../../lib/time'
import type { Context } from '../../context'
import { perInstance } from '../../per-context'
import { isSplit } from './catalogue'

/** Ids from `from` on and below `to`; undefined for no bound. */
export interface IdSpan {
  from?: string
  to?: string
}

const recentMs = 45 * day
const knownForMs = minute

const knowledge = perInstance(() => new Map<string, { until: number; split: boolean }>())

/** May be up to a minute old, since a table is split only once. */
async function isKnownSplit(ctx: Context, table: string): Promise<boolean> {
  const known = knowledge(ctx)
  const now = performance.now()
  const found = known.get(table)
  if (found && found.until > now) return found.split
  const split = await isSplit(ctx.sql, table)
  known.set(table, { until: now + knownForMs, split })
  return split
}

/**
 * Reads a page of rows that are not newer than `newest` (now, where it is undefined), whose ids are made from their time. Where the table is
 * split, recent ones are asked for first, and all others only if these are fewer than a page.
 */
export async function readRecentFirst<T>(
  ctx: Context,
  table: string,
  { newest, limit }: { newest: Date | undefined; limit: number },
  read: (span: IdSpan) => Promise<T[]>,
): Promise<T[]> {
  if (!(await isKnownSplit(ctx, table))) return await read({})
  const below = newest ? { to: endOfIdsAt(newest) } : {}
  const rows = await read({ ...below, from: firstIdAt(after(newest ?? ctx.clock.now(), -recentMs)) })
  return rows.length >= limit ? rows : await read(below)
}
