// Statements that set the subscription state of contacts by id. Each works on the newest version of the rows it has locked, so of
// any number of parallel changes each one is reported to exactly one caller, who records its event. Each sets all columns of the state:
// PostgreSQL applies the table's checks to what it makes from the version in its snapshot, before it sees that there is a newer one.
import type { Context } from '../../../../platform/context'
import type { EarlierState } from '../schema'
import { updatedContacts } from './changed'
import type { PlacedOrigin } from './consent'
import { mayBeUndone, undoableWork } from './held'
import { type ContactRow, contactColumns } from './rows'

export interface UpdatedSubscription extends ContactRow {
  hasChanged: boolean
}

/** `earlier` is null where the subscription stays as it was. */
export interface SetSubscription extends UpdatedSubscription {
  earlier: EarlierState | null
}

/**
 * `ownOptOut`: said by themselves, so it leaves a trace even where somebody else had unsubscribed them. `unwritable`: not their decision, we
 * stopped writing; whoever was never asked stays so.
 */
export type NewState = 'subscribed' | 'optedOut' | 'ownOptOut' | 'unwritable'

/** Sets the state and ends a snooze. Returns the contacts of the project among `contactIds`, changed or not. */
export async function setSubscribed(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  { state, origins }: { state: NewState; origins: readonly PlacedOrigin[] },
  now: Date,
): Promise<SetSubscription[]> {
  const subscribed = state === 'subscribed'
  const isOwn = state === 'ownOptOut'
  const { sql } = ctx
  const changed = updatedContacts(ctx, now, {
    of: sql`where project_id = ${projectId}::uuid and id = any(${contactIds as string[]}::uuid[]) order by email for update`,
    update: locked => sql`
      update contacts c
         set subscribed = ${subscribed}::boolean, snoozed_until = null, updated_at = ${now}::timestamptz,
             version = l.version + 1,
             opted_out_at = case when not ${subscribed}::boolean then coalesce(l.opted_out_at, ${now}::timestamptz) end
        from ${locked} l
       where c.project_id = ${projectId}::uuid and c.id = l.id
         and (l.subscribed <> ${subscribed}::boolean or l.snoozed_until is not null or ${isOwn}::boolean
              or (${state === 'optedOut'}::boolean and l.opted_out_at is null)
              or (not ${subscribed}::boolean and ${mayBeUndone(ctx, sql`l`)}))`,
    origins,
  })
  return await sql<SetSubscription[]>`
    with ${undoableWork(ctx, { projectIds: [projectId], now })}, ${changed.as}
    select ${contactColumns(ctx)}, l.subscribed <> c.subscribed as "hasChanged",
           case when (l.subscribed, l.snoozed_until, l.opted_out_at) is distinct from (c.subscribed, c.snoozed_until, c.opted_out_at) then
           jsonb_build_object('id', c.id, 'subscribed', l.subscribed, 'snoozedUntil', l.snoozed_until,
                              'optedOutAt', l.opted_out_at, 'changedAt', c.updated_at) end as earlier
      from ${changed.written} c join ${changed.locked} l on l.id = c.id
     union all
    select ${contactColumns(ctx)}, false, null
      from ${changed.locked} c where not exists (select from ${changed.written} w where w.id = c.id)`
}

/**
 * Puts contacts back to how they were before they were set to `state`, if their subscription has not been touched since; nobody to whom
 * anything at all was done since is subscribed again. Returns those of them that are there,
 * changed or not.
 */
