// A campaign's message in its layout, and which campaigns use one.
import type { Context } from '../../../../platform/context'
import { inLayout } from '../../../sending/templates'
import { type CampaignRow, selectLayoutUses } from '../queries'

/** The body as it would be sent now; once sending has begun, as it was then. */
export async function joinedBody(
  ctx: Context,
  { projectId, layoutId, body, joinedBody: kept }: CampaignRow,
): Promise<string> {
  return kept ?? (await inLayout(ctx, projectId, layoutId, body))
}

export async function layoutInCampaigns(
  ctx: Context,
  { projectId, layoutId, limit }: { projectId: string; layoutId: string; limit: number },
): Promise<{ count: number; newest: Array<{ id: string; name: string }> }> {
  return selectLayoutUses(ctx, projectId, layoutId, limit)
}
