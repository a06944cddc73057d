// Who may do what: the leases of runners, and the ticks of schedules.
import type { SqlContext } from './jobs'

export async function insertRunner(ctx: SqlContext, id: string, leaseUntil: Date, now: Date): Promise<void> {
  await ctx.sql`insert into runners (id, lease_until, started_at) values (${id}, ${leaseUntil}, ${now})`
}

/**
 * The heartbeat: one row for everything that the runner holds. Undefined when the lease is over, and with it every hold. `orphans`:
 * there may be something to rescue.
 */
export async function renewLease(
  ctx: SqlContext,
  id: string,
  leaseUntil: Date,
  now: Date,
): Promise<{ orphans: boolean } | undefined> {
  const [renewed] = await ctx.sql<{ orphans: boolean }[]>`
    update runners set lease_until = ${leaseUntil} where id = ${id} and lease_until > ${now}
    returning (exists (select from runners as other where other.lease_until <= ${now})
               or exists (select from jobs where state = 'running'
                             and not exists (select from runners as holder where holder.id = jobs.locked_by))) as orphans`
  return renewed
}

/** Runs beyond the permitted attempts that a job gets when its process died in the last one, so that its handler can settle it. */
const extraRuns = 3

/**
 * Puts back what runners without a valid lease hold; one process at a time, since a second one with an older view could take back a fresh
 * claim. Deleting the runner's row first is what decides against a heartbeat that comes at the same moment: one of the two finds the row
 * changed. A job that has taken down process after process is given up. In a transaction.
 */
export async function rescueJobs(tx: SqlContext, now: Date): Promise<number> {
  const [row] = await tx.sql<{ granted: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtext('waxwing.jobs.rescue')) as granted`
  if (!row?.granted) return 0
  const rescued = await tx.sql`
    with dead as (delete from runners where lease_until <= ${now} returning id),
         held as (select id, rerun or attempt < max_attempts + ${extraRuns}::int as again from jobs
                   where state = 'running' and (locked_by in (select id from dead)
                                                or not exists (select 1 from runners where runners.id = locked_by)))
    update jobs
       set state = case when again then 'queued' else 'failed' end,
           finished_at = case when again then null else ${now}::timestamptz end,
           last_error = 'the process that ran it died',
           locked_by = null,
           rerun = false
      from held where jobs.id = held.id and jobs.state = 'running'`
  return rescued.count
}

/** Ends every lease, for a process that knows that nobody else uses its database. */
export async function deleteAllRunners(ctx: SqlContext): Promise<void> {
  await ctx.sql`delete from runners`
}

export async function deleteRunner(ctx: SqlContext, id: string): Promise<void> {
  await ctx.sql`delete from runners where id = ${id}`
}

/** Puts back whatever this runner still holds but for the jobs of `except`, each run uncounted. */
export async function releaseHeld(
  ctx: SqlContext,
  runnerId: string,
  except: readonly string[] = [],
): Promise<number> {
  const released = await ctx.sql`
    update jobs set state = 'queued', attempt = attempt - 1, locked_by = null, rerun = false
     where state = 'running' and locked_by = ${runnerId} and id <> all(${[...except]}::uuid[])`
  return released.count
}

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
