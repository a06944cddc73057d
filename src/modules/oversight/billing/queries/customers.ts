// Whose customer a project is, and the limits that it has set itself.
import type { Context } from '../../../../platform/context'
import type { PaymentEvent } from '../../../../platform/payments/provider'
import type { PerCategory } from '../allowance'

export interface BillingRow {
  customer: string | null
  subscription: string | null
  currency: string | null
}

export async function selectBilling(ctx: Context, projectId: string): Promise<BillingRow | undefined> {
  const [row] = await ctx.sql<BillingRow[]>`
    select customer, subscription, currency from project_billing where project_id = ${projectId}::uuid`
  return row
}

/**
 * Makes the project a subscriber; true if it has this very subscription now. A subscription that it has already stays, a project that is
 * gone or being deleted gets none, and nobody gets one of another project.
 */
export async function insertSubscription(
  ctx: Context,
  projectId: string,
  { customer, subscription, currency }: { customer: string; subscription: string; currency: string | null },
): Promise<boolean> {
  const now = ctx.clock.now()
  const rows = await ctx.sql`
    insert into project_billing as b (project_id, customer, subscription, currency, created_at, updated_at)
    select id, ${customer}, ${subscription}, ${currency}, ${now}, ${now}
      from projects p
     where id = ${projectId}::uuid and closing is distinct from 'DELETE'
       and not exists (select from project_billing o
                        where o.project_id <> p.id and (o.customer = ${customer} or o.subscription = ${subscription}))
       for share
    on conflict (project_id) do update
       set customer = excluded.customer, subscription = excluded.subscription,
           currency = coalesce(excluded.currency, b.currency), updated_at = excluded.updated_at
     where b.subscription is null or b.subscription = excluded.subscription
    returning 1`
  return rows.length === 1
}

/** Removes a subscription from its project, together with its limits: what was set for a subscription ends with it. */
export async function deleteSubscription(ctx: Context, subscription: string): Promise<string | undefined> {
  const [row] = await ctx.sql<{ projectId: string }[]>`
    update project_billing
       set subscription = null, limit_transactional = null, limit_campaigns = null, limit_workflows = null,
           limit_inbound = null, updated_at = ${ctx.clock.now()}
     where subscription = ${subscription}
    returning project_id as "projectId"`
  return row?.projectId
}

export async function isSubscriptionKnown(ctx: Context, subscription: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from project_billing where subscription = ${subscription}`
  return rows.length > 0
}

/** Locks the customer's row, so that events about one customer are handled one after another. */
export async function holdCustomer(ctx: Context, customer: string): Promise<string | undefined> {
  const [row] = await ctx.sql<{ projectId: string }[]>`
    select project_id as "projectId" from project_billing where customer = ${customer} for update`
  return row?.projectId
}

export type Limits = PerCategory<number | null>

/** Makes the row of a project that has never been a customer; false for an unknown project. */
export async function ensureBilling(ctx: Context, projectId: string): Promise<boolean> {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into project_billing (project_id, created_at, updated_at)
    select id, ${now}, ${now} from projects where id = ${projectId}::uuid
    on conflict do nothing`
  return (await selectBilling(ctx, projectId)) !== undefined
}

/** Locks the row of a subscriber, or of any project, and returns its limits; undefined if there is none. */
export async function holdLimits(
  ctx: Context,
  projectId: string,
  who: 'subscriber' | 'anybody',
): Promise<Limits | undefined> {
  const [row] = await ctx.sql<Limits[]>`
    select limit_workflows as workflows, limit_campaigns as campaigns, limit_transactional as transactional,
           limit_inbound as inbound
      from project_billing
     where project_id = ${projectId}::uuid and (subscription is not null or ${who === 'anybody'}::boolean) for update`
  return row
}

export async function updateLimits(ctx: Context, projectId: string, limits: Limits): Promise<void> {
  await ctx.sql`
    update project_billing
       set limit_workflows = ${limits.workflows}, limit_campaigns = ${limits.campaigns},
           limit_transactional = ${limits.transactional}, limit_inbound = ${limits.inbound},
           updated_at = ${ctx.clock.now()}
     where project_id = ${projectId}::uuid`
}

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
