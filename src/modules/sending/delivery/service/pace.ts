// Keeps mail to its pace: SEND_RATE_PER_SECOND for each project, or else what the transport allows, which all projects share. A budget is
// a row that all instances share. Transactional mail goes first: the others leave a part of the burst to it, and hold back while it waits.
import { idOfName, nilUuid } from '../../../../lib/ids'
import { after, second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { bookPace, insertPace } from '../queries'

interface Pace {
  ratePerSecond: number
  /** Whose budget a project's mail is booked against. */
  budgetOf(projectId: string): string
}

/** Asked before every booking, because a provider's limit may change; undefined: as fast as possible. */
async function paceOf({ config, mail }: Context): Promise<Pace | undefined> {
  const own = config.sendRatePerSecond
  if (own !== undefined) return own > 0 ? { ratePerSecond: own, budgetOf: id => id } : undefined
  const shared = await mail.currentRate?.()
  return shared ? { ratePerSecond: shared, budgetOf: () => nilUuid } : undefined
}

/** Whose turn comes first, where there is too much for the pace. */
export type PaceClass = 'transactional' | 'workflow' | 'campaign'

const reservedShare: Record<PaceClass, number> = { transactional: 0, workflow: 0.1, campaign: 0.2 }

/**
 * How many messages must remain possible for the classes above: a share of a second's worth, and at least one, as far as the burst
 * allows. A pace of one a second has none to spare; there holding back has to do.
 */
export function reserveOf(paceClass: PaceClass, ratePerSecond: number): number {
  if (paceClass === 'transactional') return 0
  return Math.max(0, Math.min(ratePerSecond - 1, Math.max(1, ratePerSecond * reservedShare[paceClass])))
}

interface Booked {
  /** How many messages may leave now. */
  granted: number
  /** When the next one may. */
  nextAt: Date
}

/** Returns a function that books up to `count` emails of a project at once, for campaigns, which work in batches. */
export function makeBooker(ctx: Context): (projectId: string, count: number) => Promise<Booked> {
  return async (projectId, count) => {
    const pace = await paceOf(ctx)
    if (pace === undefined) return { granted: count, nextAt: ctx.clock.now() }
    const { budgetOf, ratePerSecond } = pace
    const { granted, nextAt } = await bookOrOpen(ctx, budgetOf(projectId), ratePerSecond, 'campaign', count)
    return { granted, nextAt: new Date(Math.ceil(nextAt * 1000)) }
  }
}

/** Returns a function that says when an email may be sent against its budget; undefined: now. */
function makeTurns(ctx: Context): (turn: Turn) => Promise<Date | undefined> {
  const queue = makeQueue(ctx)
  const spent = makeSpentBudgets(ctx)
  const book = async ({ budget, ratePerSecond, paceClass }: Turn, name: string) => {
    const booked = await bookOrOpen(ctx, budget, ratePerSecond, paceClass, 1)
    if (booked.granted > 0) return undefined
    // Transactional mail always asks: that it waits is what keeps the others back.
    if (paceClass !== 'transactional') spent.note(name, ratePerSecond, booked.nextAt)
    return booked.nextAt
  }
  return async turn => {
    const { budget, ratePerSecond, paceClass } = turn
    const name = `${budget} ${paceClass}`
    const nextAt = spent.nextAt(name, ratePerSecond) ?? (await book(turn, name))
    return nextAt === undefined ? undefined : queue({ name, ratePerSecond, nextAt })
  }
}

/** Returns a function that says when an email of the project may be sent; undefined: now. */
export function makePacer(
  ctx: Context,
): (projectId: string, paceClass: PaceClass) => Promise<Date | undefined> {
  const takeTurn = makeTurns(ctx)
  return async (projectId, paceClass) => {
    const pace = await paceOf(ctx)
    if (pace === undefined) return undefined
    return await takeTurn({ budget: pace.budgetOf(projectId), ratePerSecond: pace.ratePerSecond, paceClass })
  }
}

/** The same for what an email is sent by or to, whose budget all projects share. Never rejects: an email without an answer asks again soon. */
export const sharedPacer = perContext(ctx => {
  const takeTurn = makeTurns(ctx)
  return async (name: string, ratePerSecond: number, paceClass: PaceClass): Promise<Date | undefined> => {
    try {
      return await takeTurn({ budget: idOfName(name), ratePerSecond, paceClass })
    } catch (error) {
      ctx.log.warn({ budget: name, error: String(error) }, 'a message could not be told its turn')
      return after(ctx.clock.now(), 5 * second)
    }
  }
})

interface PaceBudget {
  /** A budget and a class that books against it. */
  name: string
  ratePerSecond: number
  /** When the budget allows another message. */
  nextAt: number
}

/** Returns when the next one that has to wait should come back. */
type Queue = (budget: PaceBudget) => Date

const maxProjects = 10_000

/**
 * Those that wait are spread over the time that their number takes: if all of them came back for the next free place, a long queue would
 * be busy with nothing but asking. A turn guarantees nothing: whoever finds the budget spent after all waits again.
 */
export function makeQueue(ctx: Context): Queue {
  const lastTurns = new Map<string, number>()
  return ({ name, ratePerSecond, nextAt }) => {
    if (lastTurns.size > maxProjects) dropBefore(lastTurns, ctx.clock.now().getTime() / 1000)
    const turn = Math.max(nextAt, (lastTurns.get(name) ?? 0) + 1 / ratePerSecond)
    lastTurns.set(name, turn)
    // A millisecond too late does no harm, one too early would be in vain.
    return new Date(Math.ceil(turn * 1000))
  }
}

/** Budgets that have just been found spent. Each question writes to the database, and thousands of recipients of one slow receiver would ask the same. */
interface SpentBudgets {
  note(name: string, ratePerSecond: number, nextAt: number): void
  /** When it allows another message; undefined: that has to be asked. */
  nextAt(name: string, ratePerSecond: number): number | undefined
}

/** Nothing is believed for longer: the clock may be set, and the rate may rise. */
const believedSeconds = 1

function makeSpentBudgets(ctx: Context): SpentBudgets {
  const known = new Map<string, { ratePerSecond: number; nextAt: number; since: number }>()
  const seconds = (): number => ctx.clock.now().getTime() / 1000
  return {
    note(name, ratePerSecond, nextAt) {
      if (known.size > maxProjects) known.clear()
      known.set(name, { ratePerSecond, nextAt, since: seconds() })
    },
    nextAt(name, ratePerSecond) {
      const found = known.get(name)
      const now = seconds()
      if (!found || found.ratePerSecond !== ratePerSecond || now < found.since) return undefined
      return now < Math.min(found.nextAt, found.since + believedSeconds) ? found.nextAt : undefined
    },
  }
}

function dropBefore(turns: Map<string, number>, now: number): void {
  for (const [name, turn] of turns) if (turn < now) turns.delete(name)
}

/** One message that is to leave against a budget. */
interface Turn {
  budget: string
  ratePerSecond: number
  paceClass: PaceClass
}

async function bookOrOpen(
  ctx: Context,
  budget: string,
  rate: number,
  paceClass: PaceClass,
  count: number,
): Promise<{ granted: number; nextAt: number }> {
  const reserve = reserveOf(paceClass, rate)
  const booking = { rate, count, reserve, isUrgent: paceClass === 'transactional' }
  const booked = await bookPace(ctx, budget, booking)
  if (booked) return booked
  await insertPace(ctx, budget)
  return (await bookPace(ctx, budget, booking))!
}
