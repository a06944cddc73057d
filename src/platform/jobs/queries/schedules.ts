// The statements about schedules: which ticks were turned into jobs, and who may do so.
import type { SqlContext } from './jobs'

/** Schedules that are not known yet begin at `now`. */
export async function insertSchedules(ctx: SqlContext, names: string[], now: Date): Promise<void> {
  await ctx.sql`
    insert into schedules (name, last_tick)
    select name, ${now}::timestamptz from unnest(${names}::text[]) as new(name) order by name
    on conflict (name) do nothing`
}

export async function readLastTicks(ctx: SqlContext, names: string[]): Promise<Map<string, Date>> {
  const rows = await ctx.sql<{ name: string; lastTick: Date }[]>`
    select name, last_tick as "lastTick" from schedules where name = any(${names}::text[])`
  return new Map(rows.map(row => [row.name, row.lastTick]))
}

/** True for the one caller that moves the schedule to this tick: forward, or back from one that is later than `latest`. */
export async function claimTick(ctx: SqlContext, name: string, tick: Date, latest: Date): Promise<boolean> {
  const claimed = await ctx.sql`
    update schedules set last_tick = ${tick} where name = ${name} and (last_tick < ${tick} or last_tick > ${latest})`
  return claimed.count === 1
}
