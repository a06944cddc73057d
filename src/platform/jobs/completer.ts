// Writes the outcomes of jobs, those of many runs in one statement, so that a busy runner commits by the hundred. Outcomes are kept until
// the database has taken them.
import { batcher } from '../../lib/batcher'
import { second, sleep } from '../../lib/time'
import type { Context } from '../context'
import type { JobOutcome } from './outcome'
import { deleteCompleted, type HeldJob, settleJobs } from './queries'

export interface Finished {
  job: HeldJob
  outcome: JobOutcome
}

/** These are matched with their rows one by one where the planner finds nothing better. */
const settleSize = 100

/** Resolves when the outcome is written, or can't be any more: a job whose outcome PostgreSQL refuses has failed. */
export function makeCompleter(ctx: Context, isClosed: () => boolean): (finished: Finished) => Promise<void> {
  // What is refused is refused again, so the batcher writes each alone.
  const write = batcher(
    async (batch: Finished[]) => {
      await writePersistently(ctx, batch, isClosed)
      return batch.map(() => ({ value: undefined }))
    },
    { size: 500, delayMs: 0 },
  )
  return ({ job, outcome }) =>
    write({ job, outcome }).catch(() => {
      const failed: JobOutcome = { type: 'failed', error: 'what became of it could not be stored' }
      return write({ job, outcome: failed }).catch(() => {})
    })
}

async function writePersistently(ctx: Context, batch: Finished[], isClosed: () => boolean): Promise<void> {
  for (let failures = 0; !isClosed(); failures++) {
    try {
      return await writeOutcomes(ctx, batch)
    } catch (error) {
      const fields = { error: String(error), jobs: batch.length }
      ctx.log.warn(fields, 'outcomes of jobs could not be written; trying again')
      // The statement itself was refused: class 22 is data, 23 a constraint.
      if (/^2[23]/.test(String((error as { code?: unknown }).code ?? ''))) throw error
      await sleep(Math.min(100 * 2 ** failures, 2 * second))
    }
  }
}

/** One statement for those that are done and vanish, one for all others. */
export async function writeOutcomes(ctx: Context, batch: Finished[]): Promise<void> {
  const now = ctx.clock.now()
  const isDone = ({ outcome }: Finished): boolean => outcome.type === 'completed'
  const remaining = batch.filter(finished => !isDone(finished))
  // Almost always one group: the lease is rarely lost.
  for (const [runnerId, done] of Map.groupBy(batch.filter(isDone), ({ job }) => job.lockedBy)) {
    const ids = done.map(({ job }) => job.id)
    // What is left are jobs that were enqueued again while they ran, and jobs with a lost lease, which nothing matches.
    if ((await deleteCompleted(ctx, runnerId, ids)) < ids.length) remaining.push(...done)
  }
  const moments = new Set<number>()
  for (let from = 0; from < remaining.length; from += settleSize)
    for (const runAt of await settleJobs(ctx, remaining.slice(from, from + settleSize), now))
      moments.add(runAt.getTime())
  for (const at of moments) ctx.jobWaker?.wake(new Date(at))
}
