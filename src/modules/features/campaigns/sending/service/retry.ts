// Sends again to those that a campaign did not reach: the first page at once, the others by a job, each in a transaction of its own, so
// that a million rows hold up nobody. A campaign that was SENT is SENDING again until they are done.
import { AppError } from '../../../../../lib/errors'
import { nilUuid } from '../../../../../lib/ids'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueue } from '../../../../../platform/jobs/enqueue'
import { Snooze } from '../../../../../platform/jobs/outcome'
import type { ProjectActor } from '../../../../accounts/projects'
import { requireVerifiedSender } from '../../../../sending/domains'
import { requireAllowance, withinAllowance } from '../../../../sending/emails'
import { classOf } from '../../authoring/compose'
import { isForSubscribed } from '../../authoring/service/audience'
import { campaignKinds } from '../../kinds'
import { type CampaignRow, changeCampaign, finishCampaign, lockCampaign } from '../../queries'
import { appendCounts, selectCampaignCounts } from '../../results/queries/counts'
import { campaignNotFound, noteCampaign } from '../../service'
import { isAllowed, requireAllowed } from '../../state'
import { takeBackLeftOut } from '../queries/receivers'
import { countRetryable, type Requeued, type RetryPage, requeueRecipients } from '../queries/retry'
import { selectOpenSlices } from '../queries/slices'
import { enqueueSlices } from './control'

export interface Retried {
  requeued: number
  /** FAILED and SKIPPED recipients that were left alone. */
  skipped: number
}

export interface RetrySizes {
  /** Rows per transaction. */
  page: number
  /** Rows after the first page that the request looks at to say how many there are. */
  counted: number
}

const defaultSizes: RetrySizes = { page: 10_000, counted: 100_000 }
/** Queues again those who were not reached, where that may help. */
export async function retryFailed(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
  sizes = defaultSizes,
): Promise<Retried> {
  return inTransaction(ctx, async tx => {
    const row = await lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    requireAllowed('retry', row)
    const { failed, skipped } = (await selectCampaignCounts(tx, projectId, [id])).get(id)!
    const page = pageOf(row, nilUuid, sizes.page)
    const done = await requeuePage(tx, row, page)
    const remaining = await lookAhead(tx, page, done, { limit: sizes.counted, closed: failed + skipped })
    const requeued = done.failed + done.skipped + remaining.again
    if (requeued > 0) await requireVerifiedSender(tx, projectId, row.fromEmail)
    if (remaining.again > 0) {
      const sourceType = classOf(row.type).sourceType
      await requireAllowance(tx, { projectId, sourceType, count: remaining.again })
      const until = tx.clock.now().toISOString()
      await enqueue(tx, campaignKinds.retry, { campaignId: id, after: done.last!, until }, { projectId })
    }
    if (requeued > 0) {
      await takeBackLeftOut(tx, projectId, id)
      await noteCampaign(tx, by, 'campaign.retried', row, { requeued })
    }
    return { requeued, skipped: done.left + remaining.left }
  })
}

function pageOf({ projectId, id, type }: CampaignRow, after: string, limit: number): RetryPage {
  return { projectId, campaignId: id, subscribedOnly: isForSubscribed(type), after, limit }
}

/** What the job will find. Of very many, those that are not looked at count as if another attempt might help them. */
async function lookAhead(
  tx: Context,
  page: RetryPage,
  { failed, skipped, left, last }: Requeued,
  { limit, closed }: { limit: number; closed: number },
): Promise<{ again: number; left: number }> {
  const found = failed + skipped + left
  if (last === null || found < page.limit) return { again: 0, left: 0 }
  const seen = await countRetryable(tx, { ...page, after: last, limit })
  const isAll = seen.again + seen.left < limit
  const unseen = isAll ? 0 : Math.max(0, closed - found - seen.again - seen.left)
  return { again: seen.again + unseen, left: seen.left }
}

/** One page, with the counts and the state that follow from it. The caller has locked the campaign. */
async function requeuePage(tx: Context, row: CampaignRow, page: RetryPage): Promise<Requeued> {
  const { projectId, id, type, totalRecipients } = row
  const count = Math.min(page.limit, totalRecipients)
  const most = { projectId, sourceType: classOf(type).sourceType, count }
  const done = await withinAllowance(tx, most, () => requeueRecipients(tx, page))
  const { failed, skipped, capped } = done
  const requeued = failed + skipped
  if (requeued === 0) return done
  const { settled } = (await selectCampaignCounts(tx, projectId, [id])).get(id)!
  await appendCounts(tx, [
    { projectId, campaignId: id, settled: -requeued, failed: -failed, skipped: -skipped, capped: -capped },
  ])
  await changeCampaign(tx, row, 'retry', {
    status: 'SENDING',
    finishedAt: null,
    measuredFrom: tx.clock.now(),
    measuredBase: settled - requeued,
  })
  if (!row.pausedAt) await enqueueSlices(tx, await selectOpenSlices(tx, projectId, id))
  return done
}

/** Where a request has left off, and when it was made. */
export interface RetryRest {
  projectId: string
  campaignId: string
  after: string
  until: Date
}

/**
 * Page after page, after the first. Run twice it does nothing twice: what has failed again since the request is left out. It
 * ends where the campaign was canceled meanwhile, or billing allows no more: the others stay FAILED and can be retried.
 */
export async function retryRest(
  ctx: Context,
  { projectId, campaignId, after, until }: RetryRest,
  signal: AbortSignal,
  { page: limit } = defaultSizes,
): Promise<void> {
  for (let from: string | null = after; from !== null; ) {
    if (signal.aborted) throw new Snooze(0)
    const at: string = from
    try {
      from = await inTransaction(ctx, async tx => {
        const row = await lockCampaign(tx, projectId, campaignId)
        if (!row || !isAllowed('retry', row)) return null
        const page = { ...pageOf(row, at, limit), until }
        const { failed, skipped, left, last } = await requeuePage(tx, row, page)
        return failed + skipped + left < limit ? null : last
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'BILLING_LIMIT_EXCEEDED') throw error
      ctx.log.warn({ campaign: campaignId, reason: error.message }, 'not all that failed is sent again')
      break
    }
  }
  await finishCampaign(ctx, projectId, campaignId)
}
