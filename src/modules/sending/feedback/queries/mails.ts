// Finding the messages that reports are about, by what the reports' senders know about them.
import { firstIdAt } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { readRecentFirst } from '../../../../platform/db/partition/recent'

export interface MailName {
  id: string
  projectId: string
}

export async function findByProviderIds(
  ctx: Context,
  providerIds: readonly string[],
): Promise<Array<MailName & { providerId: string }>> {
  const { sql } = ctx
  return await readRecentFirst(
    ctx,
    'emails',
    { newest: undefined, limit: new Set(providerIds).size },
    async ({ from }) =>
      await sql<Array<MailName & { providerId: string }>>`
    select id, project_id as "projectId", provider_id as "providerId" from emails
     where provider_id = any(${providerIds as string[]}::text[]) ${from ? sql`and id >= ${from}::uuid` : sql``}`,
  )
}

export interface KnownMail extends MailName {
  messageId: string
  toEmail: string
}

export async function findByIds(ctx: Context, ids: readonly string[]): Promise<KnownMail[]> {
  return await ctx.sql<KnownMail[]>`
    select id, project_id as "projectId", message_id as "messageId", to_email as "toEmail" from emails
     where id = any(${ids as string[]}::uuid[]) and source_type <> 'INBOUND'`
}

/** Messages that programs submitted, by the Message-IDs that they gave them: one for each recipient. */
export async function findBySubmittedIds(ctx: Context, messageIds: readonly string[]): Promise<KnownMail[]> {
  return await ctx.sql<KnownMail[]>`
    select id, project_id as "projectId", message_id as "messageId", to_email as "toEmail" from emails
     where message_id = any(${messageIds as string[]}::text[]) and submitted_set is not null
     order by id limit 2000`
}

/** The newest message that left for each of the addresses since a moment. */
export async function findNewest(
  ctx: Context,
  asked: ReadonlyArray<{ projectId: string; email: string }>,
  since: Date,
): Promise<Array<MailName & { email: string }>> {
  return await ctx.sql<Array<MailName & { email: string }>>`
    select last.id, a.project_id as "projectId", a.email
      from (select distinct * from unnest(${asked.map(one => one.projectId)}::uuid[],
                                          ${asked.map(one => one.email)}::text[]) as a(project_id, email)) as a
      join contacts c on c.project_id = a.project_id and c.email = a.email
     cross join lateral (
           select e.id from emails e
            where e.project_id = a.project_id and e.contact_id = c.id and e.to_email = a.email
              and e.source_type <> 'INBOUND' and e.sent_at is not null and e.created_at > ${since}::timestamptz
              and e.id >= ${firstIdAt(since)}::uuid
            order by e.id desc limit 1) as last`
}
