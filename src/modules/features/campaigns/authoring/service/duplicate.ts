// A copy of a campaign, in whatever state the original is, and whatever of what it names is gone.
import { AppError, badRequest } from '../../../../../lib/errors'
import { type Context, inTransaction } from '../../../../../platform/context'
import { copyName, holdLayout } from '../../../../sending/templates'
import { type CountedCampaign, maxCampaignNameLength } from '../../model'
import { type CampaignRow, insertCampaign } from '../../queries'
import { counted, requireCampaign } from '../../service'
import type { DuplicateBody } from '../duplicate-model'
import { selectAbTest } from '../queries/ab-tests'
import type { Audience } from '../queries/audience'
import { copyAbTest } from './ab-tests'
import { checkAudience, countRecipientsOf, holdAudience } from './audience'
import { inWordsOf } from './variants'
import { newDraft } from './write'

/**
 * A new draft with the same message and audience, whatever the status of the original; or with the recipients of the original who did something
 * with it: 400 for one that was sent to nobody yet.
 */
export async function duplicateCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  { reaction, name }: DuplicateBody,
): Promise<CountedCampaign> {
  const original = await requireCampaign(ctx, projectId, id)
  if (reaction && original.sentAt === null)
    throw badRequest('This campaign has no recipients yet', {
      suggestion: 'Leave out "reaction", or wait until the campaign is sent.',
    })
  return inTransaction(ctx, async tx => {
    const source = reaction ? await asSent(tx, original) : original
    const { audience, isWhole } = await audienceLeft(tx, audienceFor(original, reaction))
    const { description, subject, fromEmail, fromName, replyTo } = source
    const message = {
      name: name ?? copyName(original.name, maxCampaignNameLength),
      description,
      subject,
      ...(await contentLeft(tx, source)),
      fromEmail,
      fromName,
      replyTo,
      timing: reaction ? null : original.timing,
    }
    const row = newDraft(tx, {
      ...audience,
      ...message,
      totalRecipients: isWhole ? await countRecipientsOf(tx, audience) : 0,
    })
    await insertCampaign(tx, row)
    if (!reaction) await copyAbTest(tx, original, row.id, original.layoutId !== null && row.layoutId === null)
    return counted(tx, row)
  })
}

/** Of an A/B test, the variant that won. */
async function asSent(tx: Context, original: CampaignRow): Promise<CampaignRow> {
  const test = await selectAbTest(tx, original.projectId, original.id)
  const won = test?.winner ? test.variants[test.winner] : undefined
  if (!won) return original
  const words = inWordsOf(original, won)
  return won.body === null
    ? words
    : { ...words, body: won.body, editor: won.editor, joinedBody: won.joinedBody }
}

function audienceFor(original: CampaignRow, reaction: DuplicateBody['reaction']): Audience {
  const { projectId, type, audienceType, segmentId, audienceCondition, topicId } = original
  const stored = { projectId, type, audienceType, segmentId, audienceCondition, topicId }
  if (!reaction) return stored
  const filters = [{ field: `campaign.${original.id}`, operator: 'equals', value: reaction }]
  return {
    ...{ projectId, type, topicId, audienceType: 'FILTERED', segmentId: null },
    audienceCondition: { logic: 'AND', groups: [{ filters }] },
  }
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
