// Runs one job that is held: finds its handler, checks its arguments, limits its time, and returns the outcome. Never rejects.
import { Value } from '@sinclair/typebox/value'
import { minute, second } from '../../lib/time'
import type { Context } from '../context'
import type { BoundJob, HandlerTable, JobRun } from './handlers'
import { describe, type JobOutcome, outcomeOf } from './outcome'
import type { HeldJob } from './queries'

/** A handler that was told to stop has this long to end by itself before it is abandoned. */
const grace = 5 * second

/** A run in progress, as the runner sees it. */
export interface RunningJob {
  job: HeldJob
  /** By the context's clock. */
  startedAt: Date
  outcome: Promise<JobOutcome>
  /** Tells the handler to stop once its time is up. */
  checkTime(now: Date): void
  /** Tells the handler to stop; a failure after that puts the job back instead of counting. */
  release(reason: string): void
}

export function execute(ctx: Context, handlers: HandlerTable, job: HeldJob): RunningJob {
  const bound = handlers.get(job.kind)
  const stop = stopper()
  const startedAt = ctx.clock.now()
  const run = describeRun(job, stop)
  return {
    job,
    startedAt,
    outcome: perform(ctx, bound, job, run, stop),
    checkTime(now) {
      const limit = bound?.definition.timeLimitMs
      if (limit !== undefined && now.getTime() - startedAt.getTime() >= limit) {
        stop.now(`it ran longer than ${limit} ms`)
      }
    },
    release(reason) {
      stop.released = true
      stop.now(reason)
    },
  }
}

async function perform(
  ctx: Context,
  bound: BoundJob | undefined,
  job: HeldJob,
  run: JobRun,
  stop: Stopper,
): Promise<JobOutcome> {
  const now = (): Date => ctx.clock.now()
  // An instance of another version runs alongside this one: leave the job to those that know the kind.
  if (!bound) return { type: 'snoozed', at: new Date(now().getTime() + minute) }
  const { definition } = bound
  // A chore is no use that somebody makes of the instance.
  if (definition.ofProject) ctx.rest?.end()
  if (definition.startsSending && ctx.sending?.paused()) return { type: 'completed' }
  if (!Value.Check(definition.args, job.args))
    return { type: 'failed', error: 'its arguments do not fit its kind' }
  if (definition.ofProject && job.projectId === null)
    return { type: 'discarded', error: 'it names no project' }
  try {
    // What `args` holds was checked against the schema from which the handler's type is made.
    await Promise.race([bound.handle(contextOf(ctx, job), job.args as never, run as never), stop.abandoned])
    return { type: 'completed' }
  } catch (thrown) {
    if (stop.released) return { type: 'released' }
    const outcome = outcomeOf(thrown, { ...definition, ...job, now: now(), random: ctx.random })
    report(ctx, job, outcome, thrown)
    return outcome
  }
}

/** The job's name goes on every line it logs. Most log nothing, and making a logger costs more than an idle job. */
function contextOf(ctx: Context, job: HeldJob): Context {
  let log: Context['log'] | undefined
  return {
    ...ctx,
    get log() {
      log ??= ctx.log.child({ job: job.id, kind: job.kind })
      return log
    },
  }
}

function report(ctx: Context, job: HeldJob, outcome: JobOutcome, thrown: unknown): void {
  const fields = { job: job.id, kind: job.kind, attempt: job.attempt, error: describe(thrown) }
  if (outcome.type === 'failed') {
    ctx.log.error(
      { ...fields, stack: thrown instanceof Error ? thrown.stack : undefined },
      'job failed for good',
    )
  } else if (outcome.type === 'retried') {
    ctx.log.warn({ ...fields, nextRunAt: outcome.at }, 'job failed and will be tried again')
  }
}

function describeRun(job: HeldJob, stop: Stopper): JobRun {
  return {
    id: job.id,
    kind: job.kind,
    projectId: job.projectId,
    createdAt: job.createdAt,
    attempt: job.attempt,
    maxAttempts: job.maxAttempts,
    isLastAttempt: job.attempt >= job.maxAttempts,
    get signal() {
      return stop.signal()
    },
  }
}

interface Stopper {
  signal(): AbortSignal
  now(reason: string): void
  released: boolean
  /** Rejects when the handler was told to stop and did not end in time. */
  abandoned: Promise<never>
}

/** The abort controller is made when the handler asks for its signal: most never do, and runs are many. */
function stopper(): Stopper {
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  abandoned.catch(() => {})
  let controller: AbortController | undefined
  let reason: Error | undefined
  return {
    released: false,
    abandoned,
    signal() {
      controller ??= new AbortController()
      if (reason && !controller.signal.aborted) controller.abort(reason)
      return controller.signal
    },
    now(text) {
      if (reason) return
      const error = new Error(text)
      reason = error
      controller?.abort(error)
      setTimeout(() => reject(error), grace).unref()
    },
  }
}
