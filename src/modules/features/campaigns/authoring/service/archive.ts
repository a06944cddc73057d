// What is read in a browser, without what measures opens and clicks: the message behind the link in it, as its recipient got it; and the public
// archive of a topic, whose campaigns are rendered for nobody in particular.
import { AppError } from '../../../../../lib/errors'
import { isUuid } from '../../../../../lib/ids'
import { createTemplateCache } from '../../../../../liquid/cache'
import type { Context } from '../../../../../platform/context'
import { perContext } from '../../../../../platform/per-context'
import { getEmail, projectOfView, renderContent } from '../../../../sending/emails'
import { buildScope, renderPatiently } from '../../../../sending/templates'
import type { CountedCampaign } from '../../model'
import { findSentCampaign, type SentCampaign, selectCampaign } from '../../queries'
import { campaignNotFound, counted } from '../../service'
import { type VariantName, variantNames } from '../ab-test'
import type { ArchiveEntry, PublicTopic } from '../archive-page'
import { findArchived, pageOfArchived, selectPublicTopic, setInArchive } from '../queries/archive'
import { asVariant, joinedBody } from './variants'

/** 404 for one that is not there. */
export async function markForArchive(
  ctx: Context,
  projectId: string,
  id: string,
  inArchive: boolean,
): Promise<CountedCampaign> {
  const row = await setInArchive(ctx, projectId, id, inArchive)
  if (!row) throw campaignNotFound(id)
  return await counted(ctx, row)
}

const cacheOf = perContext(() => createTemplateCache(4 * 1024 * 1024))

/** No data, no links of a recipient, no footer. */
function forNobody(ctx: Context, campaign: SentCampaign) {
  const links = { unsubscribeUrl: '', subscribeUrl: '', manageUrl: '' }
  const scope = buildScope({ contact: { id: '', email: '', data: {} }, links })
  return renderPatiently(ctx, campaign.projectId, () => renderContent(cacheOf(ctx), campaign, scope))
}

export interface ReadableMessage {
  subject: string
  html: string
  text: string
}

/**
 * Behind the link in a message, or in a test of a campaign. Undefined for a false link, and for a message that is gone, was erased, or whose
 * content is no longer kept.
 */
export async function findMessage(
  ctx: Context,
  id: string,
  token: string,
  variant: string | null,
): Promise<ReadableMessage | undefined> {
  const projectId = isUuid(id) ? projectOfView(ctx.vault, id.toLowerCase(), token) : undefined
  if (projectId === undefined) return undefined
  try {
    const { email } = await getEmail(ctx, projectId, id)
    const { subject, html, text } = email
    return html === '' && text === '' ? undefined : { subject, html, text }
  } catch (error) {
    if (error instanceof AppError && error.status === 404)
      return await findTested(ctx, projectId, id, variant)
    throw error
  }
}

/** The campaign as a test of it is now, without the data of its recipient: the link is in a message that may be handed on. */
async function findTested(
  ctx: Context,
  projectId: string,
  id: string,
  variant: string | null,
): Promise<ReadableMessage | undefined> {
  const row = await selectCampaign(ctx, projectId, id)
  if (!row) return undefined
  try {
    const campaign = await asVariant(ctx, row, isVariantName(variant) ? variant : undefined)
    const body = await joinedBody(ctx, campaign)
    return await forNobody(ctx, { ...campaign, body, project: { name: '', language: '' } })
  } catch (error) {
    // What was a message when the test was sent may be broken by now, or the variant gone.
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}

const isVariantName = (name: string | null): name is VariantName => variantNames.includes(name as VariantName)

/** The topic of a public archive. */
export async function findArchive(
  ctx: Context,
  projectId: string,
  topicId: string,
): Promise<PublicTopic | undefined> {
  return isUuid(projectId) && isUuid(topicId) ? await selectPublicTopic(ctx, projectId, topicId) : undefined
}

const pageSize = 20

/** Newest first; `more`: where the next page begins. */
export async function listArchive(
  ctx: Context,
  topic: PublicTopic,
  behind?: { sentAt: Date; id: string },
): Promise<{ entries: ArchiveEntry[]; more: ArchiveEntry | undefined }> {
  const place = { projectId: topic.projectId, topicId: topic.id }
  const rows = await pageOfArchived(ctx, place, { behind, limit: pageSize + 1 })
  const entries: ArchiveEntry[] = []
  for (const { id, projectId, sentAt, subject: unrendered } of rows.slice(0, pageSize)) {
    const nothing = {
      body: '',
      type: 'MARKETING',
      topicId: null,
      project: { name: '', language: '' },
    } as const
    const { subject } = await forNobody(ctx, { ...nothing, projectId, subject: unrendered })
    entries.push({ id, sentAt, subject })
  }
  return { entries, more: rows.length > pageSize ? entries.at(-1) : undefined }
}

/** Undefined for a campaign that the archive does not show. */
export async function findArchivedMessage(
  ctx: Context,
  { projectId, id: topicId }: PublicTopic,
  campaignId: string,
): Promise<ReadableMessage | undefined> {
  if (!isUuid(campaignId) || !(await findArchived(ctx, { projectId, topicId }, campaignId))) return undefined
  const campaign = await findSentCampaign(ctx, projectId, campaignId)
  return campaign && (await forNobody(ctx, campaign))
}
