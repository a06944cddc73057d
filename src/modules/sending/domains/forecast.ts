// On which days messages leave where warm-up plans bound them. Pure.
import { dateAfter, nextDay, roomOn, type WarmUpDay, type WarmUpPlan } from './warm-up'

export interface DayOfForecast {
  date: string
  messages: number
}

/** A plan, with the newest day that is known of it. */
export interface PlanSoFar {
  plan: WarmUpPlan
  last: WarmUpDay | undefined
}

/** What lets through as many a day as its plans allow together, and everything once one of them is over. */
export interface Gate {
  plans: readonly PlanSoFar[]
  /** Messages of others that go first. */
  ahead: number
}

interface GateToday {
  plans: Array<{ plan: WarmUpPlan; today: WarmUpDay | undefined }>
  ahead: number
}

/** How many of the messages leave on each day from `from` on, each by all gates; `arrivals` says on which day they are due. */
export function forecastOf(
  gates: readonly Gate[],
  from: string,
  arrivals: ReadonlyMap<string, number>,
): DayOfForecast[] {
  const days: DayOfForecast[] = []
  let today = gates.map(gate => openedOn(gate, from))
  let toCome = sumOf([...arrivals.values()])
  for (let [left, date] = [0, from]; left + toCome > 0; date = dateAfter(date)) {
    const due = arrivals.get(date) ?? 0
    toCome -= due
    left += due
    const sent = Math.min(left, ...today.map(gate => roomAt(gate) - aheadAt(gate)))
    if (sent > 0) days.push({ date, messages: sent })
    left -= sent
    today = today.map(gate => closed(gate, sent, dateAfter(date)))
  }
  return days
}

function openedOn({ plans, ahead }: Gate, from: string): GateToday {
  const today = plans.map(({ plan, last }) => ({
    plan,
    today: last?.date === from ? last : nextDay(plan, last, from),
  }))
  return { plans: today, ahead }
}

function roomAt({ plans }: GateToday): number {
  return sumOf(plans.map(({ today }) => (today ? roomOn(today) : Number.POSITIVE_INFINITY)))
}

function aheadAt(gate: GateToday): number {
  return Math.min(gate.ahead, roomAt(gate))
}

/** On the next day, after `sent` messages and those of others that went first. Of several plans the first is used up first. */
function closed(gate: GateToday, sent: number, date: string): GateToday {
  const first = aheadAt(gate)
  let remaining = first + sent
  const plans = gate.plans.map(({ plan, today }) => {
    if (!today) return { plan, today }
    const part = Math.min(remaining, roomOn(today))
    remaining -= part
    return { plan, today: nextDay(plan, filled(today, part), date) }
  })
  return { plans, ahead: gate.ahead - first }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** As it is when it is over: with as much mail that is never held back as was expected. */
function filled(today: WarmUpDay, sent: number): WarmUpDay {
  const transactional = Math.max(today.transactional, today.reserved)
  return { ...today, transactional, sent: today.sent + sent + transactional - today.transactional }
}
