// Classifies the hits on messages that have been quiet for a moment, and hands them on as reports: those of people and of programs apart.

import { after, minute, second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { classifyHits, type Suspect } from '../../../../tracking/classify'
import { isTracked } from '../../emails'
import {
  deleteOldSuspects,
  lockJudging,
  type QuietMail,
  type StoredHit,
  selectQuietMails,
  selectSuspects,
  takeHits,
  upsertSuspects,
} from '../queries/tracking'
import type { DeliveryReport } from '../report'
import { applyReports } from './apply'

/** A scanner does not pause; whoever comes after one is somebody else. */
export const quietMs = 5 * second
/** A message that is never quiet is classified all the same. */
export const maxWaitMs = minute

const mailsAtOnce = 1000
const hitsAtOnce = 10_000

/** Runs until no more messages have been quiet for long enough. */
export async function classifyQuietHits(ctx: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) if ((await classifyBatch(ctx)) === 0) break
  await deleteOldSuspects(ctx, 5_000)
}

async function classifyBatch(ctx: Context): Promise<number> {
  return await inTransaction(ctx, async tx => {
    if (!(await lockJudging(tx))) return 0
    const now = tx.clock.now()
    const quiet = { since: after(now, -quietMs), anywayBefore: after(now, -maxWaitMs) }
    const mails = await selectQuietMails(tx, quiet, mailsAtOnce, hitsAtOnce)
    if (mails.length === 0) return 0
    const hits = Map.groupBy(await takeHits(tx, mails), hit => hit.emailId)
    const suspects = Map.groupBy(await selectSuspects(tx, mails), suspect => suspect.emailId)
    const judged = mails.map(mail =>
      classifyMail(mail, hits.get(mail.emailId) ?? [], suspects.get(mail.emailId)),
    )
    await upsertSuspects(
      tx,
      judged.flatMap(one => one.found),
    )
    await applyReports(
      tx,
      judged.flatMap(one => one.reports),
    )
    return mails.length
  })
}

/** Hits on a message that is gone, or no longer tracked, have no effect. */
function classifyMail(mail: QuietMail, hits: StoredHit[], suspects: Suspect[] = []) {
  const { projectId, emailId, sourceType, mode, tracking, arrivedAt } = mail
  if (sourceType === null || mode === null || !isTracked(mode, sourceType, tracking))
    return { reports: [], found: [] }
  const { judged, found } = classifyHits(hits, arrivedAt, suspects)
  return {
    reports: judged.flatMap(({ kind, link, at, reason, hits: count }) => {
      const report: DeliveryReport = {
        ...{ projectId, emailId, at, source: 'own', machine: reason !== undefined },
        ...(kind === 'open' ? { kind: 'opened' } : { kind: 'clicked', link }),
      }
      return Array.from({ length: count }, () => report)
    }),
    found: found.map(suspect => ({ ...suspect, projectId, emailId })),
  }
}
