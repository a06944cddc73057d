// Emails of contacts that have another address now, or became one, and those whose addresses were stored before addresses had one spelling.
import type { Context } from '../../../../platform/context'
import type { StoredCopy } from '../copies'

/** Messages to the address that a contact had get the address that it has by now. */
export async function respellMessagesOfContact(
  ctx: Context,
  {
    projectId,
    contactId,
    before,
    email,
  }: { projectId: string; contactId: string; before: string; email: string },
): Promise<void> {
  await ctx.sql`
    update emails set to_email = ${email}
     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid and to_email = ${before}`
}

export interface WaitingAddresses {
  id: string
  projectId: string
  toEmail: string
  copies: StoredCopy[] | null
}

/** What waits by itself, found by its jobs because there is no index on the state. Recipients of campaigns have their contact's address. */
export async function selectStrayWaiting(ctx: Context): Promise<WaitingAddresses[]> {
  return await ctx.sql<WaitingAddresses[]>`
    select e.id, e.project_id as "projectId", e.to_email as "toEmail", e.copies
      from jobs j
      join emails e on e.project_id = (j.args ->> 'projectId')::uuid and e.id = (j.args ->> 'emailId')::uuid
     cross join lateral (select e.to_email || coalesce(e.copies::text, '') as text) a
     where j.kind in ('email.deliver', 'email.deliverWorkflow', 'email.follow', 'email.copies') and j.state in ('queued', 'running')
       and (octet_length(a.text) <> char_length(a.text) or strpos(a.text, 'xn--') > 0)`
}

export async function updateAddresses(
  ctx: Context,
  { id, projectId, toEmail, copies }: WaitingAddresses,
): Promise<void> {
  await ctx.sql`
    update emails set to_email = ${toEmail}, copies = ${copies === null ? null : JSON.stringify(copies)}::text::jsonb
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/**
 * A campaign writes to a contact once, and finds its open rows by the ranges of contacts that it works on: those stay where they are, and
 * are skipped, as are those of a campaign that has one for both.
 */
export async function moveMessagesOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update emails e set contact_id = ${to}::uuid
     where e.project_id = ${projectId}::uuid and e.contact_id = ${from}::uuid
       and (e.campaign_id is null
            or e.status not in ('PENDING', 'SENDING')
               and not exists (select from emails k
                                where k.project_id = ${projectId}::uuid and k.campaign_id = e.campaign_id
                                  and k.contact_id = ${to}::uuid))`
}

/** Which of the contacts have emails. */
export async function contactsWithEmails(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select a.id from unnest(${contactIds as string[]}::uuid[]) as a(id)
     where exists (select from emails e where e.project_id = ${projectId}::uuid and e.contact_id = a.id)`
  return rows.map(({ id }) => id)
}
