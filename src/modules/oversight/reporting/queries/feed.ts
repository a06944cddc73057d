// The feed as one statement: each source goes through an index from its newest end and yields no more than a page; they are merged,
// and what a page shows of contacts, messages, campaigns and workflows is looked up for that page at once.
import type { Context } from '../../../../platform/context'
import type { EmailReason, ReasonDetail } from '../../../../platform/transports/reason'
import type { Position } from '../position'
import type { WantedActivities } from '../types'
import { branches, type FeedSource } from './branches'

/** Which activities, and from where on. */
export interface Listing {
  wanted: WantedActivities
  contactId: string | undefined
  /** Both included. */
  from: Date
  until: Date | undefined
  after: Position | undefined
}

export interface FeedRow extends Position {
  source: 'event' | 'started' | 'completed'
  contactId: string | null
  contactEmail: string | null
  /** Of an event. */
  name: string | null
  data: Record<string, unknown> | null
  emailId: string | null
  /** Null if the message is gone, or none belongs to it. */
  subject: string | null
  fromEmail: string | null
  fromName: string | null
  replyTo: string | null
  toName: string | null
  sourceType: string | null
  opens: number | null
  clicks: number | null
  reason: EmailReason | null
  reasonDetail: ReasonDetail | null
  campaignName: string | null
  workflowName: string | null
  /** Of an execution. */
  status: string | null
  exitReason: string | null
}

/** A page and one row more, by which the caller sees whether there is a next one. */
export async function selectFeed(
  ctx: Context,
  projectId: string,
  listing: Listing,
  limit: number,
): Promise<FeedRow[]> {
  const { sql } = ctx
  const parts = branches(ctx, projectId, listing)
  if (parts.length === 0) return []
  const project = sql`${projectId}::uuid`
  return await sql<FeedRow[]>`
    with page as materialized (
      select * from (${union(ctx, parts, limit + 1)}) as sources
       order by at desc, id desc, rank desc limit ${limit + 1}
    )
    select p.at, p.id, p.rank, p.source, p.contact_id as "contactId", c.email as "contactEmail", p.name, p.data,
           p.email_id as "emailId", m.subject, m.from_email as "fromEmail", m.from_name as "fromName",
           m.reply_to as "replyTo", m.to_name as "toName", m.source_type as "sourceType", m.opens, m.clicks, m.reason, m.reason_detail as "reasonDetail",
           k.name as "campaignName", w.name as "workflowName", p.status, p.exit_reason as "exitReason"
      from page p
      left join contacts c on c.project_id = ${project} and c.id = p.contact_id
      left join emails m on m.project_id = ${project} and m.id = p.email_id
      left join campaigns k on k.project_id = ${project} and k.id = m.campaign_id
      left join workflow_executions x on x.project_id = ${project} and x.id = m.workflow_execution_id
      left join workflows w on w.project_id = ${project} and w.id = coalesce(p.workflow_id, x.workflow_id)
     order by p.at desc, p.id desc, p.rank desc`
}

function union({ sql }: Context, parts: FeedSource[], limit: number) {
  return parts.map(part => sql`(${part.rows(limit)})`).reduce((all, part) => sql`${all} union all ${part}`)
}

/** How many there are of a listing's first page and all that follow; `most` where there are more. */
export async function countFeed(
  ctx: Context,
  projectId: string,
  listing: Listing,
  most: number,
): Promise<number> {
  const { sql } = ctx
  const parts = branches(ctx, projectId, listing)
  if (parts.length === 0) return 0
  const each = parts
    .map(part => sql`(${part.bare(most)})`)
    .reduce((all, part) => sql`${all} union all ${part}`)
  const [row] = await sql<{ found: number }[]>`
    select count(*) as found from (select from (${each}) as sources limit ${most}) as counted`
  return row?.found ?? 0
}
