// Puts what subscribers have used into reports for the payment provider, each unit into only one.

import { after, day } from '../../../lib/time'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import type { MonthUsage } from '../../emails'
import { billingKinds } from '../kinds'
import { addUsage, deletePaymentReceipts, deleteReports, insertReport, selectUnreported } from '../queries'
import { reportKey } from './reports'

/** Counts what the ledger has rolled up. */
export async function countUsage(tx: Context, usage: readonly MonthUsage[]): Promise<void> {
  await addUsage(tx, usage)
}

const pageSize = 500

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
const batch = 5_000

/** Deletes old reports that arrived, and old receipts of events. */
export async function pruneUsageReports(ctx: Context, signal: AbortSignal): Promise<void> {
  const until = after(ctx.clock.now(), -keptMs)
  while (!signal.aborted && (await deleteReports(ctx, until, batch)) === batch);
  while (!signal.aborted && (await deletePaymentReceipts(ctx, until, batch)) === batch);
}
