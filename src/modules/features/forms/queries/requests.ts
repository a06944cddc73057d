// SQL of what people send by forms: taken, mailed, confirmed.
import type { Context } from '../../../../platform/context'
import type { FormLook, RequestState } from '../schema'
import type { FormValues } from '../values'

export interface NewRequest {
  id: string
  projectId: string
  formId: string
  email: string
  values: FormValues
  topicIds: string[]
  language: string
  wording: string
  askedAt: Date
  expiresAt: Date
}

/**
 * Takes a request, or takes it again where the one before is done, over, or had its mail before `mailedBefore`; any other stays as it is, so
 * that nobody can change what a mail was about. Returns the id of what is there then: undefined while another transaction
 * takes the first one.
 */
export async function takeRequest(
  ctx: Context,
  request: NewRequest,
  mailedBefore: Date,
): Promise<string | undefined> {
  const { projectId, formId, email } = request
  const [row] = await ctx.sql<{ id: string }[]>`
    with taken as (
      insert into form_requests as r (project_id, id, form_id, email, state, version, "values", topic_ids, language, wording, asked,
                                      confirmed, asked_at, expires_at)
      values (${projectId}::uuid, ${request.id}::uuid, ${formId}::uuid, ${email}, 'waiting', 1, ${JSON.stringify(request.values)}::jsonb,
              ${request.topicIds}::uuid[], ${request.language}, ${request.wording}, 1, 0, ${request.askedAt}, ${request.expiresAt})
      on conflict (project_id, form_id, email) do update
         set state = 'waiting', version = r.version + 1, "values" = excluded."values", topic_ids = excluded.topic_ids,
             language = excluded.language, wording = excluded.wording, asked = r.asked + 1, asked_at = excluded.asked_at,
             expires_at = excluded.expires_at, mailed_at = null, email_id = null
       where r.state = 'confirmed' or r.expires_at <= ${request.askedAt}
          or (r.state = 'mailed' and r.mailed_at <= ${mailedBefore})
      returning r.id
    )
    select id from taken
     union all
    select id from form_requests where project_id = ${projectId}::uuid and form_id = ${formId}::uuid and email = ${email}
     limit 1`
  return row?.id
}

/** A request that is held, with its form and project. */
export interface HeldRequest {
  id: string
  projectId: string
  formId: string
  email: string
  state: RequestState
  version: number
  values: FormValues
  topicIds: string[]
  language: string
  wording: string
  contactId: string | null
  /** The contact that has the address now. */
  knownId: string | null
  emailId: string | null
  expiresAt: Date
  formName: string
  look: FormLook
  templateId: string | null
  projectName: string
}

/** Keeps everybody else from it until the transaction ends. */
export async function holdRequest(
  tx: Context,
  projectId: string,
  id: string,
): Promise<HeldRequest | undefined> {
  const [row] = await tx.sql<HeldRequest[]>`
    select r.id, r.project_id as "projectId", r.form_id as "formId", r.email, r.state, r.version, r."values",
           r.topic_ids as "topicIds", r.language, r.wording, r.contact_id as "contactId", r.email_id as "emailId",
           r.expires_at as "expiresAt", f.name as "formName", f.look, f.template_id as "templateId", p.name as "projectName",
           (select c.id from contacts c where c.project_id = r.project_id and c.email = r.email) as "knownId"
      from form_requests r
      join forms f on f.id = r.form_id and f.project_id = r.project_id
      join projects p on p.id = r.project_id
     where r.project_id = ${projectId}::uuid and r.id = ${id}::uuid
       for update of r`
  return row
}

/** The same for looking only. */
export async function selectRequest(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<Pick<HeldRequest, 'email' | 'state' | 'version' | 'language'> | undefined> {
  const [row] = await ctx.sql<Pick<HeldRequest, 'email' | 'state' | 'version' | 'language'>[]>`
    select email, state, version, language from form_requests
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

/** Gives the mailbox its mail of the day; otherwise returns when it had that. One statement, so that of many at once one gets it. */
export async function claimMailbox(
  tx: Context,
  { projectId, mailbox, now, before }: { projectId: string; mailbox: string; now: Date; before: Date },
): Promise<Date | undefined> {
  const claimed = await tx.sql`
    insert into form_mailboxes as m (project_id, mailbox, mailed_at) values (${projectId}::uuid, ${mailbox}, ${now})
    on conflict (project_id, mailbox) do update set mailed_at = excluded.mailed_at where m.mailed_at <= ${before}
    returning 1`
  if (claimed.length > 0) return undefined
  const [row] = await tx.sql<{ mailedAt: Date }[]>`
    select mailed_at as "mailedAt" from form_mailboxes where project_id = ${projectId}::uuid and mailbox = ${mailbox}`
  return row?.mailedAt ?? now
}

export async function markMailed(
  tx: Context,
  { projectId, id }: Pick<HeldRequest, 'projectId' | 'id'>,
  mailed: { contactId: string; emailId: string; mailedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.sql`
    update form_requests
       set state = 'mailed', contact_id = ${mailed.contactId}::uuid, email_id = ${mailed.emailId}::uuid,
           mailed_at = ${mailed.mailedAt}, expires_at = ${mailed.expiresAt}
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

export async function markConfirmed(
  tx: Context,
  { projectId, id }: Pick<HeldRequest, 'projectId' | 'id'>,
  contactId: string,
): Promise<void> {
  await tx.sql`
    update form_requests
       set state = 'confirmed', contact_id = ${contactId}::uuid, confirmed = confirmed + 1, "values" = '{}'
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

export async function moveRequestsOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update form_requests set contact_id = ${to}::uuid
     where project_id = ${projectId}::uuid and contact_id = ${from}::uuid`
}

/** Which of the contacts have filled in a form. */
export async function contactsWithRequests(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select a.id from unnest(${contactIds as string[]}::uuid[]) as a(id)
     where exists (select from form_requests r where r.project_id = ${projectId}::uuid and r.contact_id = a.id)`
  return rows.map(({ id }) => id)
}
