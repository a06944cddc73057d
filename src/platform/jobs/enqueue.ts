// Puts jobs into the table, in the caller's transaction: either the work and what it is about are both there, or neither.
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../context'
import type { JobKind } from './kind'
import { flagReruns, insertJobs, makeDue } from './queries'

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
  const { ids, added } = await add(ctx, kind, [{ args, ...options }])
  return added === 1 ? ids[0] : undefined
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
  const { added } = await add(ctx, kind, jobs)
  if (hastens && added < jobs.length) await hasten(ctx, { uniqueKeys: keysOf(jobs) })
  return added
}

/** Those of these jobs that wait for a later moment are due now; returns their ids. */
export async function hasten(
  ctx: Context,
  which: { ids: string[] } | { uniqueKeys: string[] },
): Promise<string[]> {
  const now = ctx.clock.now()
  const hastened = await makeDue(ctx, which, now)
  wakeAfterCommit(ctx, [now])
  return hastened
}

async function add(
  ctx: Context,
  kind: JobKind,
  jobs: readonly (EnqueueOptions & { args: unknown })[],
): Promise<{ ids: string[]; added: number }> {
  const now = ctx.clock.now()
  const rows = jobs.map(({ args, runAt = now, uniqueKey = null, projectId = null }) => {
    const fault = Value.Check(kind.args, args) ? undefined : Value.Errors(kind.args, args).First()
    if (fault)
      throw new Error(`arguments of job ${kind.kind} are wrong: ${fault.path || '/'} ${fault.message}`)
    return { id: ctx.random.uuid(now), args, runAt, uniqueKey, projectId }
  })
  const added = await insertJobs(ctx, kind, rows, now)
  if (added < rows.length) await flagReruns(ctx, keysOf(jobs))
  if (added > 0)
    wakeAfterCommit(
      ctx,
      rows.map(row => row.runAt),
    )
  return { ids: rows.map(row => row.id), added }
}

function wakeAfterCommit(ctx: Context, moments: Date[]): void {
  const distinct = new Set(moments.map(at => at.getTime()))
  ctx.afterCommit(() => {
    for (const at of distinct) ctx.jobWaker?.wake(new Date(at))
  })
}

function keysOf(jobs: readonly EnqueueOptions[]): string[] {
  return jobs.flatMap(({ uniqueKey }) => uniqueKey ?? [])
}
