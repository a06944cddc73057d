// Messages that are to leave later: when they leave, rescheduling and cancelling. Each statement finds a row only while it has not been
// tried.
import type { Context } from '../../../../platform/context'
import type { EndedEmail } from '../events'
import { changedEmails } from './changed'
import { endedColumns } from './fail-waiting'

/** When a scheduled message is due; undefined for any other. */
export async function selectScheduledFor(ctx: Context, id: string): Promise<Date | undefined> {
  const [row] = await ctx.sql<{ at: Date }[]>`
    select scheduled_for as at from emails
     where id = ${id}::uuid and status = 'PENDING' and scheduled_for > ${ctx.clock.now()}::timestamptz`
  return row?.at
}

/** False if it waits for no moment any more. */
export async function rescheduleEmail(
  ctx: Context,
  projectId: string,
  id: string,
  scheduledFor: Date,
): Promise<boolean> {
  const now = ctx.clock.now()
  const { count } = await ctx.sql`
    update emails set scheduled_for = ${scheduledFor}::timestamptz, updated_at = ${now}::timestamptz
     where id = ${id}::uuid and project_id = ${projectId}::uuid and status = 'PENDING' and scheduled_for > ${now}::timestamptz`
  return count > 0
}

/** The message becomes SKIPPED and no longer counts as use; undefined if it is no longer scheduled. */
export async function cancelEmail(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<EndedEmail | undefined> {
  const now = ctx.clock.now()
  const { sql } = ctx
  const changes = { skipped: sql`1`, trouble: sql`null::text`, had_trouble: sql`false` }
  const cancelled = changedEmails(
    ctx,
    { ...endedColumns(ctx), ...changes },
    columns => sql`
      update emails e set status = 'SKIPPED', reason = 'cancelled', updated_at = ${now}::timestamptz
       where id = ${id}::uuid and project_id = ${projectId}::uuid and status = 'PENDING'
         and scheduled_for > ${now}::timestamptz
      returning ${columns}`,
  )
  const [row] = await sql<EndedEmail[]>`
    with ${cancelled.as}
    select id, project_id as "projectId", source_type as "sourceType", "contactId", hops, subject, "fromEmail", "fromName", "messageId",
           "templateId", "campaignId", tags, metadata from ${cancelled.name}`
  return row
}
