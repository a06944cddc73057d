// Bringing the stored members of a tracked segment in line with its condition. Entries and exits are rows that appear and go, and
// each is told in the transaction of its row: a compute that is cut short leaves nothing half told, and the next one goes on.
import { badRequest } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import { segmentEvent } from '../../events/names'
import { recordEvents } from '../../events/service'
import {
  countContacts,
  countMembers,
  type DiffBatch,
  enterBatch,
  leaveBatch,
  lockSegment,
  type SegmentRow,
  saveCount,
} from '../queries'
import { conditionSql } from './audience'
import { getSegment } from './read'

export interface ComputeResult {
  added: number
  removed: number
  total: number
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
  const isDynamic = segment.type === 'DYNAMIC'
  const removed = isDynamic ? await applyAll(ctx, segment, 'exit', signal) : 0
  const added = isDynamic ? await applyAll(ctx, segment, 'entry', signal) : 0
  const total = await countMembers(ctx, projectId, id)
  await saveCount(ctx, projectId, id, total)
  return { added, removed, total }
}

/** Members of one transaction: enough to make the round trips cheap, few enough that nobody waits long for its locks. */
const batchSize = 2_000
const firstId = '00000000-0000-0000-0000-000000000000'

type Change = 'entry' | 'exit'

async function applyAll(
  ctx: Context,
  segment: SegmentRow,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<number> {
  let moved = 0
  let after: string | null = firstId
  while (after !== null) {
    signal?.throwIfAborted()
    const batch: DiffBatch = await applyBatch(ctx, segment, change, after)
    moved += batch.contactIds.length
    after = batch.next
  }
  return moved
}

/** The segment is read anew under a lock, so that nothing is added to one that was deleted, renamed or given another condition. */
async function applyBatch(
  ctx: Context,
  { projectId, id }: SegmentRow,
  change: Change,
  after: string,
): Promise<DiffBatch> {
  return inTransaction(ctx, async tx => {
    const segment = await lockSegment(tx, projectId, id, 'change')
    if (!segment?.condition || !segment.trackMembership) return { contactIds: [], next: null }
    const where = await conditionSql(tx, projectId, segment.condition)
    const apply = change === 'entry' ? enterBatch : leaveBatch
    const batch = await apply(tx, { projectId, segmentId: id, where, after, limit: batchSize })
    await tell(tx, segment, change, batch.contactIds)
    return batch
  })
}

async function tell(
  tx: Context,
  segment: SegmentRow,
  change: Change,
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

/** Counts anew and keeps the count; writes no members and tells nobody. */
export async function refreshSegment(ctx: Context, projectId: string, id: string): Promise<number> {
  const { condition } = await getSegment(ctx, projectId, id)
  const count = condition
    ? await countContacts(ctx, projectId, await conditionSql(ctx, projectId, condition))
    : await countMembers(ctx, projectId, id)
  await saveCount(ctx, projectId, id, count)
  return count
}
