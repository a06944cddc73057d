// A copy of a campaign, in whatever state the original is, and whatever of what it names is gone.
import { AppError } from '../../../../../lib/errors'
import { type Context, inTransaction } from '../../../../../platform/context'
import { copyName, holdLayout } from '../../../../sending/templates'
import { type CountedCampaign, maxCampaignNameLength } from '../../model'
import { type CampaignRow, insertCampaign } from '../../queries'
import { counted, requireCampaign } from '../../service'
import type { Audience } from '../queries/audience'
import { copyAbTest } from './ab-tests'
import { checkAudience, countRecipientsOf, holdAudience } from './audience'
import { newDraft } from './write'

/** A new draft with the same message and audience, whatever the status of the original. */
export async function duplicateCampaign(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<CountedCampaign> {
  const original = await requireCampaign(ctx, projectId, id)
  return inTransaction(ctx, async tx => {
    const { name, description, subject, fromEmail, fromName, replyTo } = original
    const { type, audienceType, segmentId, audienceCondition, topicId } = original
    const { audience, isWhole } = await audienceLeft(tx, {
      projectId,
      type,
      audienceType,
      segmentId,
      audienceCondition,
      topicId,
    })
    const message = {
      name: copyName(name, maxCampaignNameLength),
      description,
      subject,
      ...(await contentLeft(tx, original)),
      fromEmail,
      fromName,
      replyTo,
      timing: original.timing,
    }
    const row = newDraft(tx, {
      ...audience,
      ...message,
      totalRecipients: isWhole ? await countRecipientsOf(tx, audience) : 0,
    })
    await insertCampaign(tx, row)
    await copyAbTest(tx, original, row.id, original.layoutId !== null && row.layoutId === null)
    return counted(tx, row)
  })
}

/** The layout of a campaign that was sent may be gone: the copy is then the mail as it left. */
async function contentLeft(
  tx: Context,
  { projectId, body, editor, layoutId, joinedBody }: CampaignRow,
): Promise<Pick<CampaignRow, 'body' | 'editor' | 'layoutId'>> {
  if (!layoutId || (await holdLayout(tx, projectId, layoutId))) return { body, editor, layoutId }
  return joinedBody === null
    ? { body, editor, layoutId: null }
    : { body: joinedBody, editor: null, layoutId: null }
}

/** The audience of a campaign that was sent may name a segment that is gone: the copy has none, until somebody chooses another. */
async function audienceLeft(
  tx: Context,
  stored: Audience,
): Promise<{ audience: Audience; isWhole: boolean }> {
  if (stored.audienceType === 'SEGMENT' && !stored.segmentId) return { audience: stored, isWhole: false }
  const audience = checkAudience(stored)
  try {
    await holdAudience(tx, audience)
    return { audience, isWhole: true }
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
    return { audience: { ...audience, segmentId: null }, isWhole: false }
  }
}
