// Takes a notification exactly once, however often it is delivered, and whatever crashes in between: it is claimed first, completed in
// the transaction that applies it, and released when that fails.
import { AppError } from '../../../../lib/errors'
import { after, day, minute } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { claimReceipt, deleteFeedbackReceipts, endReceipt, type ReceiptKey, receiptStatus } from '../queries'

/** A claim that is older belongs to a process that died. */
const leaseMs = 5 * minute
/** Longer than any sender goes on repeating a notification. */
const keptMs = 7 * day

export type Once<T> = { isDuplicate: true } | { isDuplicate: false; result: T }

/** Runs `work` in a transaction that also completes the receipt. 503 while somebody else works on it: try again. */
export async function withReceipt<T>(
  ctx: Context,
  receipt: ReceiptKey,
  work: (tx: Context) => Promise<T>,
): Promise<Once<T>> {
  const claimId = newId(ctx)
  if (!(await claim(ctx, receipt, claimId))) return { isDuplicate: true }
  try {
    const result = await inTransaction(ctx, async tx => {
      if (!(await endReceipt(tx, receipt, claimId, 'COMPLETED'))) throw inProgress()
      return work(tx)
    })
    return { isDuplicate: false, result }
  } catch (error) {
    // If even this fails, the lease expires.
    await endReceipt(ctx, receipt, claimId, 'FAILED').catch(() => {})
    throw error
  }
}

/** False for a notification that is done. */
async function claim(ctx: Context, receipt: ReceiptKey, id: string): Promise<boolean> {
  const now = ctx.clock.now()
  const terms = { id, abandonedBefore: after(now, -leaseMs), expiresAt: after(now, keptMs) }
  if (await claimReceipt(ctx, receipt, terms)) return true
  if ((await receiptStatus(ctx, receipt)) === 'COMPLETED') return false
  throw inProgress()
}

function inProgress(): AppError {
  return unavailable('This notification is being worked on')
}

/** A 503: nothing is wrong with the request, and it should be sent again. */
export function unavailable(message: string, cause?: unknown): AppError {
  const suggestion = 'Send it again in a moment.'
  return new AppError(503, 'SERVICE_UNAVAILABLE', message, {
    suggestion,
    cause,
    headers: { 'Retry-After': '5' },
  })
}

const pruneBatch = 5_000

/** Deletes old receipts. */
export async function pruneReceipts(ctx: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await deleteFeedbackReceipts(ctx, ctx.clock.now(), pruneBatch)) === pruneBatch);
}
