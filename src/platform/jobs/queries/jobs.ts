// The statements about jobs and their holders. Each one carries the conditions under which it may act, so that two processes
// that do the same thing at the same time cannot disagree; *now* always comes from the caller.
import type { Sql } from '../../context'
import type { JobKind } from '../kind'
import type { JobOutcome } from '../outcome'
import { type Band, bands } from '../schema'

/** Either the shared pool, a transaction or the runner's own connections. */
export type SqlContext = { readonly sql: Sql }

export interface NewJob {
  id: string
  args: unknown
  runAt: Date
  uniqueKey: string | null
  projectId: string | null
}

/**
 * A job that a runner holds; (id, attempt, lockedBy) is the proof of it. Statements compare these three, or the runner alone where they delete
 * by the hundred. They don't compare the state: a check constraint says that what is locked is running, and a condition on the state would
 * offer the planner the index of running jobs, which it takes for tiny and then reads once a row (112 ms instead of 4 ms for 500 jobs).
 */
export interface HeldJob {
  id: string
  kind: string
  args: unknown
  band: Band
  attempt: number
  maxAttempts: number
  projectId: string | null
  runAt: Date
  lockedBy: string
  /** Of a claim by turns: the owner that it came to; null after the last one. */
  reached?: string | null
}

/**
 * Returns how many were added; rows whose unique key is taken are left out. Columns go as arrays: 20,000 rows took 224 ms, as
 * JSON records 332 ms, of which the table itself and its indexes are 154 ms.
 */
export async function insertJobs(
  ctx: SqlContext,
  { kind, band, maxAttempts }: JobKind,
  rows: NewJob[],
  now: Date,
): Promise<number> {
  // Sorted by key, because two transactions that add the same keys in another order would wait for each other.
  const sorted = rows.length > 1 ? rows.toSorted((a, b) => compareKeys(a.uniqueKey, b.uniqueKey)) : rows
  const inserted = await ctx.sql`
    insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, unique_key, project_id, created_at)
    select id, ${kind}, args, ${band}, 'queued', run_at, 0, ${maxAttempts}::int, unique_key, project_id, ${now}::timestamptz
      from unnest(${sorted.map(row => row.id)}::uuid[], ${sorted.map(row => JSON.stringify(row.args))}::jsonb[],
                  ${sorted.map(row => row.runAt.toISOString())}::text[]::timestamptz[], ${sorted.map(row => row.uniqueKey)}::text[],
                  ${sorted.map(row => row.projectId)}::uuid[]) as new(id, args, run_at, unique_key, project_id)
    on conflict (unique_key) where unique_key is not null and state in ('queued', 'running') do nothing`
  return inserted.count
}

function compareKeys(a: string | null, b: string | null): number {
  const [first, second] = [a ?? '', b ?? '']
  return first === second ? 0 : first < second ? -1 : 1
}

/** Running jobs with these keys are queued again when they end: they may have read before the caller wrote. */
export async function flagReruns(ctx: SqlContext, uniqueKeys: string[]): Promise<void> {
  if (uniqueKeys.length === 0) return
  await ctx.sql`
    update jobs set rerun = true
     where unique_key = any(${uniqueKeys}::text[]) and state = 'running' and not rerun`
}

/** Those of these jobs that wait for a later moment are due now; returns their ids. */
export async function makeDue(
  ctx: SqlContext,
  which: { ids: string[] } | { uniqueKeys: string[] },
  now: Date,
): Promise<string[]> {
  const isOne =
    'ids' in which
      ? ctx.sql`id = any(${which.ids}::uuid[])`
      : ctx.sql`unique_key = any(${which.uniqueKeys}::text[])`
  const rows = await ctx.sql<{ id: string }[]>`
    update jobs set run_at = ${now}::timestamptz
     where ${isOne} and state = 'queued' and run_at > ${now}::timestamptz
    returning id`
  return rows.map(row => row.id)
}

/** What a runner asks for: a number of due jobs of a band. */
export interface ClaimRequest {
  band: Band
  places: number
  /** Projects take turns, and the next is that of the owner behind this one; undefined takes the oldest jobs, whoever has them. */
  turn?: string
  /** Owners that have no turn. */
  except?: string[]
}

/** Owners of jobs that one claim looks at, also those whose jobs are due later. */
const ownersAtOnce = 500

/**
 * Takes due jobs of each band, skipping those that others are taking: the oldest, or as many of each owner behind `turn`, with one look
 * into the index `jobs_line` for each however many jobs it has. None when the runner's lease is over. Returned in no particular order.
 *
 * `= any(array(...))` rather than `in (...)`: with a join the planner reads the whole table once its statistics say that a
 * band is large (34 ms instead of 1.7 ms to take 120 of 200,000). Band and project are one expression: as two columns the planner
 * would take `jobs_claim`, and walk over what others have due. And the commit does not wait for the disk: a claim that a
 * crash of the server forgets leaves a job that is still queued, which is what has to happen to it anyway.
 */