export async function restoreSubscriptions(
  ctx: Context,
  projectId: string,
  earlier: readonly EarlierState[],
  { state, origin }: { state: 'subscribed' | 'optedOut'; origin: PlacedOrigin },
  now: Date,
): Promise<UpdatedSubscription[]> {
  const subscribed = state === 'subscribed'
  const { sql } = ctx
  const changed = updatedContacts(ctx, now, {
    of: sql`where project_id = ${projectId}::uuid and id = any(array(select id from asked)) order by email for update`,
    update: locked => sql`
      update contacts c
         set subscribed = a.subscribed, snoozed_until = a."snoozedUntil", opted_out_at = a."optedOutAt",
             updated_at = ${now}::timestamptz, version = l.version + 1
        from ${locked} l join asked a on a.id = l.id
       where c.project_id = ${projectId}::uuid and c.id = l.id and l.subscribed = ${subscribed}::boolean
         and l.snoozed_until is null
         and (${subscribed}::boolean or l.updated_at = a."changedAt")
         and l.opted_out_at is not distinct from
             case when not ${subscribed}::boolean then coalesce(a."optedOutAt", a."changedAt") end`,
    origins: [origin],
  })
  return await sql<UpdatedSubscription[]>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(earlier)}::jsonb) as e(
             id uuid, subscribed boolean, "snoozedUntil" timestamptz, "optedOutAt" timestamptz, "changedAt" timestamptz)
    ), ${changed.as}
    select ${contactColumns(ctx)}, l.subscribed <> c.subscribed as "hasChanged"
      from ${changed.written} c join ${changed.locked} l on l.id = c.id
     union all
    select ${contactColumns(ctx)}, false
      from ${changed.locked} c where not exists (select from ${changed.written} w where w.id = c.id)`
}

/** Those of the contacts that still have the address, locked until the transaction ends. */
export async function holdAddressed(
  ctx: Context,
  asked: ReadonlyArray<{ projectId: string; contactId: string; toEmail: string }>,
): Promise<Array<{ projectId: string; id: string }>> {
  return await ctx.sql<Array<{ projectId: string; id: string }>>`
    select c.project_id as "projectId", c.id from contacts c
     where (c.project_id, c.id, c.email) in (
           select * from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.contactId)}::uuid[],
                                ${asked.map(one => one.toEmail)}::text[]))
     order by c.project_id, c.email for update`
}

export interface SnoozedContact extends UpdatedSubscription {
  /** False for a contact that is unsubscribed for good: it was left alone. */
  accepted: boolean
}

/** Unsubscribes a contact until a moment; undefined if there is none. */
export async function setSnoozed(
  ctx: Context,
  projectId: string,
  contactId: string,
  { until, origin }: { until: Date; origin: PlacedOrigin },
  now: Date,
): Promise<SnoozedContact | undefined> {
  const { sql } = ctx
  const changed = updatedContacts(ctx, now, {
    of: sql`where project_id = ${projectId}::uuid and id = ${contactId}::uuid for update`,
    update: locked => sql`
      update contacts c
         set subscribed = false, snoozed_until = ${until}::timestamptz, opted_out_at = null,
             updated_at = ${now}::timestamptz, version = l.version + 1
        from ${locked} l
       where c.project_id = ${projectId}::uuid and c.id = l.id and (l.subscribed or l.snoozed_until is not null)`,
    origins: [origin],
  })
  const [row] = await sql<SnoozedContact[]>`
    with ${changed.as}
    select ${contactColumns(ctx)}, l.subscribed as "hasChanged", true as accepted
      from ${changed.written} c cross join ${changed.locked} l
     union all
    select ${contactColumns(ctx)}, false, false from ${changed.locked} c where not exists (select from ${changed.written})`
  return row
}

/** Whether the snooze of any contact has ended. */
export async function hasOverslept({ sql, clock }: Context): Promise<boolean> {
  const [row] = await sql<{ some: boolean }[]>`
    select exists (select from contacts where snoozed_until <= ${clock.now()}::timestamptz) as some`
  return row!.some
}

/** Contacts per statement. */
export const snoozeBatch = 500

/**
 * Subscribes up to `snoozeBatch` contacts of any projects whose snooze is over, those that have waited longest first. Rows that another
 * change has locked are left for the next time; `for update` checks again what it has locked. The limit is written out, because one that
 * the planner does not know may make it read all contacts to find the locked ones again.
 */
export async function subscribeAfterSnooze(ctx: Context, now: Date): Promise<ContactRow[]> {
  const { sql } = ctx
  const changed = updatedContacts(ctx, now, {
    of: sql`where snoozed_until <= ${now}::timestamptz order by snoozed_until limit 500 for update skip locked`,
    update: locked => sql`
      update contacts c
         set subscribed = true, snoozed_until = null, opted_out_at = null, updated_at = ${now}::timestamptz,
             version = l.version + 1
        from ${locked} l
       where c.project_id = l.project_id and c.id = l.id and c.snoozed_until <= ${now}::timestamptz`,
    origins: [{ source: 'snoozeEnd' }],
  })
  return await sql<ContactRow[]>`with ${changed.as} select ${contactColumns(ctx)} from ${changed.written} c`
}
