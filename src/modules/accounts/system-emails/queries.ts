// SQL of platform mails: one row per message, which holds its sealed content until it has left.

import type { Context } from '../../../platform/context'
import type { OutboxAudience, OutboxKind, SystemEmailStatus } from './schema'

export interface NewMailRow {
  id: string
  toEmail: string
  subject: string
  contentSealed: string
}

/** A message as it is taken for one attempt. */
export interface DueMail extends NewMailRow {
  /** This attempt included. */
  attempts: number
  createdAt: Date
}

export async function insertMail(ctx: Context, row: NewMailRow): Promise<void> {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into system_mails (id, to_email, subject, content_sealed, status, attempts, created_at, updated_at)
    values (${row.id}, ${row.toEmail}, ${row.subject}, ${row.contentSealed}, 'PENDING', 0, ${now}, ${now})`
}

/** Counts an attempt at a message that has not left; undefined if it has, or was given up. */
export async function takeMail(ctx: Context, id: string): Promise<DueMail | undefined> {
  const [row] = await ctx.sql<DueMail[]>`
    update system_mails set attempts = attempts + 1, updated_at = ${ctx.clock.now()}
     where id = ${id} and status = 'PENDING'
    returning id, to_email as "toEmail", subject, content_sealed as "contentSealed", attempts, created_at as "createdAt"`
  return row
}

/** The jobs of up to `limit` messages that were tried and wait for another attempt. */
export async function selectWaitingJobs(ctx: Context, limit: number): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select j.id
      from jobs j
      join system_mails m on m.id = (j.args ->> 'mailId')::uuid and m.status = 'PENDING' and m.attempts > 0
     where j.state = 'queued' and j.kind = 'system.mail'
       and (j.band || ' ' || coalesce(j.project_id::text, '~')) collate "C" = 'transactional ~'
       and j.run_at > ${ctx.clock.now()}::timestamptz
     order by j.run_at limit ${limit}::int`
  return rows.map(row => row.id)
}

/** Writes the outcome of an attempt. A message that is done keeps no content, because that may hold a link that opens an account. */
export async function settleMail(
  ctx: Context,
  id: string,
  outcome: { status: SystemEmailStatus; response: string; sentAt: Date | null },
): Promise<void> {
  await ctx.sql`
    update system_mails
       set status = ${outcome.status}, response = ${outcome.response}, sent_at = ${outcome.sentAt}::timestamptz,
           content_sealed = case when ${outcome.status} = 'PENDING' then content_sealed end, updated_at = ${ctx.clock.now()}
     where id = ${id} and status = 'PENDING'`
}

/** Takes address and subject from messages to the address that are done. */
export async function eraseMails(ctx: Context, email: string): Promise<void> {
  await ctx.sql`
    update system_mails set to_email = 'erased', subject = '', response = null, updated_at = ${ctx.clock.now()}
     where to_email = ${email} and status <> 'PENDING'`
}

/** Deletes messages written before a moment, at most `limit`; returns how many. */
export async function deleteMailsBefore(ctx: Context, before: Date, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from system_mails
     where id in (select id from system_mails where created_at < ${before} order by created_at limit ${limit})
    returning 1`
  return rows.length
}

export interface OutboxRow {
  id: string
  projectId: string | null
  kind: OutboxKind
  audience: OutboxAudience
  toEmail: string
  subject: string
  contentSealed: string
  createdAt: Date
}

export async function insertOutboxMail(ctx: Context, row: Omit<OutboxRow, 'createdAt'>): Promise<void> {
  await ctx.sql`
    insert into outbox_mails (id, project_id, kind, audience, to_email, subject, content_sealed, created_at)
    values (${row.id}::uuid, ${row.projectId}::uuid, ${row.kind}, ${row.audience}, ${row.toEmail}, ${row.subject},
            ${row.contentSealed}, ${ctx.clock.now()}::timestamptz)
    on conflict do nothing`
}

/** Who looks: at the mail of which project, and for which audiences. */
export interface OutboxReader {
  projectId: string
  audiences: readonly OutboxAudience[]
}

/** What the reader may see, newest first; one mail where an id is given. */
export async function selectOutboxMails(
  ctx: Context,
  { projectId, audiences }: OutboxReader,
  { id, limit }: { id: string | null; limit: number },
): Promise<OutboxRow[]> {
  return await ctx.sql<OutboxRow[]>`
    select id, project_id as "projectId", kind, audience, to_email as "toEmail", subject,
           content_sealed as "contentSealed", created_at as "createdAt"
      from outbox_mails
     where (project_id = ${projectId}::uuid or project_id is null) and audience = any(${audiences as string[]}::text[])
       and (${id}::uuid is null or id = ${id}::uuid)
     order by created_at desc, id desc limit ${limit}`
}

/** Of somebody who is to be forgotten. */
export async function deleteOutboxMailsTo(ctx: Context, email: string): Promise<void> {
  await ctx.sql`delete from outbox_mails where to_email = ${email}`
}

/** Deletes what was kept before a moment, at most `limit`; returns how many. */
export async function deleteOutboxMailsBefore(ctx: Context, before: Date, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from outbox_mails
     where id in (select id from outbox_mails where created_at < ${before} order by created_at limit ${limit})
    returning 1`
  return rows.length
}
