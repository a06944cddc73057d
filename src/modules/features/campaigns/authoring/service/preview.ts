// A campaign as one recipient would see it, what may be wrong with it, and how many would get it.
import { AppError } from '../../../../../lib/errors'
import type { Context } from '../../../../../platform/context'
import {
  findLayoutBody,
  type Preview,
  type PreviewProject,
  previewMessage,
} from '../../../../sending/templates'
import { requireCampaign } from '../../service'
import type { VariantName } from '../ab-test'
import { reachOf } from './reach'
import { asVariant } from './variants'

export interface CampaignPreview extends Preview {
  audience: { matching: number; recipients: number }
}

export async function previewCampaign(
  ctx: Context,
  project: PreviewProject,
  id: string,
  { variant, ...example }: { contactId?: string; data?: Record<string, unknown>; variant?: VariantName },
): Promise<CampaignPreview> {
  const campaign = await asVariant(ctx, await requireCampaign(ctx, project.id, id), variant)
  const { subject, type, joinedBody } = campaign
  const layout = joinedBody === null ? await findLayoutBody(ctx, project.id, campaign.layoutId) : undefined
  const message = { subject, body: joinedBody ?? campaign.body, type, ...(layout ? { layout } : {}) }
  const [preview, audience] = await Promise.all([
    previewMessage(ctx, project, { ...message, ...example }),
    reachOf(ctx, campaign).catch(nobodyWithoutSegment),
  ])
  const { matching, recipients } = audience
  return { ...preview, audience: { matching, recipients } }
}

/** A message can be looked at although the segment that it was meant for is gone. */
function nobodyWithoutSegment(error: unknown): { matching: number; recipients: number } {
  if (error instanceof AppError && error.status < 500) return { matching: 0, recipients: 0 }
  throw error
}
