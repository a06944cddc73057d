// The statements about the instance's own row.
import type { Sql } from '../context'
import type { DatabaseOrigin } from './origin'

type Database = { readonly sql: Sql }

export interface InstanceRow {
  databaseId: string
  home: DatabaseOrigin | null
  generation: number
  pausedAt: Date | null
  pausedBecause: string | null
}

/** Undefined before the first start. */
export async function readInstance(ctx: Database): Promise<InstanceRow | undefined> {
  const [row] = await ctx.sql<InstanceRow[]>`
    select database_id as "databaseId", home, generation, paused_at as "pausedAt", paused_because as "pausedBecause"
      from instance where id = 1`
  return row
}

/** Makes this place the row's home; pauses sending where there is a reason, and leaves an existing pause. */
export async function claimForOrigin(
  ctx: Database,
  home: DatabaseOrigin,
  because: string | undefined,
  now: Date,
): Promise<number> {
  const [row] = await ctx.sql<{ generation: number }[]>`
    update instance
       set home = ${home}, generation = generation + 1,
           paused_because = coalesce(paused_because, ${because ?? null}::text),
           paused_at = case when paused_at is null and ${because ?? null}::text is not null
                            then ${now}::timestamptz else paused_at end
     where id = 1
    returning generation`
  return row?.generation ?? 0
}

/** Increments the counter; returns the new count. */
export async function countUp(ctx: Database): Promise<number> {
  const [row] = await ctx.sql<{ generation: number }[]>`
    update instance set generation = generation + 1 where id = 1 returning generation`
  return row?.generation ?? 0
}

export async function pauseSending(ctx: Database, because: string, now: Date): Promise<void> {
  await ctx.sql`
    update instance set paused_at = ${now}, paused_because = ${because} where id = 1 and paused_at is null`
}

/** True when it was paused. */
export async function resumeSending(ctx: Database): Promise<boolean> {
  const resumed = await ctx.sql`
    update instance set paused_at = null, paused_because = null where id = 1 and paused_at is not null`
  return resumed.count === 1
}

/** Where this connection's database is. Some hosts keep the identifier from ordinary users. */
export async function readExternalOrigin(ctx: Database): Promise<DatabaseOrigin> {
  const [row] = await ctx.sql<{ number: string; mayAsk: boolean }[]>`
    select oid::text as number, has_function_privilege('pg_control_system()', 'execute') as "mayAsk"
      from pg_database where datname = current_database()`
  if (!row?.mayAsk) return `?/${row?.number ?? '?'}`
  const [system] = await ctx.sql<{ id: string }[]>`
    select system_identifier::text as id from pg_control_system()`
  return `${system?.id ?? '?'}/${row.number}`
}

/** For the end of a restore: paused, and at home wherever it starts first. */
export async function pauseRestored(ctx: Database, madeAt: string, now: Date): Promise<void> {
  await ctx.sql`
    update instance set home = null, paused_at = ${now},
           paused_because = ${`this database was restored from a backup of ${madeAt}`}
     where id = 1`
}
