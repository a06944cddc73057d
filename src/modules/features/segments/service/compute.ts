// Bringing the stored members of a tracked segment in line with its condition. Entries and exits are rows that appear and go, and
// each is recorded in the transaction of its row: a compute that is cut short leaves nothing half recorded, and the next one goes on.

import type { SQL } from 'drizzle-orm'
import type { FilterCondition } from '../../../../filters/read'
import { badRequest } from '../../../../lib/errors'
import { nilUuid } from '../../../../lib/ids'
import { type Context, inTransaction, readingMuch } from '../../../../platform/context'
import { anyChange, type LiveRule } from '../../../accounts/projects'
import { recordEvents, segmentEvent } from '../../../audience/events'
import {
  countContacts,
  countMembers,
  enterContacts,
  lockSegment,
  removeContacts,
  type SegmentRow,
  saveCount,
  selectEntering,
  selectLeaving,
} from '../queries'
import { conditionSql } from './audience'
import { isSegmentDue } from './due'
import { getSegment } from './read'

export interface ComputeResult {
  added: number
  removed: number
  total: number
}

/** On request. The rule applies, although a schedule computes the segment within minutes anyway: the caller would start workflows now. */
export async function computeOnRequest(
  ctx: Context,
  projectId: string,
  id: string,
  rule: LiveRule = anyChange,
): Promise<ComputeResult> {
  const { id: segmentId } = await getSegment(ctx, projectId, id)
  await inTransaction(ctx, tx => rule(tx, { isLive: () => isSegmentDue(tx, { projectId, segmentId }) }))
  return await computeSegment(ctx, projectId, segmentId)
}

/** 404; 400 for a segment without tracking. A static one is only counted. */
export async function computeSegment(
  ctx: Context,
  projectId: string,
  id: string,
  signal?: AbortSignal,
): Promise<ComputeResult> {
  const segment = await getSegment(ctx, projectId, id)
  if (!segment.trackMembership) throw badRequest('Segment does not have membership tracking enabled')
  const moved = segment.condition ? await applyDiff(ctx, segment, segment.condition, signal) : nobody
  const total = await countMembers(ctx, projectId, id)
  await saveCount(ctx, projectId, id, total)
  return { ...moved, total }
}

const nobody = { added: 0, removed: 0 }

async function applyDiff(
  ctx: Context,
  segment: SegmentRow,
  condition: FilterCondition,
  signal: AbortSignal | undefined,
): Promise<{ added: number; removed: number }> {
  const where = await conditionSql(ctx, segment.projectId, condition)
  const removed = await applyAll(ctx, segment, where, exits, signal)
  const added = await applyAll(ctx, segment, where, entries, signal)
  return { added, removed }
}

/** Ids that are found at once; to find more, the contacts are read again from there on. */
const findLimit = 100_000
/** Members of one transaction: enough to make the round trips cheap, few enough that nobody waits long for its locks. */
const batchSize = 2_000

interface Change {
  kind: 'entry' | 'exit'
  find: typeof selectEntering
  apply: typeof enterContacts
}

const exits: Change = { kind: 'exit', find: selectLeaving, apply: removeContacts }
const entries: Change = { kind: 'entry', find: selectEntering, apply: enterContacts }

async function applyAll(
  ctx: Context,
  { projectId, id }: SegmentRow,
  where: SQL,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<number> {
  let moved = 0
  let found: string[] = []
  do {
    const after = found.at(-1) ?? nilUuid
    found = await change.find(readingMuch(ctx), { projectId, segmentId: id, where, after, limit: findLimit })
    for (let from = 0; from < found.length; from += batchSize) {
      signal?.throwIfAborted()
      moved += await applyBatch(ctx, projectId, id, change, found.slice(from, from + batchSize))
    }
  } while (found.length === findLimit)
  return moved
}

/** The segment is read under a lock, so that nothing is added to one that was deleted or is no longer tracked. */
async function applyBatch(
  ctx: Context,
  projectId: string,
  id: string,
  { kind, apply }: Change,
  contactIds: readonly string[],
): Promise<number> {
  return inTransaction(ctx, async tx => {
    const segment = await lockSegment(tx, projectId, id, 'change')
    if (!segment?.trackMembership) return 0
    const moved = await apply(tx, projectId, id, contactIds)
    await recordMoves(tx, segment, kind, moved)
    return moved.length
  })
}

/** An event for each contact that entered or left. */
async function recordMoves(
  tx: Context,
  segment: SegmentRow,
  change: Change['kind'],
  contactIds: readonly string[],
): Promise<void> {
  const name = segmentEvent(segment, change)
  const data = { segmentId: segment.id, segmentName: segment.name }
  await recordEvents(
    tx,
    segment.projectId,
    contactIds.map(contactId => ({ name, contactId, data })),
  )
}

/** Counts again and keeps the count; writes no members and records no events. */
export async function refreshSegment(ctx: Context, projectId: string, id: string): Promise<number> {
  const { condition } = await getSegment(ctx, projectId, id)
  const count = condition
    ? await countContacts(readingMuch(ctx), projectId, await conditionSql(ctx, projectId, condition))
    : await countMembers(ctx, projectId, id)
  await saveCount(ctx, projectId, id, count)
  return count
}
