// All SQL of analytics. Counts come from kept totals; what is not rolled up yet is added, so they are exact at any moment.
import type { Context } from '../../../../platform/context'
import type { DaySpan } from '../../../sending/emails'
import { lowestIdAt } from '../position'
import type { CampaignMetric } from '../span'

export interface CampaignFigures extends Record<CampaignMetric, number> {
  id: string
  name: string
  subject: string
  status: string
  sentAt: Date | null
  createdAt: Date
}

/** The campaigns that were sent in the span, those with most of the metric first. */
export async function selectTopCampaigns(
  ctx: Context,
  projectId: string,
  span: DaySpan,
  metric: CampaignMetric,
  limit: number,
): Promise<CampaignFigures[]> {
  const { sql } = ctx
  return await sql<CampaignFigures[]>`
    select ${figures(ctx)}
      from campaigns c ${counted(ctx, projectId)}
     where c.project_id = ${projectId}::uuid and c.status = 'SENT' ${within(ctx, 'sent_at', span)}
     order by ${sql(metric)} desc, c.sent_at desc, c.id desc limit ${limit}`
}

/** Campaigns of the span one by one, the newest first: those that were sent or begun by that time, others by when they were made. */
export async function selectCampaignFigures(
  ctx: Context,
  projectId: string,
  span: DaySpan,
  limit: number,
): Promise<CampaignFigures[]> {
  return await ctx.sql<CampaignFigures[]>`
    select ${figures(ctx)}
      from (select * from campaigns c
             where project_id = ${projectId}::uuid
               and case when sent_at is null then true ${within(ctx, 'created_at', span)} else true ${within(ctx, 'sent_at', span)} end
             order by coalesce(sent_at, created_at) desc, id desc limit ${limit}) c
      ${counted(ctx, projectId)}
     order by coalesce(c.sent_at, c.created_at) desc, c.id desc`
}

export interface CampaignTotals {
  total: number
  active: number
  sending: number
  completed: number
  sent: number
  opened: number
  clicked: number
}

/** Made and active ones by when they were made, completed ones by when they were sent. */
export async function selectCampaignTotals(
  ctx: Context,
  projectId: string,
  span: DaySpan,
): Promise<CampaignTotals> {
  const { sql } = ctx
  const [row] = await sql<CampaignTotals[]>`
    with mine as materialized (
      select id, status, (true ${within(ctx, 'created_at', span)}) as made,
             (status = 'SENT' ${within(ctx, 'sent_at', span)}) as done
        from campaigns c where project_id = ${projectId}::uuid
    ), counts as (
      select sum(sent) as sent, sum(opened) as opened, sum(clicked) as clicked
        from (select campaign_id, sent, opened, clicked from campaign_counts where project_id = ${projectId}::uuid
               union all
              select campaign_id, sent, opened, clicked from campaign_deltas where project_id = ${projectId}::uuid) as parts
       where campaign_id in (select id from mine where done)
    )
    select count(*) filter (where made) as total, count(*) filter (where made and status in ('DRAFT', 'SCHEDULED')) as active,
           count(*) filter (where made and status = 'SENDING') as sending, count(*) filter (where done) as completed,
           coalesce((select sent from counts), 0)::bigint as sent, coalesce((select opened from counts), 0)::bigint as opened,
           coalesce((select clicked from counts), 0)::bigint as clicked
      from mine`
  return row!
}

function figures({ sql }: Context) {
  return sql`
    c.id, c.name, c.subject, c.status, c.sent_at as "sentAt", c.created_at as "createdAt",
    coalesce(n.sent, 0)::bigint as sent, coalesce(n.delivered, 0)::bigint as delivered,
    coalesce(n.opened, 0)::bigint as opened, coalesce(n.clicked, 0)::bigint as clicked,
    coalesce(n.bounced, 0)::bigint as bounced, coalesce(n.unsubscribed, 0)::bigint as unsubscribed`
}

/** The counts of the campaigns `c`. */
function counted({ sql }: Context, projectId: string) {
  return sql`
    left join (
      select campaign_id, sum(sent) as sent, sum(delivered) as delivered, sum(opened) as opened, sum(clicked) as clicked,
             sum(bounced) as bounced, sum(unsubscribed) as unsubscribed
        from (select campaign_id, sent, delivered, opened, clicked, bounced, unsubscribed from campaign_counts
               where project_id = ${projectId}::uuid
               union all
              select campaign_id, sent, delivered, opened, clicked, bounced, unsubscribed from campaign_deltas
               where project_id = ${projectId}::uuid) as parts
       group by campaign_id) n on n.campaign_id = c.id`
}

function within({ sql }: Context, column: 'created_at' | 'sent_at', { first, last }: DaySpan) {
  return sql`
    and c.${sql(column)} >= ${first}::text::timestamp at time zone 'UTC'
    and c.${sql(column)} < (${last}::text::date + 1)::timestamp at time zone 'UTC'`
}

export interface EventFigures {
  name: string
  count: number
  /** In the preceding span. */
  before: number
}

export interface TemplateFigures {
  id: string
  name: string
  subject: string
  sent: number
  opened: number
  clicked: number
}

