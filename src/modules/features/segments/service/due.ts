// Whether emails are sent by a segment.
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { segmentDue } from '../hooks'
import { selectDependents } from '../queries'

/** Whether emails will be sent by the segment, or by one that names it, without anyone doing something more. */
export async function isSegmentDue(
  ctx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<boolean> {
  const id = segmentId.toLowerCase()
  for (const named of [id, ...(await selectDependents(ctx, projectId, id))])
    if ((await callHook(ctx, segmentDue, { projectId, segmentId: named })).includes(true)) return true
  return false
}
