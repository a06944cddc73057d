// Sends the reports of usage to the payment provider, which must count each of them once. The provider recognises a repeated id for a
// day; after that it is asked what it has counted before a report is sent again.
import { inBatches } from '../../../../lib/batches'
import { after, day, hour, minute } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { enqueue, enqueueMany } from '../../../../platform/jobs/enqueue'
import type { JobRun } from '../../../../platform/jobs/kind'
import { type PaymentProvider, Refused } from '../../../../platform/payments/provider'
import type { MonthUsage } from '../../../sending/emails'
import { billingKinds } from '../kinds'
import {
  addUsage,
  deletePaymentReceipts,
  deleteReports,
  insertReport,
  markAsked,
  markReported,
  type ReportRow,
  selectOpenReport,
  selectOverdueReports,
  selectUnreported,
  sumReported,
  unmarkAsked,
} from '../queries'

/** The attempts of a report's first job have ended by then. */
export const overdueMs = 6 * hour
/** How long an id is recognised for certain: Stripe says 24 hours or more, less the time that a call takes. */
const knownMs = 23 * hour
const pageSize = 500

export function reportKey(reportId: string): string {
  return `billing.report:${reportId}`
}

/** Sends one report; on an error the job tries again. */
export async function tellReport(
  ctx: Context,
  reportId: string,
  run: Pick<JobRun, 'isLastAttempt'>,
): Promise<void> {
  const report = await selectOpenReport(ctx, reportId)
  if (!report) return
  if (!ctx.payments) return
  try {
    await tell(ctx, ctx.payments, report)
  } catch (error) {
    if (run.isLastAttempt)
      ctx.log.error(
        { report: reportId, units: report.units },
        'usage could not be reported yet; it is retried until it is',
      )
    throw error
  }
  await markReported(ctx, reportId)
}

/** All attempts that may have been counted are for the same moment, so that there is only one place to look for them. */
async function tell(ctx: Context, payments: PaymentProvider, report: ReportRow): Promise<void> {
  const { id, customer, units, askedAt } = report
  const now = ctx.clock.now()
  const isKnown = askedAt !== null && askedAt > after(now, -knownMs)
  if (askedAt && !isKnown && (await wasCounted(ctx, payments, customer, askedAt))) return
  const at = isKnown ? askedAt : now
  if (!isKnown) await markAsked(ctx, id, at)
  try {
    await payments.reportUsage({ id, customer, units, at })
  } catch (error) {
    if (!isKnown && error instanceof Refused) await unmarkAsked(ctx, id, at)
    throw error
  }
}

/**
 * Whether the provider has counted more in that minute than is known to have arrived. Of several doubtful reports in one minute, rather
 * too many count as arrived than one is charged twice.
 */
async function wasCounted(
  ctx: Context,
  payments: PaymentProvider,
  customer: string,
  at: Date,
): Promise<boolean> {
  const start = new Date(Math.floor(at.getTime() / minute) * minute)
  const end = after(start, minute)
  const [counted, known] = await Promise.all([
    payments.countUsage(customer, start, end),
    sumReported(ctx, customer, start, end),
  ])
  return counted > known
}

/** Gives a new job to every report that has not arrived for hours, unless it has one; returns how many got one. */
export async function resumeReports(ctx: Context, signal: AbortSignal): Promise<number> {
  const until = after(ctx.clock.now(), -overdueMs)
  let resumed = 0
  for (let behind: string | undefined; !signal.aborted; ) {
    const ids = await selectOverdueReports(ctx, until, behind, pageSize)
    const jobs = ids.map(reportId => ({ args: { reportId }, uniqueKey: reportKey(reportId) }))
    resumed += await enqueueMany(ctx, billingKinds.report, jobs)
    if (ids.length < pageSize) break
    behind = ids.at(-1)
  }
  return resumed
}

/** Counts what the ledger has rolled up. */
export async function countUsage(tx: Context, usage: readonly MonthUsage[]): Promise<void> {
  await addUsage(tx, usage)
}

/** Makes a report for each subscriber that has used something since the last one; returns how many. */
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

/** Puts a subscriber's unreported use into a report with its job; false if there is none. */
export async function reportProject(tx: Context, projectId: string): Promise<boolean> {
  const reportId = newId(tx)
  if (!(await insertReport(tx, projectId, reportId))) return false
  // Without a project: what was used is owed even when the project is gone.
  await enqueue(tx, billingKinds.report, { reportId }, { uniqueKey: reportKey(reportId) })
  return true
}

const keptMs = 90 * day

/** Deletes old reports that arrived, and old receipts of events. */
export async function pruneUsageReports(ctx: Context, signal: AbortSignal): Promise<void> {
  const until = after(ctx.clock.now(), -keptMs)
  await inBatches(5_000, limit => deleteReports(ctx, until, limit), signal)
  await inBatches(5_000, limit => deletePaymentReceipts(ctx, until, limit), signal)
}
