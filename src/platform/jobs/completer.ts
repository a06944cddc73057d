// Writes the outcomes of jobs, those of many runs in one statement: while one write is on its way the next ones gather, so that
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
const writesAtOnce = 2
/** These are matched with their rows one by one where the planner finds nothing better. */
const settleSize = 100

export function makeCompleter(ctx: Context): Completer {
  const queue: Finished[] = []
  const writes = new Map<Promise<void>, Finished[]>()
  let isClosed = false

  const start = (): void => {
    if (queue.length === 0 || writes.size >= writesAtOnce || isClosed) return
    const batch = queue.splice(0, batchSize)
    const write = writePersistently(ctx, batch, () => isClosed)
    writes.set(write, batch)
    void write.finally(() => {
      writes.delete(write)
      start()
    })
  }
  return {
    add(finished) {
      queue.push(finished)
      // Outcomes of one turn of the event loop share a statement.
      if (queue.length === 1) queueMicrotask(start)
    },
    unwritten: () => [...queue, ...[...writes.values()].flat()].map(({ job }) => job),
    async flushed() {
      while (writes.size > 0 || (queue.length > 0 && !isClosed)) {
        start()
        await Promise.race(writes.keys())
      }
    },
    close() {
      isClosed = true
    },
  }
}

/** Tries until it has worked. A batch that PostgreSQL refuses is written job by job, so that one can't hold up others. */
async function writePersistently(ctx: Context, batch: Finished[], isClosed: () => boolean): Promise<void> {
  for (let failures = 0; !isClosed(); failures++) {
    try {
      return await writeOutcomes(ctx, batch)
    } catch (error) {
      ctx.log.warn(
        { error: String(error), jobs: batch.length },
        'outcomes of jobs could not be written; trying again',
      )
      if (isRefusal(error)) return await writeEach(ctx, batch, isClosed)
      await sleep(Math.min(100 * 2 ** failures, 2 * second))
    }
  }
}

/** The statement itself was refused (class 22: data, 23: constraint), so repeating it is of no use. */
function isRefusal(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))
}

/** A job whose own outcome is refused has failed. */
async function writeEach(ctx: Context, batch: Finished[], isClosed: () => boolean): Promise<void> {
  for (const { job, outcome } of batch) {
    const failed: JobOutcome = { type: 'failed', error: 'what became of it could not be stored' }
    if (batch.length > 1) await writePersistently(ctx, [{ job, outcome }], isClosed)
    else if (outcome.type !== 'failed') await writePersistently(ctx, [{ job, outcome: failed }], isClosed)
  }
}

/** One statement for those that are done and vanish, one for all others. */
export async function writeOutcomes(ctx: Context, batch: Finished[]): Promise<void> {
  const done = batch.filter(({ outcome }) => outcome.type === 'completed').map(({ job }) => job)
  const rest = batch.flatMap(({ job, outcome }) => settlement(job, outcome))
  // Almost always one group: first attempts, one runner.
  for (const group of Object.values(Object.groupBy(done, job => `${job.attempt} ${job.lockedBy}`))) {
    const ids = group!.map(job => job.id)
    // What is left are jobs that were enqueued again while they ran, and jobs with a lost lease, which nothing matches.
    if ((await deleteCompleted(ctx, ids, group![0]!)) < ids.length)
      rest.push(...group!.map(job => ({ ...unchanged(job), nextAttempt: 0 })))
  }
  let settled = 0
  for (let from = 0; from < rest.length; from += settleSize)
    settled += await settleJobs(ctx, rest.slice(from, from + settleSize), ctx.clock.now())
  const now = ctx.clock.now().getTime()
  if (settled > 0)
    for (const at of new Set(rest.map(row => row.runAt?.getTime() ?? now))) ctx.jobWaker?.wake(new Date(at))
  countOutcomes(ctx, batch)
}

/** Queued again, and this run has counted. */
function unchanged({ id, attempt, lockedBy }: HeldJob): JobSettlement {
  return { id, attempt, lockedBy, state: 'queued', nextAttempt: attempt, runAt: null, error: null }
}

function settlement(job: HeldJob, outcome: JobOutcome): JobSettlement[] {
  const held = unchanged(job)
  switch (outcome.type) {
    case 'completed':
      return []
    case 'snoozed':
      return [{ ...held, nextAttempt: job.attempt - 1, runAt: outcome.at }]
    case 'released':
      return [{ ...held, nextAttempt: job.attempt - 1 }]
    case 'retried':
      return [{ ...held, runAt: outcome.at, error: outcome.error }]
    case 'failed':
      return [{ ...held, state: 'failed', error: outcome.error }]
  }
}

function countOutcomes(ctx: Context, batch: Finished[]): void {
  const alike = Object.groupBy(batch, ({ job, outcome }) => `${job.kind} ${outcome.type}`)
  for (const group of Object.values(alike)) {
    const [{ job, outcome }] = group as [Finished]
    ctx.metrics.jobs.inc({ kind: job.kind, outcome: outcome.type }, group!.length)
    // A series that begins with a failure shows Prometheus no increase.
    ctx.metrics.jobs.inc({ kind: job.kind, outcome: 'failed' }, 0)
  }
}
