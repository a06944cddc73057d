// Deleting events: all of a name, those of contacts that are gone, and values that are only kept for a while. Never more than a batch in
// one statement, and never more than a few batches in one request or job.
import { inBatches } from '../../../../lib/batches'
import { badRequest } from '../../../../lib/errors'
import { after, day, startOfMonth } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { isSplit, type Partition, readPartitions } from '../../../../platform/db/partition/catalogue'
import { dropPartitions, isEmptyPart, isFirst, strayParts } from '../../../../platform/db/partition/drop'
import { withMonths } from '../../../../platform/db/partition/jobs'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { eventKinds } from '../kinds'
import { isReservedName } from '../names'
import {
  bookLostEvents,
  deleteContactEvents,
  deleteNamedEvents,
  deleteOldEvents,
  deleteTransients,
  type NamedSpan,
  noteDeletedName,
  rollUpEventDeltas,
  selectCount,
} from '../queries'

const batchSize = 5_000

/** How many batches a request waits for, and how many one job does before the next takes over. */
const batchesAtOnce = 2
const batchesOfJob = 100

/**
 * Deletes every event of a name that was recorded up to now, and returns how many they are. If there are many, a job does the rest: then
 * the answer is what the totals say, and they go down as the job proceeds.
 */
export async function deleteEvents(ctx: Context, projectId: string, name: string): Promise<number> {
  if (isReservedName(name))
    throw badRequest(`Events named "${name}" are recorded by the service itself and can't be deleted`)
  const count = await selectCount(ctx, projectId, name)
  const now = ctx.clock.now()
  const span: NamedSpan = { name, from: new Date(0), until: now }
  // Before they go: who is said to lack the event is not to be written to meanwhile.
  await noteDeletedName(ctx, projectId, name, now)
  const { deleted, remaining } = await deleteSpan(ctx, projectId, span, batchesAtOnce)
  if (!remaining) return deleted
  await enqueueDeletion(ctx, projectId, remaining)
  return Math.max(count, deleted)
}

async function enqueueDeletion(
  ctx: Context,
  projectId: string,
  { name, from, until }: NamedSpan,
): Promise<void> {
  const args = { name, from: from.toISOString(), until: until.toISOString() }
  await enqueue(ctx, eventKinds.remove, args, { projectId })
}

/** The job's part of a deletion; enqueues itself for what is left after its share. */
export async function continueDeletion(
  ctx: Context,
  projectId: string,
  span: NamedSpan,
  signal?: AbortSignal,
): Promise<number> {
  const { deleted, remaining } = await deleteSpan(ctx, projectId, span, batchesOfJob, signal)
  if (remaining) await enqueueDeletion(ctx, projectId, remaining)
  return deleted
}

/** Deletes up to that many batches; `remaining` is the part that has not been looked at. */
async function deleteSpan(
  ctx: Context,
  projectId: string,
  span: NamedSpan,
  batches: number,
  signal?: AbortSignal,
): Promise<{ deleted: number; remaining: NamedSpan | undefined }> {
  let total = 0
  let remaining = span
  for (let batch = 0; batch < batches && !signal?.aborted; batch++) {
    const { deleted, reached } = await deleteNamedEvents(ctx, projectId, remaining, batchSize)
    total += deleted
    if (deleted < batchSize || reached === null) return { deleted: total, remaining: undefined }
    remaining = { ...remaining, from: reached }
  }
  return { deleted: total, remaining }
}

/** Deletes the events of contacts that are gone, a batch at a time. */
export async function deleteEventsOfContacts(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(batchSize, limit => deleteContactEvents(ctx, projectId, contactIds, limit), signal)
}

/** Deletes what was recorded before a moment, a batch at a time; what is left when told to stop is found by the next run. */
export async function deleteEventsBefore(
  ctx: Context,
  projectId: string,
  before: Date,
  signal?: AbortSignal,
): Promise<void> {
  let from = new Date(0)
  while (!signal?.aborted) {
    const { deleted, reached } = await deleteOldEvents(ctx, projectId, { from, before }, batchSize)
    if (deleted < batchSize || reached === null) return
    from = reached
  }
}

/** How long values that were sent for a single event wait for the workflows of that event. */
const transientLifeMs = 3 * day

/** Deletes those values when their time is over. */
export async function pruneTransientValues(ctx: Context, signal?: AbortSignal): Promise<number> {
  const until = after(ctx.clock.now(), -transientLifeMs)
  return inBatches(batchSize, limit => deleteTransients(ctx, until, limit), signal)
}

/** Adds the appended deltas to the totals until none is left. */
export async function rollUpEventTotals(ctx: Context, signal?: AbortSignal): Promise<number> {
  return inBatches(batchSize, limit => rollUpEventDeltas(ctx, limit), signal)
}

const table = 'events'

/** Drops the oldest months up to the first in which somebody keeps something; the totals go down with them. Returns the names. */
export async function dropEventMonths(
  ctx: Context,
  isKept: (from: Date | undefined, to: Date) => Promise<boolean>,
): Promise<string[]> {
  const partitions = await readPartitions(ctx.sql, table)
  if (partitions.length === 0) return []
  const deletable: string[] = []
  for (const part of partitions) {
    if (await isMerelyThere(ctx, part)) continue
    if (!part.to || part.to > ctx.clock.now() || (await isKept(part.from, part.to))) break
    deletable.push(part.name)
  }
  if (deletable.length === 0 && (await strayParts(ctx.sql, table)).length === 0) return []
  return await withMonths(ctx, session => dropPartitions(session, table, deletable, bookLostEvents))
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
