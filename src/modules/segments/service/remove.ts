// Deleting segments, which is refused while something names them.
import { conflict } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import {
  deleteMembersOfSegment,
  deleteSegmentRow,
  lockGraph,
  lockSegment,
  selectSegmentsNaming,
} from '../queries'
import { segmentNotFound } from './read'

/** A kind of thing in a module above that may name a segment and so keeps it from being deleted. */
export interface SegmentUser {
  /** As the refusal says it: `active campaign(s)`. */
  noun: string
  /** Runs in the transaction that deletes, after the segment was locked: who stores a reference holds the segment first. */
  count(tx: Context, projectId: string, segmentId: string): Promise<number>
}

/** 409 while another segment or one of `users` names it. No exits are told; the members are cleared by a job. */
export async function removeSegment(
  ctx: Context,
  projectId: string,
  id: string,
  users: readonly SegmentUser[] = [],
): Promise<void> {
  await inTransaction(ctx, async tx => {
    await lockGraph(tx, projectId)
    if (!(await lockSegment(tx, projectId, id, 'delete'))) throw segmentNotFound(id)
    for (const { noun, count } of [segmentsNaming, ...users]) refuseUsed(noun, await count(tx, projectId, id))
    await deleteSegmentRow(tx, projectId, id)
    await enqueue(tx, 'segment.purge', { segmentId: id }, { projectId })
  })
}

const segmentsNaming: SegmentUser = {
  noun: 'other segment(s)',
  count: async (tx, projectId, id) => (await selectSegmentsNaming(tx, projectId, 'segment', id)).length,
}

function refuseUsed(noun: string, count: number): void {
  if (count > 0) throw conflict(`Cannot delete segment: it is currently used in ${count} ${noun}`)
}

const batchSize = 5_000

/** Deletes what is left of a deleted segment's members, a batch at a time. */
export async function purgeSegmentMembers(
  ctx: Context,
  projectId: string,
  id: string,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  for (;;) {
    signal?.throwIfAborted()
    const deleted = await deleteMembersOfSegment(ctx, projectId, id, batchSize)
    total += deleted
    if (deleted < batchSize) return total
  }
}
