// SQL that ends waiting messages because their project may not send.
import type { Context } from '../../../../platform/context'
import type { EmailReason } from '../../../../platform/transports/reason'
import type { EndedEmail } from '../events'
import { changedEmails } from './changed'

/** The columns of the row `e` that events about it need. */
export function endedColumns({ sql }: Context) {
  return {
    contactId: sql`e.contact_id`,
    hops: sql`e.hops`,
    subject: sql`e.subject`,
    fromEmail: sql`e.from_email`,
    fromName: sql`e.from_name`,
    messageId: sql`e.message_id`,
    templateId: sql`e.template_id`,
    campaignId: sql`e.campaign_id`,
    tags: sql`e.tags`,
    metadata: sql`e.metadata`,
  }
}

/** Fails those of the messages that wait, and adjusts the counts of their days; returns them. */
export async function failPending(ctx: Context, ids: string[], reason: EmailReason): Promise<EndedEmail[]> {
  const { sql } = ctx
  const changes = { failed: sql`1`, trouble: sql`'failed'`, had_trouble: sql`false` }
  const failed = changedEmails(
    ctx,
    { ...endedColumns(ctx), ...changes },
    columns => sql`
      update emails e
         set status = 'FAILED', reason = ${reason}, reason_detail = null, next_attempt_at = null, updated_at = ${ctx.clock.now()}::timestamptz
        from given g where e.id = g.id and e.status = 'PENDING'
      returning ${columns}`,
  )
  return await sql<EndedEmail[]>`
    with given as materialized (
      select id from emails where id = any(${ids}::uuid[]) and status = 'PENDING'
    ), ${failed.as}
    select id, project_id as "projectId", source_type as "sourceType", "contactId", hops, subject, "fromEmail", "fromName",
           "messageId", "templateId", "campaignId", tags, metadata from ${failed.name}`
}

/** Those of the messages that are on their way. */
export async function selectUnderway({ sql }: Context, ids: string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from emails where id = any(${ids}::uuid[]) and status = 'SENDING'`
  return rows.map(row => row.id)
}
