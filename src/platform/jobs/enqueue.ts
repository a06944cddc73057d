// Puts jobs into the table, in the caller's transaction: either the work and what it is about are both there, or neither.
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../context'
import { catalogue, type JobArgs, type JobKind } from './catalogue'
import type { ArgsOf, JobDefinition, NamedJob } from './definition'
import { flagReruns, insertJobs, type NewJob, type NewJobKind } from './queries'

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

/** A kind of the catalogue by name, or a declared one. */
type Kind = JobKind | NamedJob
type Args<K extends Kind> = K extends JobKind ? JobArgs<K> : K extends NamedJob ? ArgsOf<K> : never

/** Adds one job. Answers its id, or undefined when its unique key was taken. */
export async function enqueue<K extends Kind>(
  ctx: Context,
  kind: K,
  args: Args<K>,
  options: EnqueueOptions = {},
): Promise<string | undefined> {
  const about = describeKind(ctx, kind)
  const row = newJob(ctx, about, args, options)
  return (await store(ctx, about, [row])) === 1 ? row.id : undefined
}

/** Adds many jobs of one kind in one statement. Answers how many were added; the rest had a unique key that was taken. */
export async function enqueueMany<K extends Kind>(
  ctx: Context,
  kind: K,
  jobs: readonly ({ args: Args<K> } & EnqueueOptions)[],
): Promise<number> {
  if (jobs.length === 0) return 0
  const about = describeKind(ctx, kind)
  const rows = jobs.map(job => newJob(ctx, about, job.args, job))
  return store(ctx, about, rows)
}

interface KindNow extends NewJobKind {
  definition: JobDefinition
}

function describeKind(ctx: Context, kind: Kind): KindNow {
  const definition: JobDefinition = typeof kind === 'string' ? catalogue[kind] : kind
  const { band, maxAttempts } = definition
  return {
    kind: typeof kind === 'string' ? kind : kind.kind,
    band,
    maxAttempts,
    createdAt: ctx.clock.now(),
    definition,
  }
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
  if (added < rows.length) {
    await flagReruns(
      ctx,
      rows.map(row => row.uniqueKey).filter(key => key !== null),
    )
  }
  if (added > 0) {
    const earliest = rows.reduce((at, row) => Math.min(at, row.runAt.getTime()), Number.POSITIVE_INFINITY)
    ctx.afterCommit(() => ctx.jobWaker?.wake(new Date(earliest)))
  }
  return added
}
