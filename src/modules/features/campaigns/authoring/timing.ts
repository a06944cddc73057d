// When each recipient of a campaign gets it: at a local time, within hours and on weekdays, spread over a span. The plan is made for each time
// zone that there is and not for each recipient, so it is as small for a million of them. Pure.
import {
  dateIn,
  type Hours,
  inBoth,
  minutesOf,
  minutesOpen,
  momentIn,
  nextOpen,
  type Stretch,
  stretchesIn,
  type Week,
  weekOf,
  weekWithout,
} from '../../../../lib/local-time'
import { hour } from '../../../../lib/time'

export interface Moments extends ZonePlans {
  /** The key in the contacts' data that holds their zone. */
  field: string | null
  spanMs: number
}

/** What becomes of recipients for whom the local time is over already when the campaign starts. */
export const passedRules = ['NOW', 'NEXT_DAY'] as const
export type PassedRule = (typeof passedRules)[number]

export interface Timing {
  /** `HH:MM`, on the day on which the campaign starts in the time zone of the project. */
  localTime: string | null
  passed: PassedRule
  window: (Hours & { weekdays: number[] }) | null
  spreadHours: number | null
}

export type GivenTiming = Partial<Omit<Timing, 'window'>> & {
  window?: (Hours & { weekdays?: number[] }) | null
}

const allDays = [1, 2, 3, 4, 5, 6, 7]

/** What a request gives, with what it leaves out; null where it says nothing. */
export function readTiming(given: GivenTiming | null): Timing | null {
  const { localTime = null, passed = 'NEXT_DAY', window = null, spreadHours = null } = given ?? {}
  if (localTime === null && window === null && spreadHours === null) return null
  const weekdays = window?.weekdays ? [...new Set(window.weekdays)].toSorted() : allDays
  return { localTime, passed, window: window && { ...window, weekdays }, spreadHours }
}

/** The whole of the span has to leave within this time. */
const maxWeeks = 8

/** What is wrong with it, and where. */
export function timingFault({
  localTime,
  window,
  spreadHours,
}: Timing): [field: string, message: string] | undefined {
  if (window && (window.from === window.to || minutesOpen(weekOf(window)) === 0))
    return ['window', 'must begin and end at different times; 00:00 to 24:00 is the whole day']
  if (localTime === '24:00') return ['localTime', 'must be a time of day, from 00:00 to 23:59']
  if (!window) return undefined
  const week = windowWeek(window)
  if (localTime && !weekOf(window).some(day => day.some(([from, to]) => isWithin(localTime, from, to))))
    return ['localTime', 'must be within the hours of the window']
  if ((spreadHours ?? 0) * 60 > minutesOpen(week) * maxWeeks)
    return ['spreadHours', `must fit into the hours of the window within ${maxWeeks} weeks`]
  return undefined
}

function isWithin(localTime: string, from: number, to: number): boolean {
  const at = minutesOf(localTime)
  return from <= at && at < to
}

/** When something may leave: within the campaign's hours and outside of the quiet ones; undefined: always. */
export function openWeek(timing: Timing | null, quiet: Hours | null): Week | undefined {
  const weeks = [
    ...(timing?.window ? [windowWeek(timing.window)] : []),
    ...(quiet ? [weekWithout(quiet)] : []),
  ]
  return weeks.length > 0 ? weeks.reduce(inBoth) : undefined
}

export const noTiming: Timing = { localTime: null, passed: 'NEXT_DAY', window: null, spreadHours: null }

export function windowWeek(window: NonNullable<Timing['window']>): Week {
  return weekOf(window, window.weekdays)
}

/** Recipients whose place in the span is in `[offset, until)` get it at `at`, and as much later as their place is behind `offset`. */
export interface PlannedStretch {
  /** In milliseconds, like all of them. */
  offset: number
  until: number
  at: number
}

export interface PlanFacts {
  timing: Timing
  /** When something may leave at all; undefined: always. */
  week: Week | undefined
  /** When the campaign started. */
  start: number
  projectZone: string
}

export function spanOf({ spreadHours }: Timing): number {
  return (spreadHours ?? 0) * hour
}

/** The plan of one time zone. What does not fit into the open hours at all is due at once, for sending to decide. */
export function planOfZone(facts: PlanFacts, zone: string): PlannedStretch[] {
  const begin = beginIn(facts, zone)
  const span = Math.max(1, spanOf(facts.timing))
  if (!facts.week) return [{ offset: 0, until: span, at: begin }]
  const plan: PlannedStretch[] = []
  let offset = 0
  for (const { from, to } of openFrom(facts.week, zone, begin)) {
    const until = Math.min(span, offset + to - from)
    plan.push({ offset, until, at: from })
    offset = until
    if (offset >= span) return plan
  }
  return [...plan, { offset, until: span, at: plan.at(-1)?.at ?? begin }]
}

function openFrom(week: Week, zone: string, begin: number): Iterable<Stretch> {
  return minutesOpen(week) === 0 ? [] : stretchesIn(week, zone, begin)
}

/** When the first of them may get it. */
function beginIn({ timing, start, projectZone }: PlanFacts, zone: string): number {
  const { localTime, passed, window } = timing
  if (localTime === null) return start
  const week = window && windowWeek(window)
  let date = dateIn(projectZone, start)
  if (passed === 'NOW' && momentIn(zone, date, minutesOf(localTime)) < start) return start
  for (let n = 0; n < 15; n++, date = date.add({ days: 1 })) {
    const at = momentIn(zone, date, minutesOf(localTime))
    if (at >= start && (!week || nextOpen(week, zone, at) === at)) return at
  }
  return start
}

/** The plans of all zones, each plan once: hundreds of names have a few dozen clocks. */
export interface ZonePlans {
  /** Which plan a zone has, by its name in lower case. */
  byZone: Record<string, number>
  plans: PlannedStretch[][]
  /** The plan of those whose zone is not known. */
  other: number
}

export function planZones(facts: PlanFacts, zones: Iterable<string>): ZonePlans {
  const plans: PlannedStretch[][] = []
  const known = new Map<string, number>()
  const planIn = (zone: string): number => {
    const plan = planOfZone(facts, zone)
    const name = JSON.stringify(plan)
    const found = known.get(name) ?? plans.push(plan) - 1
    known.set(name, found)
    return found
  }
  const byZone = Object.fromEntries([...zones].map(zone => [zone.toLowerCase(), planIn(zone)]))
  return { byZone, plans, other: planIn(facts.projectZone) }
}

/** How many of `count` recipients with one plan get it in each hour, by the beginning of the hour. */
export function hoursOf(plan: readonly PlannedStretch[], count: number): Map<number, number> {
  const span = plan.at(-1)!.until
  const hours = new Map<number, number>()
  let placed = 0
  const place = (at: number, upTo: number): void => {
    const until = Math.round((count * upTo) / span)
    const begin = Math.floor(at / hour) * hour
    if (until > placed) hours.set(begin, (hours.get(begin) ?? 0) + until - placed)
    placed = Math.max(placed, until)
  }
  for (const { offset, until, at } of plan) {
    for (let done = offset; done < until; ) {
      const now = at + done - offset
      const next = Math.min(until, done + Math.floor(now / hour) * hour + hour - now)
      place(now, next)
      done = next
    }
  }
  return hours
}
