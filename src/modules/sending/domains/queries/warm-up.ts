// Warm-up plans and their days: started, changed and given up; booked against by all workers at once.
import { idOfName } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import type { WarmUpDay, WarmUpPlan } from '../warm-up'

export interface WarmUp extends WarmUpPlan {
  id: string
  startedAt: Date
  endedAt: Date | null
}

/** Undefined where the domain has no plan. */
export async function findWarmUp(
  ctx: Context,
  projectId: string,
  domain: string,
): Promise<WarmUp | undefined> {
  const [row] = await ctx.sql<WarmUp[]>`
    select w.id, w.first_day as "firstDay", w.factor, w.target, w.started_at as "startedAt", w.ended_at as "endedAt"
      from domains d join warm_ups w on w.domain_id = d.id
     where d.project_id = ${projectId}::uuid and d.domain = ${domain}`
  return row
}

/** A transport has one plan, which is found by its name. */
export function idOfTransportPlan(transport: string): string {
  return idOfName(`warm-up ${transport}`)
}

/** Writes the plan of a transport as its settings have it now; what has been sent so far still counts. */
export async function upsertTransportPlan(
  ctx: Context,
  transport: string,
  { firstDay, factor, target }: WarmUpPlan,
): Promise<Pick<WarmUp, 'id' | 'endedAt'>> {
  const now = ctx.clock.now()
  const [row] = await ctx.sql<[Pick<WarmUp, 'id' | 'endedAt'>]>`
    insert into warm_ups (id, transport, first_day, factor, target, started_at)
    values (${idOfTransportPlan(transport)}::uuid, ${transport}, ${firstDay}::integer, ${factor}::float8, ${target}::integer, ${now}::timestamptz)
    on conflict (id) do update
       set first_day = excluded.first_day, factor = excluded.factor, target = excluded.target
    returning id, ended_at as "endedAt"`
  return row
}

export interface TransportDay {
  transport: string
  allowance: number
  sent: number
  /** Whether its target had been reached before. */
  isOver: boolean
}

/** How far the transports with a plan are on a day, without those that have sent nothing yet. */
export async function selectTransportDays(ctx: Context, date: string): Promise<TransportDay[]> {
  return await ctx.sql<TransportDay[]>`
    select w.transport, coalesce(d.allowance, 0) as allowance, coalesce(d.sent, 0) as sent, w.ended_at is not null as "isOver"
      from warm_ups w left join warm_up_days d on d.warm_up_id = w.id and d.day = ${date}::text::date
     where w.transport is not null`
}

/** Undefined once it was given up. */
export async function findPlan(ctx: Context, id: string): Promise<WarmUp | undefined> {
  const [row] = await ctx.sql<WarmUp[]>`
    select id, first_day as "firstDay", factor, target, started_at as "startedAt", ended_at as "endedAt"
      from warm_ups where id = ${id}::uuid`
  return row
}

/** Starts a plan, or changes the one that is under way. False where the domain is gone. */
export async function upsertWarmUp(
  ctx: Context,
  domainId: string,
  id: string,
  { firstDay, factor, target }: WarmUpPlan,
): Promise<boolean> {
  const { count } = await ctx.sql`
    insert into warm_ups (id, domain_id, first_day, factor, target, started_at)
    select ${id}::uuid, d.id, ${firstDay}::integer, ${factor}::float8, ${target}::integer, ${ctx.clock.now()}::timestamptz
      from domains d where d.id = ${domainId}::uuid for key share
    on conflict (domain_id) do update
       set first_day = excluded.first_day, factor = excluded.factor, target = excluded.target`
  return count > 0
}

/** False where there was none. */
export async function deleteWarmUp(ctx: Context, domainId: string): Promise<boolean> {
  const { count } = await ctx.sql`delete from warm_ups where domain_id = ${domainId}::uuid`
  return count > 0
}

export async function endWarmUp(ctx: Context, id: string): Promise<void> {
  await ctx.sql`
    update warm_ups set ended_at = ${ctx.clock.now()}::timestamptz where id = ${id}::uuid and ended_at is null`
}

/** The newest days of a plan, the last one first. */
export async function selectWarmUpDays(ctx: Context, id: string, limit: number): Promise<WarmUpDay[]> {
  return await ctx.sql<WarmUpDay[]>`
    select day::text as date, step, allowance, reserved, sent, transactional
      from warm_up_days where warm_up_id = ${id}::uuid order by day desc limit ${limit}`
}

/** The first one to begin a day decides what it allows; whoever comes later finds it. Nothing once the plan was given up. */
export async function insertDay(ctx: Context, id: string, day: WarmUpDay): Promise<void> {
  await ctx.sql`
    insert into warm_up_days (warm_up_id, day, step, allowance, reserved)
    select id, ${day.date}::text::date, ${day.step}::integer, ${day.allowance}::integer, ${day.reserved}::integer
      from warm_ups where id = ${id}::uuid for key share
    on conflict do nothing`
}

/** What a changed plan allows on a day that has begun. */
export async function updateAllowance(ctx: Context, id: string, day: WarmUpDay): Promise<void> {
  await ctx.sql`
    update warm_up_days set allowance = ${day.allowance}::integer, reserved = ${day.reserved}::integer
     where warm_up_id = ${id}::uuid and day = ${day.date}::text::date`
}

/** How many of `count` messages that can wait may leave on this day; undefined where it has not begun. */
export async function bookDay(
  ctx: Context,
  id: string,
  date: string,
  count: number,
): Promise<number | undefined> {
  const [row] = await ctx.sql<{ granted: number }[]>`
    with held as (
      select greatest(0, least(${count}::integer, allowance - sent - greatest(0, reserved - transactional))) as granted
        from warm_up_days where warm_up_id = ${id}::uuid and day = ${date}::text::date for update
    )
    update warm_up_days d set sent = d.sent + held.granted from held
     where d.warm_up_id = ${id}::uuid and d.day = ${date}::text::date
    returning held.granted`
  return row?.granted
}

/** Gives back what was booked and did not leave. */
export async function releaseDay(ctx: Context, id: string, date: string, count: number): Promise<void> {
  await ctx.sql`
    update warm_up_days set sent = greatest(transactional, sent - ${count}::integer)
     where warm_up_id = ${id}::uuid and day = ${date}::text::date`
}

/** Counts mail that is never held back. False where the day has not begun. */
export async function countOnDay(ctx: Context, id: string, date: string, count: number): Promise<boolean> {
  const counted = await ctx.sql`
    update warm_up_days set sent = sent + ${count}::integer, transactional = transactional + ${count}::integer
     where warm_up_id = ${id}::uuid and day = ${date}::text::date`
  return counted.count > 0
}
