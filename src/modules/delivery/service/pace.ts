// Keeps mail to its pace: SEND_RATE_PER_SECOND for each project, or else what the transport allows, which all projects share. A budget is
// a row that all instances share; deliveries that ask at the same moment book together. Transactional mail goes first: the others leave a
// part of the burst to it, and hold back while it waits.
import { batcher, type Settled } from '../../../lib/batcher'
import { idOfName, nilUuid } from '../../../lib/ids'
import { after, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
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

function isPaced({ config, mail }: Context): boolean {
  return config.sendRatePerSecond === undefined
    ? mail.currentRate !== undefined
    : config.sendRatePerSecond > 0
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

/** Returns a function that books up to `count` messages of a project at once, for campaigns, which work in batches. */
export function makeBooker(ctx: Context): (projectId: string, count: number) => Promise<Booked> {
  return async (projectId, count) => {
    const pace = await paceOf(ctx)
    if (pace === undefined) return { granted: count, nextAt: ctx.clock.now() }
    const { granted, nextAt } = await bookOrOpen(
      ctx,
      pace.budgetOf(projectId),
      pace.ratePerSecond,
      'campaign',
      count,
    )
    return { granted, nextAt: new Date(Math.ceil(nextAt * 1000)) }
  }
}

/** Returns a function that says when a message of the project may leave; undefined: now. */
export function makePacer(
  ctx: Context,
): (projectId: string, paceClass: PaceClass) => Promise<Date | undefined> {
  if (!isPaced(ctx)) return async () => undefined
  const memory = makeMemory(ctx)
  const book = batcher<Asked, Date | undefined>(asked => bookBatch(ctx, memory, asked), {
    maxItems: 500,
    slots: 1,
  })
  return (projectId, paceClass) => book({ projectId, paceClass })
}

/** Says when a message may leave against a budget that all projects share; undefined: now. */
type SharedPacer = (name: string, ratePerSecond: number, paceClass: PaceClass) => Promise<Date | undefined>

/** The pace of what a message leaves by, or goes to. Never rejects: a message that cannot be told its turn asks again soon. */
function makeSharedPacer(ctx: Context): SharedPacer {
  const memory = makeMemory(ctx)
  const book = batcher<Turn, Date | undefined>(
    async turns => (await bookTurns(ctx, memory, turns)).map(value => ({ value })),
    { maxItems: 500, slots: 1 },
  )
  return async (name, ratePerSecond, paceClass) => {
    try {
      return await book({ budget: idOfName(name), ratePerSecond, paceClass })
    } catch (error) {
      ctx.log.warn({ budget: name, error: String(error) }, 'a message could not be told its turn')
      return after(ctx.clock.now(), 5 * second)
    }
  }
}

export const sharedPacer = perContext(makeSharedPacer)

interface Asked {
  projectId: string
  paceClass: PaceClass
}

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

/** What a process remembers of the budgets that its mail is booked against. */
interface Memory {
  queue: Queue
  spent: SpentBudgets
}

const makeMemory = (ctx: Context): Memory => ({ queue: makeQueue(ctx), spent: makeSpentBudgets(ctx) })

function dropBefore(turns: Map<string, number>, now: number): void {
  for (const [name, turn] of turns) if (turn < now) turns.delete(name)
}

/** Transactional mail books first. */
const classes: readonly PaceClass[] = ['transactional', 'workflow', 'campaign']

async function bookBatch(ctx: Context, memory: Memory, asked: Asked[]): Promise<Settled<Date | undefined>[]> {
  const pace = await paceOf(ctx)
  if (pace === undefined) return asked.map(() => ({ value: undefined }))
  const { ratePerSecond } = pace
  const turns = asked.map(({ projectId, paceClass }) => ({
    budget: pace.budgetOf(projectId),
    ratePerSecond,
    paceClass,
  }))
  const waits = await bookTurns(ctx, memory, turns)
  return waits.map(value => ({ value }))
}

/** One message that is to leave against a budget. */
interface Turn {
  budget: string
  ratePerSecond: number
  paceClass: PaceClass
}

/** When each may leave; undefined: now. */
async function bookTurns(
  ctx: Context,
  { queue, spent }: Memory,
  turns: Turn[],
): Promise<Array<Date | undefined>> {
  const nameOf = ({ budget, paceClass }: Turn): string => `${budget} ${paceClass}`
  const granted = new Map<string, { left: number; nextAt: number }>()
  for (const paceClass of classes) {
    const ofClass = turns.filter(each => each.paceClass === paceClass)
    for (const [budget, { length, 0: first }] of Map.groupBy(ofClass, each => each.budget)) {
      const name = nameOf(first!)
      const nextAt = spent.nextAt(name, first!.ratePerSecond)
      if (nextAt !== undefined) {
        granted.set(name, { left: 0, nextAt })
        continue
      }
      const booked = await bookOrOpen(ctx, budget, first!.ratePerSecond, paceClass, length)
      granted.set(name, { left: booked.granted, nextAt: booked.nextAt })
      // Transactional mail always asks: that it waits is what keeps the others back.
      if (booked.granted < length && paceClass !== 'transactional')
        spent.note(name, first!.ratePerSecond, booked.nextAt)
    }
  }
  return turns.map(each => {
    const name = nameOf(each)
    const state = granted.get(name)!
    if (state.left-- > 0) return undefined
    return queue({ name, ratePerSecond: each.ratePerSecond, nextAt: state.nextAt })
  })
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
