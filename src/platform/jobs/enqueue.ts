// Puts jobs into the table, in the caller's transaction: either the work and what it is about are both there, or neither.
import { Value } from '@sinclair/typebox/value'
import { type Context, newId } from '../context'
import { catalogue, type JobArgs, type JobKind } from './catalogue'
import type { ArgsOf, JobDefinition, NamedJob } from './definition'
import { flagReruns, insertJobs, type NewJob } from './queries'

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
  const row = newJob(ctx, kind, args, options)
  return (await store(ctx, [row])) === 1 ? row.id : undefined
}

/** Adds many jobs of one kind in one statement. Answers how many were added; the rest had a unique key that was taken. */
export async function enqueueMany<K extends Kind>(
  ctx: Context,
  kind: K,
  jobs: readonly ({ args: Args<K> } & EnqueueOptions)[],
): Promise<number> {
  if (jobs.length === 0) return 0
  return store(
    ctx,
    jobs.map(job => newJob(ctx, kind, job.args, job)),
  )
}

function newJob(ctx: Context, kind: Kind, args: unknown, options: EnqueueOptions): NewJob {
  const name = typeof kind === 'string' ? kind : kind.kind
  const definition: JobDefinition = typeof kind === 'string' ? catalogue[kind] : kind
  if (!Value.Check(definition.args, args))
    throw new Error(`arguments of job ${name} are wrong: ${whatIsWrong(definition, args)}`)
  const now = ctx.clock.now()
  return {
    id: newId(ctx),
    kind: name,
    args,
    band: definition.band,
    runAt: options.runAt ?? now,
    maxAttempts: definition.maxAttempts,
    uniqueKey: options.uniqueKey ?? null,
    projectId: options.projectId ?? null,
    createdAt: now,
  }
}

function whatIsWrong(definition: JobDefinition, args: unknown): string {
  const fault = Value.Errors(definition.args, args).First()
  return `${fault?.path || '/'} ${fault?.message ?? ''}`
}

async function store(ctx: Context, rows: NewJob[]): Promise<number> {
  const added = await insertJobs(ctx, rows)
  if (added < rows.length)
    await flagReruns(
      ctx,
      rows.map(row => row.uniqueKey).filter(key => key !== null),
    )
  if (added > 0) {
    const earliest = rows.reduce((at, row) => Math.min(at, row.runAt.getTime()), Number.POSITIVE_INFINITY)
    ctx.afterCommit(() => ctx.jobWaker?.wake(new Date(earliest)))
  }
  return added
}
