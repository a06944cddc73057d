// Puts jobs into the table, in the caller's transaction: either the work and what it is about are both there, or neither.

import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../context'
import type { JobKind } from './kind'
import { flagReruns, insertJobs, makeDue, type NewJob } from './queries'

export interface EnqueueOptions {
  /** Not before this moment; now by default. */
  runAt?: Date
  /**
   * While a waiting job has this key, nothing is added; while one with it is running, that one is run once more after it has
   * ended. A waiting job may begin before the caller's transaction commits: a job that gathers what many transactions leave
   * behind gives them time with `runAt`.
   */
  uniqueKey?: string
  projectId?: string
}

/** A job of a kind that belongs to a project names it. */
type OptionsOf<K extends JobKind> = K['ofProject'] extends true
  ? EnqueueOptions & { projectId: string }
  : EnqueueOptions

/** Adds one job. Returns its id, or undefined when its unique key was taken. */
export async function enqueue<K extends JobKind>(
  ctx: Context,
  kind: K,
  args: Static<K['args']>,
  ...[options]: K['ofProject'] extends true ? [options: OptionsOf<K>] : [options?: OptionsOf<K>]
): Promise<string | undefined> {
  const row = newJob(ctx, kind, args, options ?? {})
  return (await store(ctx, kind, [row])) === 1 ? row.id : undefined
}

/**
 * Adds many jobs of one kind in one statement. Returns how many were added; the rest had a unique key that was taken. With `hastens` a job that
 * waits under such a key for a later moment is due now: there is something new for it.
 */
export async function enqueueMany<K extends JobKind>(
  ctx: Context,
  kind: K,
  jobs: readonly ({ args: Static<K['args']> } & OptionsOf<K>)[],
  { hastens = false }: { hastens?: boolean } = {},
): Promise<number> {
  if (jobs.length === 0) return 0
  const rows = jobs.map(job => newJob(ctx, kind, job.args, job))
  const added = await store(ctx, kind, rows)
  if (hastens && added < rows.length) {
    const now = ctx.clock.now()
    await makeDue(ctx, { uniqueKeys: keysOf(rows) }, now)
    wakeAfterCommit(ctx, [now])
  }
  return added
}

/** Those of these jobs that wait for a later moment are due now; returns their ids. */
export async function hastenByIds(ctx: Context, ids: string[]): Promise<string[]> {
  const now = ctx.clock.now()
  const hastened = await makeDue(ctx, { ids }, now)
  wakeAfterCommit(ctx, [now])
  return hastened
}

function newJob(
  ctx: Context,
  { kind, args: schema }: JobKind,
  args: unknown,
  options: EnqueueOptions,
): NewJob {
  if (!Value.Check(schema, args)) {
    const fault = Value.Errors(schema, args).First()
    throw new Error(`arguments of job ${kind} are wrong: ${fault?.path || '/'} ${fault?.message ?? ''}`)
  }
  const now = ctx.clock.now()
  const { runAt = now, uniqueKey = null, projectId = null } = options
  return { id: ctx.random.uuid(now), args, runAt, uniqueKey, projectId }
}

async function store(ctx: Context, kind: JobKind, rows: NewJob[]): Promise<number> {
  const added = await insertJobs(ctx, kind, rows, ctx.clock.now())
  if (added < rows.length) await flagReruns(ctx, keysOf(rows))
  const moments = new Set(rows.map(row => row.runAt.getTime()))
  if (added > 0)
    wakeAfterCommit(
      ctx,
      [...moments].map(at => new Date(at)),
    )
  return added
}

function wakeAfterCommit(ctx: Context, moments: Date[]): void {
  ctx.afterCommit(() => {
    for (const dueAt of moments) ctx.jobWaker?.wake(dueAt)
  })
}

function keysOf(rows: readonly NewJob[]): string[] {
  return rows.map(row => row.uniqueKey).filter(key => key !== null)
}
