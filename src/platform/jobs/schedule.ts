// Periodic jobs. However many instances have the same schedules, each tick becomes one job: moving the schedule's last tick forward in
// its row decides who adds it, in the transaction that adds it.
import type { TSchema } from '@sinclair/typebox'
import { after, day, hour, minute, second } from '../../lib/time'
import { type Context, inTransaction } from '../context'
import { idlePollMs, pollLoop } from '../idle'
import { enqueue } from './enqueue'
import { chore, handle, type JobKind, job } from './kind'
import { claimTick, deleteFinished, insertSchedules, readLastTicks } from './queries'

export interface Schedule {
  kind: JobKind<TSchema, false>
  /** Counted from the epoch, so that all instances agree. */
  everyMs: number
  hasWork?: HasWork
}

/** Whether there is something to do, or will be at `by`: asking is cheaper than a job that finds nothing to do. */
type HasWork = (ctx: Context, by: Date) => Promise<boolean>

/** Each tick becomes a job without arguments; with `hasWork`, only if that says so. */
export function schedule(kind: JobKind<TSchema, false>, everyMs: number, hasWork?: HasWork): Schedule {
  return { kind, everyMs, ...(hasWork && { hasWork }) }
}

/** Fires what was missed while nobody ran, once each, and then every tick until stopped. */
export function runSchedules(ctx: Context, schedules: readonly Schedule[]): { stop(): Promise<void> } {
  const certain = schedules.filter(({ hasWork }) => !hasWork)
  let lastTicks: Map<string, Date> | undefined
  return pollLoop(ctx, async () => {
    try {
      lastTicks ??= await loadLastTicks(ctx, schedules)
      await fireDue(ctx, schedules, lastTicks)
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'schedules could not be looked at; trying again')
      return [second, second]
    }
    // While idle, those that ask nothing are on time as well.
    return [msToNext(schedules, ctx.clock.now()), msToNext(certain, ctx.clock.now())]
  })
}

/** More than the clocks of instances may differ by. A tick that is later was taken while the clock was ahead. */
const toleranceMs = 10 * minute

/**
 * Adds a job for each tick that is due and not yet taken, and notes it in `lastTicks`; of several missed ticks the latest. Returns the kinds
 * added here. A schedule that fails keeps its tick for the next poll and holds up no other; its error is thrown at the end.
 */
export async function fireDue(
  ctx: Context,
  schedules: readonly Schedule[],
  lastTicks: Map<string, Date>,
): Promise<string[]> {
  const now = ctx.clock.now()
  const latest = after(now, toleranceMs)
  const fired: string[] = []
  const errors: unknown[] = []
  for (const { kind, everyMs, hasWork } of schedules) {
    const last = lastTicks.get(kind.kind)!
    const tick = new Date(now.getTime() - (now.getTime() % everyMs))
    const wasAhead = last > latest
    if (tick <= last && !wasAhead) continue
    try {
      if (wasAhead) {
        await claimTick(ctx, kind.kind, tick, latest)
        ctx.log.warn({ schedule: kind.kind }, 'the clock was put back: the schedule goes on from now')
      } else if ((!hasWork || (await hasWorkNow(ctx, hasWork))) && (await fire(ctx, kind, tick, latest)))
        fired.push(kind.kind)
      lastTicks.set(kind.kind, tick)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return fired
}

/** An idle instance asks for what comes due until its next poll, and is at work until then. */
async function hasWorkNow(ctx: Context, hasWork: HasWork): Promise<boolean> {
  const now = ctx.clock.now()
  if (ctx.idle?.isOn()) {
    if (!(await hasWork(ctx, after(now, idlePollMs)))) return false
    ctx.idle.end()
  }
  return await hasWork(ctx, now)
}

async function fire(ctx: Context, kind: Schedule['kind'], tick: Date, latest: Date): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    if (!(await claimTick(tx, kind.kind, tick, latest))) return false
    await enqueue(tx, kind, {} as never, { uniqueKey: `schedule:${kind.kind}@${tick.toISOString()}` })
    return true
  })
}

/** The last ticks as stored. What is new starts from now on: nothing was missed before it existed. */
export async function loadLastTicks(
  ctx: Context,
  schedules: readonly Schedule[],
): Promise<Map<string, Date>> {
  const names = schedules.map(({ kind }) => kind.kind)
  await insertSchedules(ctx, names, ctx.clock.now())
  return readLastTicks(ctx, names)
}

/** A minute at most, so that a clock that was set or a machine that slept is noticed. */
function msToNext(schedules: readonly Schedule[], now: Date): number {
  return Math.min(minute, ...schedules.map(({ everyMs }) => everyMs - (now.getTime() % everyMs)))
}

/** How long failed jobs can be looked at. */
const retentionMs = 7 * day
const batch = 1_000

export const queueKinds = { clean: job('jobs.clean', 'system', {}, chore) }

export const queueJobs = [
  handle(queueKinds.clean, async (ctx, _args, run) => {
    const before = after(ctx.clock.now(), -retentionMs)
    while (!run.signal.aborted && (await deleteFinished(ctx, before, batch)) === batch);
  }),
]

export const queueSchedules = [schedule(queueKinds.clean, hour)]
