// Who entered a tracked segment and who left it.
import type { Context } from '../../../../platform/context'
import { segmentEvent } from '../../../audience/events'
import { countHistory, type MembershipChange, selectHistory } from '../queries'
import { getSegment } from './read'

const maxCounted = 10_000

/** Newest first, under the name that the segment has now; one row more than `limit` where there are more. */
export async function listHistory(
  ctx: Context,
  projectId: string,
  id: string,
  page: { after: { at: Date; id: string } | null; limit: number },
): Promise<{ rows: MembershipChange[]; total: number }> {
  const segment = await getSegment(ctx, projectId, id)
  const listing = {
    segmentId: id,
    entry: segmentEvent(segment, 'entry'),
    exit: segmentEvent(segment, 'exit'),
    ...page,
  }
  const [rows, total] = await Promise.all([
    selectHistory(ctx, projectId, listing),
    page.after === null ? countHistory(ctx, projectId, listing, maxCounted) : 0,
  ])
  return { rows, total }
}
