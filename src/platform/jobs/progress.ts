// Collects what long jobs say about how far they have come and writes the latest of each, all in one statement, twice a second.
import { second } from '../../lib/time'
import type { Context } from '../context'
import { type HeldJob, writeProgress } from './queries'
import type { Progress } from './schema'

export interface ProgressWriter {
  note(job: HeldJob, progress: Progress): void
  /** The job has ended: what was not written needs no writing. */
  forget(job: HeldJob): void
  stop(): Promise<void>
}

export function makeProgressWriter(ctx: Context): ProgressWriter {
  const latest = new Map<string, { job: HeldJob; progress: Progress }>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const write = (): void => {
    timer = undefined
    const rows = [...latest.values()].map(({ job: { id, attempt, lockedBy }, progress }) => ({
      id,
      attempt,
      lockedBy,
      progress,
    }))
    latest.clear()
    if (rows.length === 0) return
    // Only shown to people: a report that is lost is replaced by the next.
    writing = writeProgress(ctx, rows).catch(error =>
      ctx.log.debug({ error: String(error) }, 'progress was not written'),
    )
  }
  return {
    note(job, progress) {
      latest.set(job.id, { job, progress })
      timer ??= setTimeout(write, second / 2)
    },
    forget: job => void latest.delete(job.id),
    async stop() {
      clearTimeout(timer)
      latest.clear()
      await writing
    },
  }
}
