// Writes what became of jobs, those of many runs in one statement: while one write is on its way the next ones gather, so that
// an idle runner answers at once and a busy one commits by the hundred. Outcomes are kept until the database has taken them.
import { second, sleep } from '../../lib/time'
import type { Context } from '../context'
import type { JobOutcome } from './outcome'
import { deleteCompleted, type HeldJob, type JobSettlement, settleJobs } from './queries'

export interface Finished {
  job: HeldJob
  outcome: JobOutcome
}

export interface Completer {
  add(finished: Finished): void
  /** Jobs whose outcome is not written yet: their rows still say that they run. */
  unwritten(): HeldJob[]
  /** Resolves when everything is written. */
  flushed(): Promise<void>
  /** Gives up what could not be written: the leases will free those jobs. */
  close(): void
}

const batchSize = 500
const flights = 2
/** These are matched with their rows one by one where the planner finds nothing better. */
const settleSize = 100

export function makeCompleter(ctx: Context): Completer {
  const queue: Finished[] = []
  const inFlight = new Map<Promise<void>, Finished[]>()
  let closed = false

  const start = (): void => {
    if (queue.length === 0 || inFlight.size >= flights || closed) return
    const batch = queue.splice(0, batchSize)
    const flight = writePersistently(ctx, batch, () => closed)
    inFlight.set(flight, batch)
    void flight.finally(() => {
      inFlight.delete(flight)
      start()
    })
  }
  return {
    add(finished) {
      queue.push(finished)
      // Outcomes of one turn of the event loop share a statement.
      if (queue.length === 1) queueMicrotask(start)
    },
    unwritten: () => [...queue, ...[...inFlight.values()].flat()].map(({ job }) => job),
    async flushed() {
      while (inFlight.size > 0 || (queue.length > 0 && !closed)) {
        start()
        await Promise.race(inFlight.keys())
      }
    },
    close() {
      closed = true
    },
  }
}

/** Tries until it has worked. What one batch cannot store is narrowed down to single jobs, so that one can't hold up others. */
async function writePersistently(ctx: Context, batch: Finished[], isClosed: () => boolean): Promise<void> {
  for (let failures = 0; !isClosed(); failures++) {
    try {
      return await writeOutcomes(ctx, batch)
    } catch (error) {
      ctx.log.warn(
        { error: String(error), jobs: batch.length },
        'outcomes of jobs could not be written; trying again',
      )
      if (isRefusal(error)) return splitUp(ctx, batch, isClosed)
      await sleep(Math.min(100 * 2 ** failures, 2 * second))
    }
  }
}

/** The statement itself was refused (class 22: data, 23: constraint), so repeating it is of no use. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))
}

async function splitUp(ctx: Context, batch: Finished[], isClosed: () => boolean): Promise<void> {
  const [only] = batch
  if (batch.length > 1) {
    for (const finished of batch) await writePersistently(ctx, [finished], isClosed)
  } else if (only && only.outcome.type !== 'failed') {
    const outcome: JobOutcome = { type: 'failed', error: 'what became of it could not be stored' }
    await writePersistently(ctx, [{ job: only.job, outcome }], isClosed)
  }
}

/** One statement for those that are done and vanish, one for all others. */
export async function writeOutcomes(ctx: Context, batch: Finished[]): Promise<void> {
  const done = batch.filter(({ outcome }) => outcome.type === 'completed').map(({ job }) => job)
  const rest = batch.flatMap(({ job, outcome }) => settlement(job, outcome))
  for (const group of byHold(done)) {
    const deleted = await deleteCompleted(
      ctx,
      group.map(job => job.id),
      group[0]!,
    )
    // What is left are jobs that were enqueued again while they ran, and jobs with a lost lease, which nothing matches.
    if (deleted < group.length) rest.push(...group.map(again))
  }
  let settled = 0
  for (let from = 0; from < rest.length; from += settleSize) {
    settled += await settleJobs(ctx, rest.slice(from, from + settleSize), ctx.clock.now())
  }
  if (settled > 0) wakeForQueued(ctx, rest)
  countOutcomes(ctx, batch)
}

/** Almost always one group: first attempts, one runner. */
function byHold(jobs: HeldJob[]): HeldJob[][] {
  return Object.values(Object.groupBy(jobs, job => `${job.attempt} ${job.lockedBy}`)).filter(
    group => group !== undefined,
  )
}

/** Only a job that was enqueued again is still there; that is how `settleJobs` recognises it. */
function again(job: HeldJob): JobSettlement {
  return { ...unchanged(job), state: 'queued', nextAttempt: 0 }
}

function unchanged({ id, attempt, lockedBy }: HeldJob): Omit<JobSettlement, 'state'> {
  return { id, attempt, lockedBy, nextAttempt: attempt, runAt: null, error: null }
}

function settlement(job: HeldJob, outcome: JobOutcome): JobSettlement[] {
  const held = unchanged(job)
  switch (outcome.type) {
    case 'completed':
      return []
    case 'snoozed':
      return [{ ...held, state: 'queued', nextAttempt: job.attempt - 1, runAt: outcome.at }]
    case 'released':
      return [{ ...held, state: 'queued', nextAttempt: job.attempt - 1 }]
    case 'retried':
      return [{ ...held, state: 'queued', runAt: outcome.at, error: outcome.error }]
    case 'discarded':
    case 'failed':
      return [{ ...held, state: outcome.type, error: outcome.error }]
  }
}

function wakeForQueued(ctx: Context, settlements: JobSettlement[]): void {
  const now = ctx.clock.now()
  for (const at of new Set(settlements.map(row => (row.runAt ?? now).getTime())))
    ctx.jobWaker?.wake(new Date(at))
}

function countOutcomes(ctx: Context, batch: Finished[]): void {
  const counts = new Map<string, { kind: string; outcome: JobOutcome['type']; count: number }>()
  for (const { job, outcome } of batch) {
    const key = `${job.kind} ${outcome.type}`
    const entry = counts.get(key) ?? { kind: job.kind, outcome: outcome.type, count: 0 }
    entry.count++
    counts.set(key, entry)
  }
  for (const { kind, outcome, count } of counts.values()) {
    ctx.metrics.jobs.inc({ kind, outcome }, count)
    // A series that begins with a failure shows Prometheus no increase.
    ctx.metrics.jobs.inc({ kind, outcome: 'failed' }, 0)
  }
}
