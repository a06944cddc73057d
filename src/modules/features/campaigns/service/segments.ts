// What campaigns answer when somebody wants to delete a segment.

import type { Context } from '../../../../platform/context'
import type { SegmentUse } from '../../segments'
import { countActiveNaming } from '../queries'

/** Drafts count as active: without the segment they would have nobody to be sent to. */
export async function segmentInCampaigns(
  tx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<SegmentUse> {
  return { noun: 'active campaign(s)', count: await countActiveNaming(tx, projectId, segmentId) }
}
