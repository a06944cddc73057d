// Puts jobs into the table, in the caller's transaction: either the work and what it is about are both there, or neither.
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../context'
import type { ArgsOf, JobKind } from './kind'
import { flagReruns, hastenJobs, insertJobs, makeDue, type NewJob, type NewJobKind } from './queries'

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
  args: ArgsOf<K>,
  ...[options]: K['ofProject'] extends true ? [options: OptionsOf<K>] : [options?: OptionsOf<K>]
): Promise<string | undefined> {
  const about = describeKind(ctx, kind)
  const row = newJob(ctx, about, args, options ?? {})
  return (await store(ctx, about, [row])) === 1 ? row.id : undefined
}

/**
 * Adds many jobs of one kind in one statement. Returns how many were added; the rest had a unique key that was taken. With `hastens` a job that
 * waits under such a key for a later moment is due now: there is something new for it.
 */
export async function enqueueMany<K extends JobKind>(
  ctx: Context,
  kind: K,
  jobs: readonly ({ args: ArgsOf<K> } & OptionsOf<K>)[],
  { hastens = false }: { hastens?: boolean } = {},
): Promise<number> {
  if (jobs.length === 0) return 0
  const about = describeKind(ctx, kind)
  const rows = jobs.map(job => newJob(ctx, about, job.args, job))
  const added = await store(ctx, about, rows)
  if (hastens && added < rows.length) await hasten(ctx, rows)
  return added
}

/** Those of these jobs that wait for a later moment are due now; returns their ids. */
export async function hastenByIds(ctx: Context, ids: string[]): Promise<string[]> {
  const now = ctx.clock.now()
  const hastened = await makeDue(ctx, ids, now)
  ctx.afterCommit(() => ctx.jobWaker?.wake(now))
  return hastened
}

async function hasten(ctx: Context, rows: readonly NewJob[]): Promise<void> {
  const now = ctx.clock.now()
  await hastenJobs(ctx, keysOf(rows), now)
  ctx.afterCommit(() => ctx.jobWaker?.wake(now))
}

function keysOf(rows: readonly NewJob[]): string[] {
  return rows.map(row => row.uniqueKey).filter(key => key !== null)
}

interface KindNow extends NewJobKind {
  definition: JobKind
}

function describeKind(ctx: Context, definition: JobKind): KindNow {
  const { kind, band, maxAttempts } = definition
  return { kind, band, maxAttempts, createdAt: ctx.clock.now(), definition }
}

function newJob(ctx: Context, about: KindNow, args: unknown, options: EnqueueOptions): NewJob {
  const { definition, createdAt } = about
  if (!Value.Check(definition.args, args)) throw new Error(whatIsWrong(about, args))
  return {
    id: ctx.random.uuid(createdAt),
    args,
    runAt: options.runAt ?? createdAt,
    uniqueKey: options.uniqueKey ?? null,
    projectId: options.projectId ?? null,
  }
}

function whatIsWrong({ kind, definition }: KindNow, args: unknown): string {
  const fault = Value.Errors(definition.args, args).First()
  return `arguments of job ${kind} are wrong: ${fault?.path || '/'} ${fault?.message ?? ''}`
}

async function store(ctx: Context, about: KindNow, rows: NewJob[]): Promise<number> {
  const added = await insertJobs(ctx, about, rows)
  if (added < rows.length) await flagReruns(ctx, keysOf(rows))
  if (added > 0) {
    const moments = new Set(rows.map(row => row.runAt.getTime()))
    ctx.afterCommit(() => {
      for (const at of moments) ctx.jobWaker?.wake(new Date(at))
    })
  }
  return added
}
