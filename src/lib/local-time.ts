// Times of day in the time zones that people live in. Twice a year some clocks skip an hour and others repeat one; what is meant then is said
// here once. Pure.

/** Whether it names a time zone by which local times can be told; an offset such as `+02:00` is none, because it knows no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,99}$/.test(name)) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    return true
  } catch {
    return false
  }
}

/** `HH:MM` as minutes since midnight; `24:00` is the end of the day. */
export const timeOfDayPattern = '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$'

export function minutesOf(timeOfDay: string): number {
  return Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3))
}

/** The date there at a moment. */
export function dateIn(zone: string, at: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
}

/**
 * The moment at which the clocks of the zone show so many minutes since midnight. A time that they show twice is the first or the second
 * of the two, as `which` says; one that they skip is the moment at which they skip it.
 */
export function momentIn(
  zone: string,
  date: Temporal.PlainDate,
  minutes: number,
  which: 'first' | 'second' = 'first',
): number {
  const local = date.toPlainDateTime().add({ minutes })
  const first = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  // Before a gap, this is as long before it as the wanted time is behind its beginning.
  if (!first.toPlainDateTime().equals(local)) return first.getTimeZoneTransition('next')!.epochMilliseconds
  return which === 'first'
    ? first.epochMilliseconds
    : local.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
}

/** When on each day of the week something may happen, in minutes since midnight: Monday first, stretches in order. */
export type Week = ReadonlyArray<ReadonlyArray<readonly [from: number, to: number]>>

export interface Hours {
  /** `HH:MM`; from the later to the earlier one goes over midnight. */
  from: string
  to: string
}

const [firstMinute, lastMinute] = [0, 24 * 60]
const everyDay = [1, 2, 3, 4, 5, 6, 7]

/** The hours of these days (1 is Monday). What goes over midnight belongs to the day on which it begins. */
export function weekOf({ from, to }: Hours, weekdays: readonly number[] = everyDay): Week {
  const [start, end] = [minutesOf(from), minutesOf(to)]
  const isMeant = (weekday: number): boolean => weekdays.includes(weekday)
  return everyDay.map(weekday => {
    if (start < end) return isMeant(weekday) ? [[start, end]] : []
    const ending: Array<[number, number]> = isMeant(weekday === 1 ? 7 : weekday - 1)
      ? [[firstMinute, end]]
      : []
    const begun: Array<[number, number]> = isMeant(weekday) ? [[start, lastMinute]] : []
    return [...ending, ...begun].filter(([opens, closes]) => opens < closes)
  })
}

/** All but these hours, every day. */
export function weekWithout({ from, to }: Hours): Week {
  return weekOf({ from: to, to: from })
}

/** When both may happen. */
export function inBoth(one: Week, other: Week): Week {
  return one.map((stretches, day) =>
    stretches
      .flatMap(([from, to]) =>
        other[day]!.map(([opens, closes]) => [Math.max(from, opens), Math.min(to, closes)] as const),
      )
      .filter(([from, to]) => from < to)
      .toSorted(([a], [b]) => a - b),
  )
}

export function minutesOpen(week: Week): number {
  return week.flat().reduce((sum, [from, to]) => sum + to - from, 0)
}

export interface Stretch {
  from: number
  to: number
}

/**
 * The stretches of the week in a zone from a moment on, for so many days. Nothing of them lies outside by the clocks there: where these repeat
 * an hour, a stretch begins the second time and ends the first time, unless that is before its beginning.
 */
export function* stretchesIn(week: Week, zone: string, at: number, days = 400): Generator<Stretch> {
  const today = dateIn(zone, at)
  for (let n = 0; n < days; n++) {
    const date = today.add({ days: n })
    for (const [opens, closes] of week[date.dayOfWeek - 1]!) {
      const from = momentIn(zone, date, opens, opens === firstMinute ? 'first' : 'second')
      const first = momentIn(zone, date, closes)
      const to = first > from ? first : momentIn(zone, date, closes, 'second')
      if (to > from && to > at) yield { from: Math.max(from, at), to }
    }
  }
}

/** The first moment from `at` on that is in the week; undefined where there is none for weeks. */
export function nextOpen(week: Week, zone: string, at: number): number | undefined {
  return stretchesIn(week, zone, at, 15).next().value?.from
}
