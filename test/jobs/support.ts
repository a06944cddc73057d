// What the tests of the queue share: kinds of their own, a handler that waits for the test's word, and a look at the table.
import { Type } from '@sinclair/typebox'
import { second } from '../../src/lib/time'
import type { Context } from '../../src/platform/context'
import { job } from '../../src/platform/jobs/kind'
import type { JobState } from '../../src/platform/jobs/schema'
import { testContext } from '../support/context'
import type { TestDatabase } from '../support/database'
import { until as untilTrue } from '../support/until'

const number = { n: Type.Integer() }
const steps = [10 * second, 60 * second]

/** One kind for each band, and one that is given up after its first failure. */
export const urgent = job('test.urgent', 'transactional', number, { maxAttempts: 3, backoffMs: steps })
export const chore = job('test.chore', 'system', number)
export const step = job('test.step', 'workflow', number)
export const bulk = job('test.bulk', 'bulk', number, { timeLimitMs: 60 * second })
export const once = job('test.once', 'workflow', number, { maxAttempts: 1 })

/** Between the ticks of worker processes; one that comes while all of them are held up is left out, as it should be. */
export const tickMs = 3 * second

/** The real clock: for runners, whose timers are real too. */
export function liveContext(database: TestDatabase): Context {
  return { ...testContext(database).ctx, clock: { now: () => new Date() } }
}

export interface Row {
  state: JobState
  attempt: number
  runAt: Date
  lastError: string | null
  finishedAt: Date | null
  rerun: boolean
}

export async function jobRow(ctx: Context, id: string): Promise<Row | undefined> {
  const [row] = await ctx.sql<Row[]>`
    select state, attempt, run_at as "runAt", last_error as "lastError",
           finished_at as "finishedAt", rerun from jobs where id = ${id}`
  return row
}

export async function countJobs(ctx: Context, state?: JobState): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from jobs where ${state ?? null}::text is null or state = ${state ?? null}`
  return row!.count
}

/** Jobs that are not finished, in one look: two looks could both miss a job that changes sides between them. */
export async function countOpenJobs(ctx: Context): Promise<number> {
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from jobs where state in ('queued', 'running')`
  return row!.count
}

export async function clearJobs(ctx: Context): Promise<void> {
  await ctx.sql`delete from jobs`
  await ctx.sql`delete from runners`
  await ctx.sql`delete from schedules`
}

/** The line of a failure says for what. */
export function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  return untilTrue('what the test waits for', condition)
}

/** A handler that reports its start and ends when the test says so. */
export function gate() {
  const waiting: Array<() => void> = []
  const started: number[] = []
  return {
    started,
    handle: async (_ctx: Context, { n }: { n: number }): Promise<void> => {
      started.push(n)
      await new Promise<void>(resolve => void waiting.push(resolve))
    },
    /** Lets all that wait, and all that come, end. */
    open(): void {
      for (const end of waiting.splice(0)) end()
    },
  }
}
