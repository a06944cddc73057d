// Runs one job that is held: finds its handler, checks its arguments, limits its time, and returns the outcome. Never rejects.
import { Value } from '@sinclair/typebox/value'
import { after, minute, second } from '../../lib/time'
import type { Context } from '../context'
import type { BoundJob, HandlerTable } from './kind'
import { describe, type JobOutcome, outcomeOf } from './outcome'
import type { HeldJob } from './queries'

/** A handler whose outcome no longer counts has this long to end by itself before it is abandoned. */
const releaseGraceMs = 5 * second

/** A run in progress, as the runner sees it. */
export interface RunningJob {
  outcome: Promise<JobOutcome>
  /** Tells the handler to stop once its time is up, and abandons it once its grace is. */
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
    stop.abort(new Error(text))
  }
  const perform = async (): Promise<JobOutcome> => {
    // An instance of another version runs alongside this one: leave the job to those that know the kind.
    if (!bound) return { type: 'snoozed', at: after(startedAt, minute) }
    const { definition } = bound
    // A chore is no use that somebody makes of the instance.
    if (definition.ofProject) ctx.idle?.end()
    if (definition.startsSending && ctx.sending?.paused()) return { type: 'completed' }
    if (!Value.Check(definition.args, job.args))
      return { type: 'failed', error: 'its arguments do not fit its kind' }
    if (definition.ofProject && job.projectId === null)
      return { type: 'failed', error: 'it names no project' }
    try {
      await Promise.race([call(ctx, bound, job, stop.signal), abandoned.promise])
      return { type: 'completed' }
    } catch (thrown) {
      if (isReleased) return { type: 'released' }
      const outcome = outcomeOf(thrown, { ...definition, ...job, now: ctx.clock.now(), random: ctx.random })
      logFailure(ctx, job, outcome, thrown)
      return outcome
    }
  }
  return {
    outcome: perform(),
    checkTime(now) {
      if (!bound) return
      const { timeLimitMs, graceMs } = bound.definition
      const tookMs = now.getTime() - startedAt.getTime()
      if (tookMs >= timeLimitMs) tell(`it ran longer than ${timeLimitMs} ms`)
      if (tookMs >= timeLimitMs + graceMs) abandoned.reject(stop.signal.reason)
    },
    release(reason) {
      isReleased = true
      tell(reason)
      setTimeout(() => abandoned.reject(stop.signal.reason), releaseGraceMs).unref()
    },
  }
}

function call(ctx: Context, { handle }: BoundJob, job: HeldJob, signal: AbortSignal): Promise<unknown> {
  let log: Context['log'] | undefined
  const named: Context = {
    ...ctx,
    // The job's name goes on every line it logs. Most log nothing, and making a logger costs more than an idle job.
    get log() {
      log ??= ctx.log.child({ job: job.id, kind: job.kind })
      return log
    },
  }
  const run = { ...job, isLastAttempt: job.attempt >= job.maxAttempts, signal }
  // The arguments were checked against the schema from which the handler's type is made.
  return handle(named, run.args as never, run as never)
}

function logFailure(ctx: Context, job: HeldJob, outcome: JobOutcome, thrown: unknown): void {
  const fields = { job: job.id, kind: job.kind, attempt: job.attempt, error: describe(thrown) }
  const stack = thrown instanceof Error ? thrown.stack : undefined
  if (outcome.type === 'failed') ctx.log.error({ ...fields, stack }, 'job failed for good')
  else if (outcome.type === 'retried')
    ctx.log.warn({ ...fields, nextRunAt: outcome.at }, 'job failed and will be tried again')
}
