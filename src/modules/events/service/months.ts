// Whole months of events, where they are split by month: one that nobody keeps any more is dropped instead of being deleted row by row.
import { startOfMonth } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { isSplit, type Partition, readPartitions } from '../../../platform/db/partition/catalogue'
import { dropPartitions, isEmptyPart, isFirst, strayParts } from '../../../platform/db/partition/drop'
import { withMonths } from '../../../platform/db/partition/jobs'
import { bookLostEvents } from '../queries'

const table = 'events'

/** Drops the oldest months up to the first in which somebody keeps something; the totals go down with them. Returns the names. */
export async function dropEventMonths(
  ctx: Context,
  isKept: (from: Date | undefined, to: Date) => Promise<boolean>,
): Promise<string[]> {
  const partitions = await readPartitions(ctx.sql, table)
  if (partitions.length === 0) return []
  const doomed: string[] = []
  for (const part of partitions) {
    if (await isMerelyThere(ctx, part)) continue
    if (!part.to || part.to > ctx.clock.now() || (await isKept(part.from, part.to))) break
    doomed.push(part.name)
  }
  if (doomed.length === 0 && (await strayParts(ctx.sql, table)).length === 0) return []
  return await withMonths(ctx, session => dropPartitions(session, table, doomed, bookLostEvents))
}

/** The first partition stays, for rows of any time. */
async function isMerelyThere({ sql }: Context, part: Partition): Promise<boolean> {
  return isFirst(part) && (await isEmptyPart(sql, part.name))
}

/** With RETENTION_BY_MONTH, events stay until all of their month is past the rule; then the month is dropped. */
export async function cutOfEvents(ctx: Context, cut: Date): Promise<Date> {
  const isByMonth = ctx.config.retentionByMonth && (await isSplit(ctx.sql, table))
  return isByMonth ? startOfMonth(cut) : cut
}
