// SQL of privacy: whose data a link is about, the retention rules of projects, and which contacts are inactive.
import { firstIdAt, nilUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import type { Person } from './page'

export interface Rules {
  eventsDays: number | null
  messagesDays: number | null
  inactiveDays: number | null
}

export interface Standing extends Rules {
  effectiveAt: Date | null
  runAt: Date | null
}

/** Undefined for a contact that is gone, and where the project does not offer it. */
export async function selectPerson(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<Person | undefined> {
  const [row] = await ctx.sql<Person[]>`
    select c.id, c.project_id as "projectId", c.email,
           case when jsonb_typeof(c.data -> 'locale') = 'string' then c.data ->> 'locale' end as locale,
           p.name as "projectName", p.language as "projectLanguage"
      from contacts c join projects p on p.id = c.project_id and p.offers_data and p.closing is null
     where c.project_id = ${projectId}::uuid and c.id = ${contactId}::uuid`
  return row
}

const columns = ({ sql }: Context) => sql`
  project_id as "projectId", events_days as "eventsDays", messages_days as "messagesDays", inactive_days as "inactiveDays",
  effective_at as "effectiveAt", run_at as "runAt", messages_to as "messagesTo"`

export interface ProjectRules extends Standing {
  projectId: string
  effectiveAt: Date
  messagesTo: Date | null
}

export async function selectRules(ctx: Context, projectId: string): Promise<ProjectRules | undefined> {
  const [row] = await ctx.sql<ProjectRules[]>`
    select ${columns(ctx)} from project_retention where project_id = ${projectId}::uuid`
  return row
}

/** One change at a time for a project. */
export async function lockRules(tx: Context, projectId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended('retention ' || ${projectId}::text, 0))`
}

export async function putRules(
  ctx: Context,
  projectId: string,
  rules: Rules,
  effectiveAt: Date,
): Promise<void> {
  const { eventsDays, messagesDays, inactiveDays } = rules
  await ctx.sql`
    insert into project_retention (project_id, events_days, messages_days, inactive_days, effective_at)
    values (${projectId}::uuid, ${eventsDays}::int, ${messagesDays}::int, ${inactiveDays}::int, ${effectiveAt}::timestamptz)
    on conflict (project_id) do update
       set events_days = excluded.events_days, messages_days = excluded.messages_days,
           inactive_days = excluded.inactive_days, effective_at = excluded.effective_at`
}

export async function deleteRules(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`delete from project_retention where project_id = ${projectId}::uuid`
}

/** Projects whose rules are in effect and which had no run since `before`; their run begins now. */
export async function takeDue(ctx: Context, before: Date): Promise<string[]> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<{ projectId: string }[]>`
    update project_retention r set run_at = ${now}::timestamptz
      from projects p
     where p.id = r.project_id and p.closing is null and r.effective_at <= ${now}::timestamptz
       and (r.run_at is null or r.run_at <= ${before}::timestamptz)
    returning r.project_id as "projectId"`
  return rows.map(({ projectId }) => projectId)
}

export async function markMessages(ctx: Context, projectId: string, to: Date): Promise<void> {
  await ctx.sql`
    update project_retention set messages_to = ${to}::timestamptz where project_id = ${projectId}::uuid`
}

/**
 * Whether there are events of a span in a project whose rule keeps any that are older than its end: one probe of an index for each such
 * project. Without `from`, all before `to`.
 */
export async function isMonthKept(ctx: Context, from: Date | undefined, to: Date): Promise<boolean> {
  const { sql, clock } = ctx
  const first = from ? firstIdAt(from) : nilUuid
  const [row] = await sql<{ kept: boolean }[]>`
    select exists (
      select from projects p
       where not exists (select from project_retention r
                          where r.project_id = p.id and r.effective_at <= ${clock.now()}::timestamptz
                            and ${to}::timestamptz <= ${clock.now()}::timestamptz - make_interval(hours => 24 * r.events_days))
         and exists (select from events e
                      where e.project_id = p.id and e.id >= ${first}::uuid and e.id < ${firstIdAt(to)}::uuid)) as kept`
  return row!.kept
}

/** At most so many; `isMore` where there are more, or where not all were looked at. */
export interface DeletionCount {
  count: number
  isMore: boolean
}

export interface InactiveQuery {
  before: Date
  behind: string
  limit: number
  /** Those that are found are locked; one that somebody else is changing is left alone. */
  isHeld: boolean
}

export interface InactivePage {
  ids: string[]
  looked: number
  /** The last contact that was looked at. */
  last: string | null
}

/**
 * Of the next contacts, in the order in which they were made, those about whom nothing has happened since `before`. Who opted out or is taking a
 * break stays: that has to be remembered.
 */
export async function selectInactive(
  ctx: Context,
  projectId: string,
  { before, behind, limit, isHeld }: InactiveQuery,
): Promise<InactivePage> {
  const first = firstIdAt(before)
  const [page] = await ctx.sql<[InactivePage]>`
    with page as materialized (
      select id, updated_at, opted_out_at, snoozed_until from contacts
       where project_id = ${projectId}::uuid and id > ${behind}::uuid and id < ${first}::uuid order by id limit ${limit}
    ), inactive as (
      select id from page p
       where updated_at < ${before}::timestamptz and opted_out_at is null and snoozed_until is null
         and not exists (select from events e
                          where e.project_id = ${projectId}::uuid and e.contact_id = p.id and e.created_at >= ${before}::timestamptz)
         and not exists (select from emails m
                          where m.project_id = ${projectId}::uuid and m.contact_id = p.id and m.id >= ${first}::uuid)
         and not exists (select from emails m
                          where m.project_id = ${projectId}::uuid and m.contact_id = p.id and m.status in ('PENDING', 'SENDING'))
         and not exists (select from contact_topics d
                          where d.project_id = ${projectId}::uuid and d.contact_id = p.id and d.decided_at >= ${before}::timestamptz)
         and not exists (select from workflow_executions x
                          where x.project_id = ${projectId}::uuid and x.contact_id = p.id and x.completed_at is null)
    ), held as (
      select c.id from contacts c
       where c.project_id = ${projectId}::uuid and c.id in (select id from inactive) and c.updated_at < ${before}::timestamptz
         for update skip locked
    )
    select coalesce((select array_agg(id) from ${isHeld ? ctx.sql`held` : ctx.sql`inactive`}), '{}') as ids, (select count(*)::int from page) as looked,
           (select id from page order by id desc limit 1) as last`
  return page
}
