// Turns ticks of the clock into jobs. However many instances run the same schedules, each tick becomes one job: moving the
// schedule's last tick forward in its row decides who adds it, in the transaction that adds it.
import type { TSchema } from '@sinclair/typebox'
import { after, minute, second } from '../../lib/time'
import { type Context, inTransaction } from '../context'
import { idlePollMs, pollTimer } from '../idle'
import { enqueue } from './enqueue'
import type { ArgsOf, JobKind } from './kind'
import { claimTick, insertSchedules, readLastTicks } from './queries'
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

/** A schedule that does nothing at most of its ticks: a question is cheaper than a job that finds nothing to do. */
export function onlyWhere(question: Question, every: Schedule): Schedule {
  return { ...every, question }
}

/** Fires what was missed while nobody ran, once each, and then every tick until stopped. */
export function runSchedules(ctx: Context, schedules: readonly Schedule[]): { stop(): Promise<void> } {
  const certain = schedules.filter(({ question }) => !question)
  let isStopped = false
  let lastTicks: Map<string, Date> | undefined
  const round = async (): Promise<void> => {
    let waits: [number, number] = [second, second]
    try {
      lastTicks ??= await loadLastTicks(ctx, schedules)
      await fireDue(ctx, schedules, lastTicks)
      // While idle, those without a question are on time as well.
      waits = [msToNext(schedules, ctx.clock.now()), msToNext(certain, ctx.clock.now())]
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'schedules could not be looked at; trying again')
    }
    if (!isStopped) timer.plan(...waits)
  }
  let current: Promise<void>
  const begin = (): void => {
    current = round()
  }
  const timer = pollTimer(ctx, begin)
  // Not waited for: a start with many missed ticks would answer nobody until the last of them is a job.
  begin()
  return {
    async stop() {
      isStopped = true
      timer.stop()
      await current
    },
  }
}

/** More than the clocks of instances may differ by. A tick that is later was taken while the clock was ahead. */
const toleranceMs = 10 * minute

/**
 * Adds the jobs of the ticks that are due and not yet taken, and notes them in `lastTicks`. Returns the names of those added here. A
 * schedule that fails keeps its tick for the next poll and holds up no other; its error is thrown at the end.
 */
export async function fireDue(
  ctx: Context,
  schedules: readonly Schedule[],
  lastTicks: Map<string, Date>,
): Promise<string[]> {
  const latest = after(ctx.clock.now(), toleranceMs)
  const fired: string[] = []
  const errors: unknown[] = []
  for (const { schedule, tick } of dueTicks(schedules, lastTicks, ctx.clock.now(), latest)) {
    const { name, question } = schedule
    try {
      if (lastTicks.get(name)! > latest) {
        await claimTick(ctx, name, tick, latest)
        ctx.log.warn({ schedule: name }, 'the clock was put back: the schedule goes on from now')
      } else if ((!question || (await hasWork(ctx, question))) && (await fire(ctx, schedule, tick, latest)))
        fired.push(name)
      lastTicks.set(name, tick)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return fired
}

/** An idle instance asks for what comes due until its next poll, and is at work until then. */
async function hasWork(ctx: Context, question: Question): Promise<boolean> {
  const now = ctx.clock.now()
  if (ctx.idle?.isOn()) {
    if (!(await question(ctx, after(now, idlePollMs)))) return false
    ctx.idle.end()
  }
  return await question(ctx, now)
}

async function fire(
  ctx: Context,
  { name, kind, args }: Schedule,
  tick: Date,
  latest: Date,
): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    if (!(await claimTick(tx, name, tick, latest))) return false
    // The arguments were typed where the schedule was made, and are checked against the kind again when it is enqueued.
    await enqueue(tx, kind, args, { uniqueKey: `schedule:${name}@${tick.toISOString()}` })
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

/** A minute at most, so that a clock that was set or a machine that slept is noticed. */
function msToNext(schedules: readonly Schedule[], now: Date): number {
  const waits = schedules.map(
    ({ rhythm }) => (nextTick(rhythm, now)?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime(),
  )
  return Math.max(1, Math.min(minute, ...waits))
}
