// Runs jobs in the caller's own flow, for tests: whatever is due by the context's clock, one after the other, until none is left.
import { after, day } from '../../src/lib/time'
import { type Context, newId } from '../../src/platform/context'
import { writeOutcomes } from '../../src/platform/jobs/completer'
import { execute } from '../../src/platform/jobs/execute'
import type { HandlerTable } from '../../src/platform/jobs/kind'
import type { JobOutcome } from '../../src/platform/jobs/outcome'
import { claimJobs, deleteRunner, type HeldJob, insertRunner } from '../../src/platform/jobs/queries'
import { type Band, bands } from '../../src/platform/jobs/schema'

export interface DrainedRun {
  kind: string
  args: unknown
  outcome: JobOutcome
}

export interface DrainOptions {
  /** A drain that never ends is a fault of the code under test; it stops with an error after this many runs. */
  maxRuns?: number
}

const batch = 20

/** Returns the runs in their order. Failures are outcomes here too: a test that expects none looks at `outcome.type`. */
export async function drain(
  ctx: Context,
  handlers: HandlerTable,
  options: DrainOptions = {},
): Promise<DrainedRun[]> {
  const runnerId = newId(ctx)
  const now = ctx.clock.now()
  await insertRunner(ctx, runnerId, after(now, 365 * day), now)
  try {
    return await runAll(ctx, handlers, runnerId, options.maxRuns ?? 10_000)
  } finally {
    await deleteRunner(ctx, runnerId)
  }
}

async function runAll(
  ctx: Context,
  handlers: HandlerTable,
  runnerId: string,
  maxRuns: number,
): Promise<DrainedRun[]> {
  const runs: DrainedRun[] = []
  const wanted = bands.map(band => ({ band, places: batch }))
  for (;;) {
    const jobs = await claimJobs(ctx, runnerId, wanted, ctx.clock.now())
    if (jobs.length === 0) return runs
    for (const job of jobs.sort(byUrgency)) runs.push(await runOne(ctx, handlers, job))
    if (runs.length > maxRuns)
      throw new Error(`drain found due jobs after ${runs.length} runs: ${runs.at(-1)?.kind}`)
  }
}

async function runOne(ctx: Context, handlers: HandlerTable, job: HeldJob): Promise<DrainedRun> {
  const outcome = await execute(ctx, handlers, job).outcome
  await writeOutcomes(ctx, [{ job, outcome }])
  return { kind: job.kind, args: job.args, outcome }
}

function byUrgency(a: HeldJob, b: HeldJob): number {
  const rank = (band: Band): number => bands.indexOf(band)
  return rank(a.band) - rank(b.band) || a.runAt.getTime() - b.runAt.getTime() || (a.id < b.id ? -1 : 1)
}
