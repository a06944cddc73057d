// Turns ticks of the clock into jobs. However many instances run the same schedules, each tick becomes one job: moving the
// schedule's last tick forward in its row decides who adds it, in the transaction that adds it.

import type { TSchema } from '@sinclair/typebox'
import { after, minute, second } from '../../lib/time'
import { type Context, inTransaction } from '../context'
import { lookGate, lookTimer, restMs } from '../rest'
import { enqueue } from './enqueue'
import type { ArgsOf, JobKind } from './kind'
import { claimTick, insertSchedules, pullBackTicks, readLastTicks } from './queries'
import { checkRhythm, dueTicks, nextTick, type Rhythm } from './ticks'

export interface Schedule {
  name: string
  rhythm: Rhythm
  kind: JobKind<TSchema, false>
  args: unknown
  /** Asked where a tick is due: it becomes a job only where there is something to do. */
  question?: Question
}

/** Whether there is something to do, or will be at `by`. */
export type Question = (ctx: Context, by: Date) => Promise<boolean>

/** A schedule of one kind; its name is the kind unless given (two schedules of one kind need names). */
export function schedule<K extends JobKind<TSchema, false>>(
  kind: K,
  rhythm: Rhythm,
  args: ArgsOf<K>,
  name: string = kind.kind,
): Schedule {
  checkRhythm(rhythm)
  return { name, rhythm, kind, args }
}

/** A schedule that does nothing at most of its ticks: a look at the table is cheaper than a job that finds it empty. */
export function onlyWhere(question: Question, every: Schedule): Schedule {
  return { ...every, question }
}

export interface RunningSchedules {
  stop(): Promise<void>
}

/** Fires what was missed while nobody ran, once each, and then every tick until stopped. */
export function runSchedules(ctx: Context, schedules: readonly Schedule[]): RunningSchedules {
  let stopped = false
  let lastTicks: Map<string, Date> | undefined
  const gates = new Map(schedules.map(({ name }) => [name, lookGate(ctx)]))

  const round = async (): Promise<void> => {
    let next = soon
    try {
      lastTicks ??= await loadLastTicks(ctx, schedules)
      await fireDue(ctx, schedules, lastTicks, name => gates.get(name)!())
      next = untilNext(schedules, ctx.clock.now())
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'schedules could not be looked at; trying again')
    }
    if (!stopped) timer.plan(next.any, next.certain)
  }
  let current: Promise<void> = Promise.resolve()
  const begin = (): void => {
    current = round()
  }
  const timer = lookTimer(ctx, begin)
  // Not waited for: a start with many missed ticks would answer nobody until the last of them is a job.
  begin()
  return {
    async stop() {
      stopped = true
      timer.stop()
      await current
    },
  }
}

/**
 * Adds the jobs of the ticks that are due and not yet taken, and notes them in `lastTicks`. Returns the names of those added
 * here. What has a question is asked only where `mayAsk` says so. A schedule that fails keeps its tick for the next look and holds up
 * no other; its error is thrown at the end.
 */
export async function fireDue(
  ctx: Context,
  schedules: readonly Schedule[],
  lastTicks: Map<string, Date>,
  mayAsk: (name: string) => boolean = () => true,
): Promise<string[]> {
  await dropFutureTicks(ctx, lastTicks)
  const fired: string[] = []
  const errors: unknown[] = []
  for (const { schedule, tick } of dueTicks(schedules, lastTicks, ctx.clock.now())) {
    try {
      const isIdle = schedule.question && !(mayAsk(schedule.name) && (await hasWork(ctx, schedule.question)))
      if (!isIdle && (await fire(ctx, schedule, tick))) fired.push(schedule.name)
      lastTicks.set(schedule.name, tick)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return fired
}

/** Who rests looks ahead as far as the next look, and wakes up for what comes due until then. */
async function hasWork(ctx: Context, question: Question): Promise<boolean> {
  const now = ctx.clock.now()
  if (ctx.rest?.isOn()) {
    if (!(await question(ctx, after(now, restMs)))) return false
    ctx.rest.end()
  }
  return await question(ctx, now)
}

/** More than the clocks of instances may differ by. */
const toleranceMs = 10 * minute

/** After a clock that was ahead has been put right, its ticks are in the future. */
async function dropFutureTicks(ctx: Context, lastTicks: Map<string, Date>): Promise<void> {
  const now = ctx.clock.now()
  const latest = after(now, toleranceMs)
  if (![...lastTicks.values()].some(tick => tick > latest)) return
  const pulled = await pullBackTicks(ctx, latest, now)
  ctx.log.warn({ schedules: pulled }, 'the clock was put back: schedules go on from now')
  for (const [name, tick] of lastTicks) if (tick > latest) lastTicks.set(name, now)
}

async function fire(ctx: Context, schedule: Schedule, tick: Date): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    if (!(await claimTick(tx, schedule.name, tick))) return false
    const uniqueKey = `schedule:${schedule.name}@${tick.toISOString()}`
    // The arguments were typed where the schedule was made, and are checked against the kind again when it is enqueued.
    await enqueue(tx, schedule.kind, schedule.args, { uniqueKey })
    return true
  })
}

/** The last ticks as stored. What is new starts from now on: nothing was missed before it existed. */
export async function loadLastTicks(
  ctx: Context,
  schedules: readonly Schedule[],
): Promise<Map<string, Date>> {
  const names = schedules.map(schedule => schedule.name)
  await insertSchedules(ctx, names, ctx.clock.now())
  return readLastTicks(ctx, names)
}

/** After a failure. */
const soon = { any: second, certain: second }

/** Those without a question are on time at rest as well. */
function untilNext(schedules: readonly Schedule[], now: Date): { any: number; certain: number } {
  const certain = schedules.filter(({ question }) => !question)
  return { any: msToNext(schedules, now), certain: msToNext(certain, now) }
}

/** A minute at most, so that a clock that was set or a machine that slept is noticed. */
function msToNext(schedules: readonly Schedule[], now: Date): number {
  const waits = schedules.map(
    ({ rhythm }) => (nextTick(rhythm, now)?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime(),
  )
  return Math.max(1, Math.min(minute, ...waits))
}
