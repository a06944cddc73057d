// Keeps a project to its sending pace (SEND_RATE_PER_SECOND, or what the transport bears). The budget is a row that all
// instances share; deliveries that ask in the same moment book it together.
import { collector, type Settled } from '../../../lib/collect'
import type { Context } from '../../../platform/context'
import { Snooze } from '../../../platform/jobs/outcome'
import { bookPace, insertPace } from '../queries'

/** Undefined: as fast as it goes. */
function paceOf(ctx: Context): number | undefined {
  return (ctx.config.sendRatePerSecond ?? ctx.mail.ratePerSecond) || undefined
}

export interface Booked {
  /** Messages that may leave now. */
  granted: number
  /** When the next one may. */
  nextAt: Date
}

/** Returns a function that books up to `count` messages of a project at once, for senders that work in batches. */
export function makeBooker(ctx: Context): (projectId: string, count: number) => Promise<Booked> {
  const rate = paceOf(ctx)
  return async (projectId, count) => {
    if (rate === undefined) return { granted: count, nextAt: ctx.clock.now() }
    const { granted, nextAt } = await bookOrOpen(ctx, projectId, rate, count)
    return { granted, nextAt: new Date(Math.ceil(nextAt * 1000)) }
  }
}

/** Returns a function that resolves when a message of the project may leave now, and throws Snooze with its turn otherwise. */
export function makePacer(ctx: Context): (projectId: string) => Promise<void> {
  const rate = paceOf(ctx)
  if (rate === undefined) return async () => {}
  const queue = makeQueue(ctx, rate)
  const book = collector<string, void>(projectIds => bookBatch(ctx, rate, queue, projectIds), {
    maxItems: 500,
    slots: 1,
  })
  return projectId => book(projectId)
}

/** Answers when the next of those who have to wait shall come back; `nextAt` is when the budget allows another message. */
type Queue = (projectId: string, nextAt: number) => Date

const mostProjects = 10_000

/**
 * Those who wait are spread over the time that their number takes: if all of them came back for the next free place, a long
 * queue would be busy with coming and going. A turn is no claim; who finds the budget spent after all waits again.
 */
function makeQueue(ctx: Context, rate: number): Queue {
  const lastTurns = new Map<string, number>()
  return (projectId, nextAt) => {
    if (lastTurns.size > mostProjects) forgetBefore(lastTurns, ctx.clock.now().getTime() / 1000)
    const turn = Math.max(nextAt, (lastTurns.get(projectId) ?? 0) + 1 / rate)
    lastTurns.set(projectId, turn)
    // A millisecond too late is nothing, one too early would be in vain.
    return new Date(Math.ceil(turn * 1000))
  }
}

function forgetBefore(turns: Map<string, number>, now: number): void {
  for (const [projectId, turn] of turns) if (turn < now) turns.delete(projectId)
}

async function bookBatch(
  ctx: Context,
  rate: number,
  queue: Queue,
  projectIds: string[],
): Promise<Settled<void>[]> {
  const wanted = Map.groupBy(projectIds, id => id)
  const granted = new Map<string, { left: number; nextAt: number }>()
  for (const [projectId, asked] of wanted) {
    const booked = await bookOrOpen(ctx, projectId, rate, asked.length)
    granted.set(projectId, { left: booked.granted, nextAt: booked.nextAt })
  }
  return projectIds.map(projectId => {
    const budget = granted.get(projectId)!
    if (budget.left-- > 0) return { value: undefined }
    return { error: new Snooze(queue(projectId, budget.nextAt)) }
  })
}

async function bookOrOpen(
  ctx: Context,
  projectId: string,
  rate: number,
  count: number,
): Promise<{ granted: number; nextAt: number }> {
  const booked = await bookPace(ctx, projectId, rate, count)
  if (booked) return booked
  await insertPace(ctx, projectId)
  return (await bookPace(ctx, projectId, rate, count))!
}
