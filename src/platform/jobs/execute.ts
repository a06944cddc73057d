// Runs one job that is held: finds its handler, checks its arguments, limits its time, and returns the outcome. Never rejects.
import { Value } from '@sinclair/typebox/value'
import { after, minute, second } from '../../lib/time'
import type { Context } from '../context'
import type { BoundJob, HandlerTable, JobRun } from './kind'
import { describe, type JobOutcome, outcomeOf } from './outcome'
import type { HeldJob } from './queries'

/** A handler that was told to stop has this long to end by itself before it is abandoned. */
const graceMs = 5 * second

/** A run in progress, as the runner sees it. */
export interface RunningJob {
  outcome: Promise<JobOutcome>
  /** Tells the handler to stop once its time is up. */
  checkTime(now: Date): void
  /** Tells the handler to stop; a failure after that puts the job back instead of counting. */
  release(reason: string): void
}

export function execute(ctx: Context, handlers: HandlerTable, job: HeldJob): RunningJob {
  const bound = handlers.get(job.kind)
  const startedAt = ctx.clock.now()
  const stop = new AbortController()
  const abandoned = Promise.withResolvers<never>()
  abandoned.promise.catch(() => {})
  let isReleased = false
  const tell = (text: string): void => {
    if (stop.signal.aborted) return
    const reason = new Error(text)
    stop.abort(reason)
    setTimeout(() => abandoned.reject(reason), graceMs).unref()
  }
  const perform = async (): Promise<JobOutcome> => {
    // An instance of another version runs alongside this one: leave the job to those that know the kind.
    if (!bound) return { type: 'snoozed', at: after(startedAt, minute) }
    try {
      const run = { ...job, isLastAttempt: job.attempt >= job.maxAttempts, signal: stop.signal }
      return await handleJob(ctx, bound, run, abandoned.promise)
    } catch (thrown) {
      if (isReleased) return { type: 'released' }
      const facts = { ...bound.definition, ...job, now: ctx.clock.now(), random: ctx.random }
      const outcome = outcomeOf(thrown, facts)
      report(ctx, job, outcome, thrown)
      return outcome
    }
  }
  return {
    outcome: perform(),
    checkTime(now) {
      const limit = bound?.definition.timeLimitMs ?? Number.POSITIVE_INFINITY
      if (now.getTime() - startedAt.getTime() >= limit) tell(`it ran longer than ${limit} ms`)
    },
    release(reason) {
      isReleased = true
      tell(reason)
    },
  }
}

async function handleJob(
  ctx: Context,
  { definition, handle }: BoundJob,
  run: HeldJob & JobRun,
  abandoned: Promise<never>,
): Promise<JobOutcome> {
  // A chore is no use that somebody makes of the instance.
  if (definition.ofProject) ctx.idle?.end()
  if (definition.startsSending && ctx.sending?.paused()) return { type: 'completed' }
  if (!Value.Check(definition.args, run.args))
    return { type: 'failed', error: 'its arguments do not fit its kind' }
  if (definition.ofProject && run.projectId === null) return { type: 'failed', error: 'it names no project' }
  // What `args` holds was checked against the schema from which the handler's type is made.
  await Promise.race([handle(contextOf(ctx, run), run.args as never, run as never), abandoned])
  return { type: 'completed' }
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
  const stack = thrown instanceof Error ? thrown.stack : undefined
  if (outcome.type === 'failed') ctx.log.error({ ...fields, stack }, 'job failed for good')
  else if (outcome.type === 'retried')
    ctx.log.warn({ ...fields, nextRunAt: outcome.at }, 'job failed and will be tried again')
}
