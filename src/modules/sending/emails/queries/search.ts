// Searching the email log. A search walks one index from its newest end and looks at a limited number of rows; the next request continues
// where this one stopped. So none takes long, however rare the thing searched for is.
import { endOfIdsAt, firstIdAt } from '../../../../lib/ids'
import { containsPattern } from '../../../../lib/like'
import type { Context } from '../../../../platform/context'
import type { EmailPosition, EmailSearch } from '../search'
import { inTopic } from './in-topic'

/** How many rows one request looks at. */
export const maxRowsScanned = 20_000

export interface Found {
  /** One more than `limit` where there are more. */
  ids: string[]
  /** The last row that was looked at, where there are more and too few were found; null at the end. */
  stoppedAt: EmailPosition | null
}

interface Asked {
  projectId: string
  search: EmailSearch
  after: EmailPosition | undefined
  limit: number
  most: number
}

/** Ids of those that match, newest first. Planned for the texts that are searched for. */
export async function searchEmails(ctx: Context, asked: Asked): Promise<Found> {
  const { sql } = ctx
  const rows = await sql<{ id: string }[]>`
    select e.id from (${candidates(ctx, asked)} limit ${asked.most}) as e where ${fits(ctx, asked)} limit ${asked.limit + 1}`
  const ids = rows.map(row => row.id)
  if (ids.length > asked.limit) return { ids, stoppedAt: null }
  const [last] = await sql<EmailPosition[]>`
    select e.created_at as "createdAt", e.id from (${candidates(ctx, asked)} limit 1 offset ${asked.most - 1}) as e`
  return { ids, stoppedAt: last ?? null }
}

const columns = `e.id, e.project_id, e.created_at, e.contact_id, e.to_email, e.subject, e.template_id, e.campaign_id,
  e.workflow_execution_id, e.status`

/** Rows in the order of the index that narrows the search the most. */
function candidates({ sql }: Context, { projectId, search, after }: Asked) {
  const { trouble, contactId, since, until } = search
  const project = sql`${projectId}::uuid`
  if (trouble)
    return sql`
      select ${sql.unsafe(columns)} from email_troubles t join emails e on e.project_id = t.project_id and e.id = t.email_id
       where t.project_id = ${project} ${trouble === 'any' ? sql`` : sql`and t.kind = ${trouble}`}
             ${after ? sql`and t.email_id < ${after.id}::uuid` : sql``}
       order by t.email_id desc`
  const position = after
    ? sql`and (e.created_at, e.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql``
  return sql`
    select ${sql.unsafe(columns)} from emails e
     where e.project_id = ${project} ${contactId ? sql`and e.contact_id = ${contactId}::uuid` : sql``}
           ${since ? sql`and e.created_at >= ${since}::timestamptz and e.id >= ${firstIdAt(since)}::uuid` : sql``}
           ${until ? sql`and e.created_at < ${until}::timestamptz and e.id < ${endOfIdsAt(until)}::uuid` : sql``} ${position}
     order by e.created_at desc, e.id desc`
}

function fits({ sql }: Context, { search }: Asked) {
  const { contactId, to, subject, templateId, campaignId, workflowId, status, since, until } = search
  const contains = (text: string) => sql`${containsPattern(text.toLowerCase())}`
  const conditions = [
    ...(contactId ? [sql`e.contact_id = ${contactId}::uuid`] : []),
    ...(search.address && !contactId ? [sql`e.to_email = ${search.address}`] : []),
    ...(to ? [sql`e.to_email like ${contains(to)}`] : []),
    ...(subject ? [sql`lower(e.subject) like ${contains(subject)}`] : []),
    ...(templateId ? [sql`e.template_id = ${templateId}::uuid`] : []),
    ...(campaignId ? [sql`e.campaign_id = ${campaignId}::uuid`] : []),
    ...(workflowId ? [ofWorkflow(sql, workflowId)] : []),
    ...(status ? [sql`e.status = ${status}`] : []),
    ...(since ? [sql`e.created_at >= ${since}::timestamptz`] : []),
    ...(until ? [sql`e.created_at < ${until}::timestamptz`] : []),
  ]
  return conditions.reduce((all, one) => sql`${all} and ${one}`, sql`true`)
}

function ofWorkflow(sql: Context['sql'], workflowId: string) {
  return sql`
    exists (select from workflow_executions x
             where x.project_id = e.project_id and x.id = e.workflow_execution_id and x.workflow_id = ${workflowId}::uuid)`
}

/** How many messages there are with each kind of trouble; each counted up to `most`. */
export async function countTroubles(
  ctx: Context,
  projectId: string,
  kinds: readonly string[],
  most: number,
): Promise<Array<{ kind: string; count: number }>> {
  return await ctx.sql<Array<{ kind: string; count: number }>>`
    select k.kind, (select count(*)::int from (select from email_troubles t
                     where t.project_id = ${projectId}::uuid and t.kind = k.kind limit ${most}) as counted) as count
      from unnest(${kinds as string[]}::text[]) as k(kind)`
}

/** The contact with an address. */
export async function selectContactId(
  ctx: Context,
  projectId: string,
  email: string,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${projectId}::uuid and email = ${email}`
  return row?.id
}

/** False if the contact has opted out or is gone. */
export async function selectIsSubscribed(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const [row] = await ctx.sql<{ subscribed: boolean }[]>`
    select subscribed from contacts where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row?.subscribed ?? false
}

/** Whether mail of the topic may go to the contact. */
export async function selectIsInTopic(
  ctx: Context,
  projectId: string,
  contactId: string,
  topicId: string,
): Promise<boolean> {
  const of = {
    projectId: ctx.sql`${projectId}::uuid`,
    contactId: ctx.sql`${contactId}::uuid`,
    topicId: ctx.sql`${topicId}::uuid`,
  }
  const [row] = await ctx.sql<{ allowed: boolean }[]>`select ${inTopic(ctx, of)} as allowed`
  return row!.allowed
}

/** What happened to a message after it was made, oldest first; for a contact with very many events, the first `most` are searched. */
export async function selectEmailEvents(
  ctx: Context,
  {
    projectId,
    contactId,
    id,
    createdAt,
  }: { projectId: string; contactId: string; id: string; createdAt: Date },
  { most, limit }: { most: number; limit: number },
): Promise<Array<{ name: string; data: Record<string, unknown> | null; createdAt: Date }>> {
  return await ctx.sql<Array<{ name: string; data: Record<string, unknown> | null; createdAt: Date }>>`
    select e.name, e.data, e.created_at as "createdAt"
      from (select name, data, created_at, email_id from events
             where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid and created_at >= ${createdAt}::timestamptz
               and id >= ${firstIdAt(createdAt)}::uuid
             order by created_at, id limit ${most}) as e
     where e.email_id = ${id}::uuid limit ${limit}`
}
