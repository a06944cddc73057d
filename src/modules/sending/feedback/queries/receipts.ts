// Receipts of notifications: claimed by compare-and-set, so that only one of any number of processes works on a notification.
import type { Context } from '../../../../platform/context'
import type { ReceiptStatus, Receiver } from '../schema'

export interface ReceiptKey {
  receiver: Receiver
  key: string
}

/**
 * Claims a notification that is new, has failed, or whose claim is from `abandonedBefore` or earlier; false if somebody works on it
 * or it is done.
 */
export async function claimReceipt(
  ctx: Context,
  { receiver, key }: ReceiptKey,
  claim: { id: string; abandonedBefore: Date; expiresAt: Date },
): Promise<boolean> {
  const now = ctx.clock.now()
  const rows = await ctx.sql`
    insert into feedback_receipts as r (receiver, key, status, claim, claimed_at, tries, created_at, expires_at)
    values (${receiver}, ${key}, 'PROCESSING', ${claim.id}::uuid, ${now}, 1, ${now}, ${claim.expiresAt})
    on conflict (receiver, key) do update
       set status = 'PROCESSING', claim = excluded.claim, claimed_at = excluded.claimed_at, tries = r.tries + 1,
           expires_at = excluded.expires_at
     where r.status = 'FAILED' or (r.status = 'PROCESSING' and r.claimed_at <= ${claim.abandonedBefore}::timestamptz)
    returning 1`
  return rows.length === 1
}

export async function receiptStatus(
  ctx: Context,
  { receiver, key }: ReceiptKey,
): Promise<ReceiptStatus | undefined> {
  const [row] = await ctx.sql<{ status: ReceiptStatus }[]>`
    select status from feedback_receipts where receiver = ${receiver} and key = ${key}`
  return row?.status
}

/** Ends a claim; false if it was taken over by somebody else. */
export async function endReceipt(
  ctx: Context,
  { receiver, key }: ReceiptKey,
  claimId: string,
  status: 'COMPLETED' | 'FAILED',
): Promise<boolean> {
  const { count } = await ctx.sql`
    update feedback_receipts set status = ${status}
     where receiver = ${receiver} and key = ${key} and claim = ${claimId}::uuid and status = 'PROCESSING'`
  return count === 1
}

/** Deletes up to `limit` receipts from before `until`. */
export async function deleteFeedbackReceipts(ctx: Context, until: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from feedback_receipts
     where (receiver, key) in (select receiver, key from feedback_receipts
                                where expires_at < ${until}::timestamptz order by expires_at limit ${limit})`
  return count
}
