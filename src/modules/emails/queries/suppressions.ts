// Addresses that get nothing more, and how an address comes to that.
import type { Context } from '../../../platform/context'

export interface NewSuppression {
  projectId: string
  email: string
  /** What the other side said. */
  source: string
  emailId: string
}

/** Locks are taken in one order, so that two batches with the same addresses can't wait for each other. */
export async function insertSuppressions(ctx: Context, rows: NewSuppression[]): Promise<void> {
  if (rows.length === 0) return
  await ctx.sql`
    insert into suppressions (project_id, email, reason, source, email_id, created_at)
    select r."projectId", r.email, 'bounce', r.source, r."emailId", ${ctx.clock.now()}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
           "projectId" uuid, email text, source text, "emailId" uuid)
     order by 1, 2
    on conflict do nothing`
}

export interface Mailed {
  projectId: string
  contactId: string
  toEmail: string
}

/**
 * Which of the addresses have bounced softly in their last `inARow` messages since `since`; messages that never left count for
 * nothing. Reads a few rows of the contact's index for each.
 */
export async function findSoftBounced(
  ctx: Context,
  asked: Mailed[],
  inARow: number,
  since: Date,
): Promise<Array<{ projectId: string; toEmail: string }>> {
  return await ctx.sql<Array<{ projectId: string; toEmail: string }>>`
    select a.project_id as "projectId", a.email as "toEmail"
      from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.contactId)}::uuid[],
                  ${asked.map(one => one.toEmail)}::text[]) as a(project_id, contact_id, email)
     where ${inARow}::int = (
       select count(*) filter (where sent_at is null)
         from (select sent_at from emails e
                where e.project_id = a.project_id and e.contact_id = a.contact_id and e.to_email = a.email
                  and e.created_at > ${since}::timestamptz
                  and (sent_at is not null or status = 'FAILED' and error like 'gave up after %')
                order by e.id desc limit ${inARow}) as last)`
}
