// Tells the payment provider what subscribers have used. Units become a report in the database first, each in one report only; a report
// is told under its id, so that a repeated try counts once.
import { after, day } from '../../../lib/time'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import type { JobRun } from '../../../platform/jobs/handlers'
import { Discard } from '../../../platform/jobs/outcome'
import {
  deleteReceipts,
  deleteReports,
  insertReport,
  markReported,
  selectOpenReport,
  selectUnreported,
} from '../queries'

const pageSize = 500

/** A report for each subscriber that has used something since the last one; answers how many. */
export async function reportUsage(ctx: Context, signal: AbortSignal): Promise<number> {
  let reports = 0
  for (let behind: string | undefined; !signal.aborted; ) {
    const ids = await selectUnreported(ctx, behind, pageSize)
    for (const id of ids) if (await inTransaction(ctx, tx => reportProject(tx, id))) reports++
    if (ids.length < pageSize) break
    behind = ids.at(-1)
  }
  return reports
}

/** Puts what is unreported of a subscriber into a report with its job; false where there is nothing. */
export async function reportProject(tx: Context, projectId: string): Promise<boolean> {
  const reportId = newId(tx)
  if (!(await insertReport(tx, projectId, reportId))) return false
  // Without a project: what was used is owed when the project is gone.
  await enqueue(tx, 'billing.report', { reportId })
  return true
}

/** Tells one report; an error is for the job to try again. */
export async function tellReport(
  ctx: Context,
  reportId: string,
  run: Pick<JobRun, 'isLastAttempt'>,
): Promise<void> {
  const report = await selectOpenReport(ctx, reportId)
  if (!report) return
  if (!ctx.payments) throw new Discard('billing is off')
  try {
    await ctx.payments.reportUsage({ ...report, at: report.createdAt })
  } catch (error) {
    if (run.isLastAttempt)
      ctx.log.error(
        { report: reportId, units: report.units },
        'usage could not be reported and is not charged',
      )
    throw error
  }
  await markReported(ctx, reportId)
}

const keptMs = 90 * day
const batch = 5_000

/** Forgets reports that arrived, and receipts of events, of long ago. */
export async function forgetOldReports(ctx: Context, signal: AbortSignal): Promise<void> {
  const until = after(ctx.clock.now(), -keptMs)
  while (!signal.aborted && (await deleteReports(ctx, until, batch)) === batch);
  while (!signal.aborted && (await deleteReceipts(ctx, until, batch)) === batch);
}
