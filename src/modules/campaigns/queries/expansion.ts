// Writing the recipients of a campaign down: e-mail rows made from contacts inside the database, a page at a time, in the order of
// contact ids and up to the boundary that was drawn at the start.
import { and, count, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { contacts } from '../../contacts/schema'
import { emails, type MailClass, type SourceType } from '../../emails/schema'
import { campaigns } from '../schema'

/** Which contacts of a project are meant. */
export interface AudienceQuery {
  projectId: string
  subscribedOnly: boolean
  /** About the contacts' row, under the name of its table; undefined for everybody. */
  condition: SQL | undefined
}

function isMeant({ projectId, subscribedOnly, condition }: AudienceQuery): SQL | undefined {
  return and(
    eq(contacts.projectId, projectId),
    subscribedOnly ? eq(contacts.subscribed, true) : undefined,
    condition,
  )
}

export async function countAudience(ctx: Context, audience: AudienceQuery): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(contacts).where(isMeant(audience))
  return row?.total ?? 0
}

/** The id of the contact that was created last. */
export async function newestContact(ctx: Context, projectId: string): Promise<string | undefined> {
  const [row] = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${projectId}::uuid order by id desc limit 1`
  return row?.id
}

export async function projectName(ctx: Context, projectId: string): Promise<string> {
  const [row] = await ctx.sql<{ name: string }[]>`select name from projects where id = ${projectId}::uuid`
  return row?.name ?? ''
}

/** What the rows of one page have in common. */
export interface PageFacts {
  projectId: string
  campaignId: string
  sourceType: SourceType
  mailClass: MailClass
  subject: string
  fromEmail: string
  fromName: string
  replyTo: string | null
  messageIdDomain: string
  /** Contacts in `(after, upTo]` are looked at, the lowest ids first. */
  after: string
  upTo: string
}

export interface ExpandedPage {
  /** Contacts that were found. */
  found: number
  /** Rows that did not exist yet. */
  added: number
  last: string | null
}

/**
 * One page of recipients. No contact leaves the database, and the unique index on campaign and contact makes a second run of the
 * same page add nothing.
 */
export async function insertRecipients(
  ctx: Context,
  audience: AudienceQuery,
  facts: PageFacts,
  limit: number,
): Promise<ExpandedPage> {
  const now = sql`${ctx.clock.now().toISOString()}::timestamptz`
  const [row] = await ctx.db.execute<{ found: number; added: number; last: string | null }>(sql`
    with page as materialized (
      select ${contacts.id} as id, ${contacts.email} as email from ${contacts}
       where ${isMeant(audience)} and ${contacts.id} > ${facts.after}::uuid and ${contacts.id} <= ${facts.upTo}::uuid
       order by ${contacts.id} limit ${limit}
    ), named as materialized (
      select uuid_v7(${now}, row_number() over ()) as id, id as contact_id, email from page
    ), added as (
      insert into ${emails} (id, project_id, contact_id, source_type, mail_class, campaign_id, to_email, from_email, from_name,
                             reply_to, subject, html, text, headers, message_id, status, created_at, updated_at)
      select id, ${facts.projectId}::uuid, contact_id, ${facts.sourceType}, ${facts.mailClass}, ${facts.campaignId}::uuid, email,
             ${facts.fromEmail}, ${facts.fromName}, ${facts.replyTo}, ${facts.subject}, '', '', '{}'::jsonb,
             id || ${`@${facts.messageIdDomain}`}::text, 'PENDING', ${now}, ${now}
        from named
      on conflict (project_id, campaign_id, contact_id) where campaign_id is not null do nothing
      returning 1
    )
    select (select count(*) from page) as found, (select count(*) from added) as added,
           (select id from page order by id desc limit 1) as last`)
  return { found: Number(row!.found), added: Number(row!.added), last: row!.last }
}

/** Moves the cursor; with the last page, the number of recipients is what was written down. */
export async function moveCursor(
  ctx: Context,
  { projectId, campaignId }: { projectId: string; campaignId: string },
  expandedTo: string,
  isExpanded: boolean,
): Promise<void> {
  await ctx.db
    .update(campaigns)
    .set({
      expandedTo,
      isExpanded,
      ...(isExpanded
        ? {
            totalRecipients: sql`(select coalesce(sum(recipients), 0)::int from campaign_slices
                                   where campaign_id = ${campaignId}::uuid)`,
          }
        : {}),
    })
    .where(and(eq(campaigns.projectId, projectId), eq(campaigns.id, campaignId)))
}

/** A campaign whose expansion was cut short has as many recipients as were written down. */
export async function fixTotal(ctx: Context, projectId: string, campaignId: string): Promise<void> {
  await ctx.sql`
    update campaigns
       set total_recipients = (select coalesce(sum(recipients), 0)::int from campaign_slices where campaign_id = ${campaignId}::uuid)
     where project_id = ${projectId}::uuid and id = ${campaignId}::uuid and not is_expanded`
}
