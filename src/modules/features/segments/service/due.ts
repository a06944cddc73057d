// Whether emails are sent by a segment.
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { segmentEvent } from '../../../audience/events'
import { eventsDue, segmentDue } from '../hooks'
import { type SegmentRow, selectDependents, selectTracked } from '../queries'

/**
 * Whether emails are sent without any further action to contacts in the segment or in one that names it, or to those who enter or leave
 * one of them.
 */
export async function isSegmentDue(
  ctx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<boolean> {
  const id = segmentId.toLowerCase()
  const ids = [id, ...(await selectDependents(ctx, projectId, id))]
  for (const named of ids)
    if ((await callHook(ctx, segmentDue, { projectId, segmentId: named })).includes(true)) return true
  return await areMovesDue(ctx, projectId, await selectTracked(ctx, projectId, ids))
}

/** Whether workflows that are on start with contacts that enter or leave tracked segments of these names. */
export async function areMovesDue(
  ctx: Context,
  projectId: string,
  tracked: ReadonlyArray<Pick<SegmentRow, 'id' | 'name'>>,
): Promise<boolean> {
  const names = tracked.flatMap(each => [segmentEvent(each, 'entry'), segmentEvent(each, 'exit')])
  return names.length > 0 && (await callHook(ctx, eventsDue, { projectId, names })).includes(true)
}
