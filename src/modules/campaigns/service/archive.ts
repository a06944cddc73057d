// Campaigns for everybody: those that their author marked, of a topic whose archive is public, rendered for nobody in particular.
import { createTemplateCache } from '../../../liquid/cache'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
import { renderContent } from '../../emails'
import { buildScope, renderPatiently } from '../../templates'
import type { CountedCampaign } from '../model'
import { findArchived, findSentCampaign, type SentCampaign, setInArchive } from '../queries'
import { campaignNotFound, counted } from './read'

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

/** Of its topic, which is public. */
export interface ArchivePlace {
  projectId: string
  topicId: string
}

const cacheOf = perContext(() => createTemplateCache(4 * 1024 * 1024))

/** Undefined for a campaign that the archive does not show. */
export async function archivedContent(
  ctx: Context,
  { projectId, topicId }: ArchivePlace,
  id: string,
): Promise<{ subject: string; html: string; text: string } | undefined> {
  if (!(await findArchived(ctx, { projectId, topicId }, id))) return undefined
  const campaign = await findSentCampaign(ctx, projectId, id)
  return campaign && (await renderPatiently(ctx, projectId, () => forNobody(ctx, campaign)))
}

/** No data, no links of a recipient, no footer. */
function forNobody(ctx: Context, campaign: SentCampaign) {
  const links = { unsubscribeUrl: '', subscribeUrl: '', manageUrl: '' }
  const scope = buildScope({ contact: { id: '', email: '', data: {} }, links })
  return renderContent(cacheOf(ctx), campaign, scope)
}

/** The subjects as everybody sees them. */
export async function archivedSubjects(
  ctx: Context,
  campaigns: ReadonlyArray<Pick<SentCampaign, 'projectId' | 'subject'>>,
): Promise<string[]> {
  const subjects: string[] = []
  for (const { projectId, subject } of campaigns) {
    const rendered = await renderPatiently(ctx, projectId, () =>
      forNobody(ctx, {
        projectId,
        subject,
        body: '',
        type: 'MARKETING',
        topicId: null,
        project: { name: '', language: '' },
      }),
    )
    subjects.push(rendered.subject)
  }
  return subjects
}
