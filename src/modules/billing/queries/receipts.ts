// Events of the payment provider: each id is taken once, in the transaction of its effects.
import type { Context } from '../../../platform/context'
import type { PaymentEvent } from '../../../platform/payments/provider'

/** False for an event that was taken already; if another transaction is taking it, this waits for that one. */
export async function insertReceipt(ctx: Context, event: PaymentEvent): Promise<boolean> {
  const invoice = 'invoice' in event ? event.invoice : null
  const rows = await ctx.sql`
    insert into payment_receipts (event_id, type, invoice, created_at)
    values (${event.id}, ${event.type}, ${invoice}, ${ctx.clock.now()})
    on conflict (event_id) do nothing returning 1`
  return rows.length === 1
}

/** Whether an event of that type was taken about an invoice. */
export async function hasReceipt(ctx: Context, type: string, invoice: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from payment_receipts where invoice = ${invoice} and type = ${type} limit 1`
  return rows.length > 0
}

/** Deletes up to `limit` receipts from before `until`. */
export async function deletePaymentReceipts(ctx: Context, until: Date, limit: number): Promise<number> {
  const { count } = await ctx.sql`
    delete from payment_receipts
     where event_id in (select event_id from payment_receipts where created_at < ${until} order by created_at limit ${limit})`
  return count
}