/** Templates of single messages, most sent first: among the newest messages of the span, `most` of them at most. */
export async function selectTopTemplates(
  ctx: Context,
  projectId: string,
  { first, last }: DaySpan,
  most: number,
  limit: number,
): Promise<TemplateFigures[]> {
  return await ctx.sql<TemplateFigures[]>`
    select t.id, t.name, t.subject, n.sent, n.opened, n.clicked
      from (select template_id, count(*) as sent, count(*) filter (where opens > 0) as opened,
                   count(*) filter (where clicks > 0) as clicked
              from (select template_id, opens, clicks, sent_at, simulated from emails
                     where project_id = ${projectId}::uuid
                       and created_at >= ${first}::text::timestamp at time zone 'UTC'
                       and created_at < (${last}::text::date + 1)::timestamp at time zone 'UTC'
                     order by created_at desc, id desc limit ${most}) as newest
             where template_id is not null and sent_at is not null and not simulated
             group by template_id) as n
      join templates t on t.project_id = ${projectId}::uuid and t.id = n.template_id
     order by n.sent desc, t.name, t.id limit ${limit}`
}

/** The names that clients chose, most frequent first. Which names are reserved is repeated here, for the database. */
export async function selectTopEvents(
  ctx: Context,
  projectId: string,
  span: DaySpan,
  before: DaySpan | undefined,
  limit: number,
): Promise<EventFigures[]> {
  const { sql } = ctx
  const since = before?.first ?? span.first
  return await sql<EventFigures[]>`
    select name, coalesce(sum(count) filter (where day >= ${span.first}::text::date), 0)::bigint as count,
           coalesce(sum(count) filter (where day < ${span.first}::text::date), 0)::bigint as before
      from (select name, day, count from event_totals
             where project_id = ${projectId}::uuid and day between ${since}::text::date and ${span.last}::text::date
             union all
            select name, day, count from event_deltas
             where project_id = ${projectId}::uuid and day between ${since}::text::date and ${span.last}::text::date) as parts
     where name not like 'email.%' and name not in ('contact.subscribed', 'contact.unsubscribed')
       and not (name like 'segment.%' and (name like '%.entry' or name like '%.exit'))
     group by name having sum(count) filter (where day >= ${span.first}::text::date) > 0
     order by 2 desc, 1 limit ${limit}`
}

/** Everything that was recorded or made since then: events, messages and executions; `most` where there are more. */
export async function countSince(
  ctx: Context,
  projectId: string,
  since: Date,
  most: number,
): Promise<number> {
  const { sql } = ctx
  const project = sql`${projectId}::uuid`
  const [row] = await sql<{ found: number }[]>`
    select count(*) as found
      from (select from (
              (select from events where project_id = ${project} and id >= ${lowestIdAt(since.getTime())}::uuid
                order by id limit ${most})
               union all
              (select from emails where project_id = ${project} and created_at >= ${since}::timestamptz
                  and id >= ${lowestIdAt(since.getTime())}::uuid
                order by created_at limit ${most})
               union all
              (select from workflow_executions where project_id = ${project} and started_at >= ${since}::timestamptz
                order by started_at limit ${most})
            ) as sources limit ${most}) as counted`
  return row?.found ?? 0
}

export interface Presence {
  /** Names of events that have a type of their own. */
  typed: string[]
  /** Whether there are events of other names. */
  others: boolean
  started: boolean
  completed: boolean
}

/** Which kinds of activity a project has. The greatest time is one probe of an index; `exists` may be a scan for a project that has none. */
export async function selectPresence(
  ctx: Context,
  projectId: string,
  typedNames: readonly string[],
): Promise<Presence> {
  const { sql } = ctx
  const project = sql`${projectId}::uuid`
  const names = typedNames as string[]
  const [row] = await sql<Presence[]>`
    with names as materialized (
      select name
        from (select name, count from event_name_totals where project_id = ${project}
               union all
              select name, count from event_deltas where project_id = ${project}) as counts
       group by name having sum(count) > 0
    )
    select array(select name from names where name = any(${names}::text[])) as typed,
           exists (select from names where name <> all(${names}::text[])) as others,
           (select max(started_at) from workflow_executions where project_id = ${project}) is not null as started,
           (select max(completed_at) from workflow_executions where project_id = ${project}) is not null as completed`
  return row!
}

/** All events of a span, from the totals by day. */
export async function countEvents(
  ctx: Context,
  projectId: string,
  { first, last }: DaySpan,
): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select coalesce(sum(count), 0)::bigint as count
      from (select count from event_totals
             where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date
             union all
            select count from event_deltas
             where project_id = ${projectId}::uuid and day between ${first}::text::date and ${last}::text::date) as counts`
  return row?.count ?? 0
}

/** Executions that began in a span; `most` where there are more. */
export async function countStarted(
  ctx: Context,
  projectId: string,
  { first, last }: DaySpan,
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(*) as found
      from (select from workflow_executions
             where project_id = ${projectId}::uuid
               and started_at >= ${first}::text::timestamp at time zone 'UTC'
               and started_at < (${last}::text::date + 1)::timestamp at time zone 'UTC'
             order by started_at limit ${most}) as counted`
  return row?.found ?? 0
}
