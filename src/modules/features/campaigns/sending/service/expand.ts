// Records a campaign's recipients. Page, cursor, slice and the job that sends the slice are one transaction: a crash repeats
// nothing and loses nothing.
import { AppError } from '../../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../../platform/context'
import { isConnectionFault, violates } from '../../../../../platform/db/errors'
import type { JobRun } from '../../../../../platform/jobs/kind'
import { Snooze } from '../../../../../platform/jobs/outcome'
import { withinAllowance } from '../../../../sending/emails'
import { classOf } from '../../authoring/compose'
import { selectAbTest, startTestClock } from '../../authoring/queries/ab-tests'
import type { AudienceQuery } from '../../authoring/queries/audience'
import { audienceQuery } from '../../authoring/service/audience'
import { finishCampaign } from '../../queries'
import {
  commitWithoutWaiting,
  type ExpandedPage,
  type Expansion,
  insertPage,
  selectExpansion,
  wordsByVariant,
} from '../queries/expansion'
import { enqueueSlices } from './control'
import { momentsFor } from './moments'
import { pauseUntilResumed, whyNotStarted } from './recovery'

const pageSize = 1_000

interface CampaignId {
  projectId: string
  campaignId: string
}

/** Runs that may fail before the campaign says so: the job itself retries for days, and nobody would see why nothing happens. */
const quietRuns = 4

/** Like `expandCampaign`, for the job: what fails again and again pauses the campaign and says so. */
export async function expandOrPause(
  ctx: Context,
  ids: CampaignId,
  run: Pick<JobRun, 'signal' | 'attempt'>,
): Promise<void> {
  try {
    await expandCampaign(ctx, ids, run)
  } catch (error) {
    if (error instanceof Snooze || isConnectionFault(error) || run.attempt <= quietRuns) throw error
    ctx.log.error({ campaign: ids.campaignId, error: String(error) }, 'recipients could not be recorded')
    await pauseUntilResumed(ctx, ids, whyNotStarted(error))
  }
}

/** Page after page until all recipients are recorded; goes on later where it has to stop. */
export async function expandCampaign(
  ctx: Context,
  { projectId, campaignId }: CampaignId,
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  // Again where the cursor was moved meanwhile, by a worker that has lost its lease and may stop at any moment, or by a crash of the database.
  for (let isLast = false; !isLast; ) {
    const found = await selectExpansion(ctx, projectId, campaignId)
    if (!found) break
    const audience = await audienceQuery(ctx, found)
    const moments = await momentsFor(ctx, found, found.startedAt)
    const words = await wordsOfRows(ctx, { ...found, campaignId })
    const start = { ...found, ...classOf(found.type), ...words, campaignId, moments }
    isLast = await expandFrom(ctx, audience, start, run)
  }
  // Nobody may be in the audience any more, or all slices may be done already.
  await startTestClock(ctx, { projectId, campaignId })
  await finishCampaign(ctx, projectId, campaignId)
}

/** The words in the rows: in an A/B test those of each recipient's variant, and for the others those of A until there is a winner. */
async function wordsOfRows(
  ctx: Context,
  { projectId, campaignId, subject, fromName }: CampaignId & { subject: string; fromName: string },
): Promise<Pick<Expansion, 'subject' | 'fromName'>> {
  const test = await selectAbTest(ctx, projectId, campaignId)
  if (!test) return { subject, fromName }
  const { variants, ends } = test
  const by = (own: string, words: Array<string | null>) => wordsByVariant({ ends }, campaignId, own, words)
  return {
    subject: by(
      subject,
      variants.map(each => each.subject),
    ),
    fromName: by(
      fromName,
      variants.map(each => each.fromName),
    ),
  }
}

/** False if the cursor is not where it was left. */
async function expandFrom(
  ctx: Context,
  audience: AudienceQuery,
  start: Expansion,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<boolean> {
  for (let from = start; ; ) {
    const { isOurs, found, last } = await expandPage(ctx, audience, from)
    if (!isOurs || found < pageSize) return isOurs
    if (signal.aborted) throw new Snooze(0)
    from = { ...from, after: last! }
  }
}

async function expandPage(ctx: Context, audience: AudienceQuery, from: Expansion): Promise<ExpandedPage> {
  const nothing = { isOurs: false, found: 0, last: null }
  try {
    return await inTransaction(ctx, tx => writePage(tx, audience, from, false))
  } catch (error) {
    if (error instanceof AppError && error.code === 'BILLING_LIMIT_EXCEEDED') {
      await pauseUntilResumed(ctx, from, error.message)
      return nothing
    }
    // Some rows are there although the cursor says otherwise: nothing we do leaves that behind, but a restored backup may.
    if (!violates(error, 'emails_campaign')) throw error
    return await inTransaction(ctx, tx => writePage(tx, audience, from, true))
  }
}

/**
 * All statements are on their way before the first is answered. So the job may be for a slice that was not made, or of
 * a campaign that is paused: it will find nothing to do.
 */
async function writePage(
  tx: Context,
  audience: AudienceQuery,
  from: Expansion,
  passesOver: boolean,
): Promise<ExpandedPage> {
  const { projectId, sourceType } = from
  return await withinAllowance(tx, { projectId, sourceType, count: pageSize }, async () => {
    const sliceId = newId(tx)
    const [page] = await Promise.all([
      insertPage(tx, audience, from, sliceId, { limit: pageSize, passesOver }),
      enqueueSlices(tx, [{ id: sliceId, projectId }]),
    ])
    if (page.found === pageSize) await commitWithoutWaiting(tx)
    return page
  })
}
