// Deleting segments, which is refused while something names them.

import { conflict } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { type SegmentUse, segmentUses } from '../hooks'
import { segmentKinds } from '../kinds'
import {
  deleteMembersOfSegment,
  deleteSegmentRow,
  lockGraph,
  lockSegment,
  selectSegmentsNaming,
} from '../queries'
import { segmentNotFound } from './read'

/** 409 while anything names it. No exits are recorded; the members are cleared by a job. */
export async function removeSegment(ctx: Context, projectId: string, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    await lockGraph(tx, projectId)
    if (!(await lockSegment(tx, projectId, id, 'delete'))) throw segmentNotFound(id)
    const segments = await selectSegmentsNaming(tx, projectId, 'segment', id)
    refuseUsed({ noun: 'other segment(s)', count: segments.length })
    for (const use of await callHook(tx, segmentUses, { projectId, segmentId: id })) refuseUsed(use)
    await deleteSegmentRow(tx, projectId, id)
    await enqueue(tx, segmentKinds.purge, { segmentId: id }, { projectId })
  })
}

function refuseUsed({ noun, count }: SegmentUse): void {
  if (count > 0) throw conflict(`Cannot delete segment: it is currently used in ${count} ${noun}`)
}

const batchSize = 5_000

/** Deletes what is left of a deleted segment's members, a batch at a time. */
export async function deleteSegmentMembers(
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
