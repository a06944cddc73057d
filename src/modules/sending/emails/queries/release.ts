// Messages of a campaign that wait until their receiver takes mail again.
import type { Context } from '../../../../platform/context'

/** These are due at once, if they still wait. */
export async function releaseHeldEmails(
  ctx: Context,
  mails: ReadonlyArray<{ projectId: string; emailId: string; receiver: string }>,
): Promise<void> {
  await ctx.sql`
    update emails e set next_attempt_at = ${ctx.clock.now()}::timestamptz, updated_at = ${ctx.clock.now()}::timestamptz
      from json_to_recordset(${JSON.stringify(mails)}::json) as n("projectId" uuid, "emailId" uuid, receiver text)
     where e.project_id = n."projectId" and e.id = n."emailId" and e.status = 'PENDING'
       and e.reason = 'receiver' and e.reason_detail ->> 'provider' = n.receiver`
}

const pageSize = 5_000

/** Makes a page of those that wait for the receiver due, in the order of contacts; the last contact, or undefined at the end. */
export async function releaseHeldPage(
  ctx: Context,
  { projectId, campaignId, receiver }: { projectId: string; campaignId: string; receiver: string },
  after: string | undefined,
): Promise<string | undefined> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<{ contactId: string }[]>`
    with page as materialized (
      select id, project_id, contact_id from emails
       where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid
         and (${after ?? null}::uuid is null or contact_id > ${after ?? null}::uuid)
         and status = 'PENDING' and reason = 'receiver' and reason_detail ->> 'provider' = ${receiver}
       order by contact_id limit ${pageSize} for update
    ), released as (
      update emails e set next_attempt_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
        from page where e.project_id = page.project_id and e.id = page.id
    )
    select contact_id as "contactId" from page order by contact_id desc limit 1 offset ${pageSize - 1}`
  return rows[0]?.contactId
}