export async function claimJobs(
  ctx: SqlContext,
  runnerId: string,
  wanted: ClaimRequest[],
  now: Date,
): Promise<HeldJob[]> {
  const jobs = await ctx.sql<Omit<HeldJob, 'lockedBy'>[]>`
    with recursive quick as materialized (select set_config('synchronous_commit', 'off', true)),
         want as (
           select * from unnest(${wanted.map(want => want.band)}::text[], ${wanted.map(want => want.places)}::int[],
                                ${wanted.map(want => want.turn ?? null)}::text[]) as want(band, places, turn)),
         walk(band, places, owner, is_due, due, number) as (
           select band, places, turn collate "C", false, 0, 0 from want where turn is not null
           union all
           select walk.band, walk.places, next.owner, next.is_due, due + next.is_due::int, number + 1
             from walk cross join lateral (
               select owner, run_at <= ${now}::timestamptz and owner <> all(${wanted.flatMap(want => want.except ?? [])}::text[]) as is_due
                 from (select (band || ' ' || coalesce(project_id::text, '~')) collate "C" as owner, run_at from jobs
                        where state = 'queued'
                          and (band || ' ' || coalesce(project_id::text, '~')) collate "C" > greatest(walk.owner, walk.band || ' ')
                          and (band || ' ' || coalesce(project_id::text, '~')) collate "C" < walk.band || '!'
                        order by (band || ' ' || coalesce(project_id::text, '~')) collate "C", run_at limit 1) as first) as next
            where number < ${ownersAtOnce}::int and due <= places),
         turns as (
           select owner, (places - row_number() over (partition by band order by owner)
                          + count(*) over (partition by band)) / count(*) over (partition by band) as places
             from walk where is_due and due <= places)
    update jobs set state = 'running', attempt = attempt + 1, locked_by = ${runnerId}::uuid
     where id = any(array(
             select job.id from want cross join lateral (
               select id from jobs
                where state = 'queued' and jobs.band = want.band and run_at <= ${now}::timestamptz
                order by run_at, id
                limit want.places
                  for update skip locked) as job
              where want.turn is null)
           || array(
             select job.id from turns cross join lateral (
               select id from jobs
                where state = 'queued' and (band || ' ' || coalesce(project_id::text, '~')) collate "C" = turns.owner
                  and run_at <= ${now}::timestamptz
                order by run_at, id
                limit turns.places
                  for update skip locked) as job))
       and exists (select 1 from runners, quick where id = ${runnerId}::uuid and lease_until > ${now}::timestamptz)
    returning id, kind, args, band, attempt, max_attempts as "maxAttempts", project_id as "projectId",
              run_at as "runAt",
              (select max(owner) filter (where due <= places) from walk where walk.band = jobs.band
               having bool_or(due > places or number = ${ownersAtOnce}::int)) as reached`
  return jobs.map(job => ({ ...job, lockedBy: runnerId }))
}

/** When the next job that waits is due, of those due after `now`; undefined if that is later than `until`. */
export async function nextDue(ctx: SqlContext, now: Date, until: Date): Promise<Date | undefined> {
  const [row] = await ctx.sql<{ at: Date | null }[]>`
    select min(first.run_at) as at
      from unnest(${[...bands]}::text[]) as wanted(band)
     cross join lateral (
       select run_at from jobs
        where state = 'queued' and jobs.band = wanted.band and run_at > ${now} and run_at <= ${until}
        order by run_at limit 1) as first`
  return row?.at ?? undefined
}

/**
 * Deletes jobs that have succeeded. Those that are wanted again or no longer held stay; returns how many went. (As a join with arrays, a
 * plan made while the table was empty read the whole table for each batch: 8 s for 500 of 50,000 jobs.)
 */
export async function deleteCompleted(ctx: SqlContext, runnerId: string, ids: string[]): Promise<number> {
  const deleted = await ctx.sql`
    delete from jobs where id = any(${ids}::uuid[]) and locked_by = ${runnerId} and not rerun`
  return deleted.count
}

/**
 * Writes what became of jobs. One that was wanted again while it ran is queued for now, instead of being finished, or of waiting until the
 * moment to which it snoozed: what it is wanted for may be due earlier. One to be tried again keeps its wait. Returns when those that were
 * still held and are queued run next. `jobs.rerun` is read in place each time, because only then is a flag seen that was set while this
 * statement waited.
 */
export async function settleJobs(
  ctx: SqlContext,
  finished: readonly { job: HeldJob; outcome: JobOutcome }[],
  now: Date,
): Promise<Date[]> {
  const rows = finished.map(({ job: { id, attempt, lockedBy }, outcome }) => ({
    id,
    attempt,
    lockedBy,
    ...outcome,
  }))
  const settled = await ctx.sql<{ runAt: Date | null }[]>`
    update jobs
       set state = case when outcome.type = 'failed' and not jobs.rerun then 'failed' else 'queued' end,
           finished_at = case when outcome.type = 'failed' and not jobs.rerun then ${now}::timestamptz end,
           attempt = case when outcome.type in ('completed', 'failed') and jobs.rerun then 0
                          when outcome.type = 'snoozed' then jobs.attempt - 1 else jobs.attempt end,
           run_at = case when outcome.type <> 'retried' and jobs.rerun then ${now}::timestamptz
                         else coalesce(outcome.at, run_at) end,
           last_error = coalesce(outcome.error, last_error),
           locked_by = null,
           rerun = false
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as outcome(id uuid, "lockedBy" uuid, attempt int, type text, at timestamptz, error text)
     where jobs.id = any(${rows.map(row => row.id)}::uuid[])
       and jobs.id = outcome.id and jobs.attempt = outcome.attempt and jobs.locked_by = outcome."lockedBy"
       and (outcome.type <> 'completed' or jobs.rerun)
    returning case when state = 'queued' then run_at end as "runAt"`
  return settled.flatMap(({ runAt }) => runAt ?? [])
}

/** Removes jobs that finished before `before`, at most `limit` of them. Returns how many. */
export async function deleteFinished(ctx: SqlContext, before: Date, limit: number): Promise<number> {
  const deleted = await ctx.sql`
    delete from jobs where id = any(array(
      select id from jobs where finished_at < ${before} order by finished_at limit ${limit}))`
  return deleted.count
}
