// Time as a value: the clock interface, durations, and lenient date parsing. Nothing here reads the machine's clock.

/** The only source of "now". Production reads the machine, tests move it by hand. */
export interface Clock {
  now(): Date
}

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** `at` moved by `ms` milliseconds. */
export function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

const units: Record<string, number> = { ms: 1, s: second, m: minute, h: hour, d: day }

/** Reads `500ms`, `30s`, `5m`, `24h`, `1.5h`, `7d` as milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim())
  if (!match) return undefined
  return Math.round(Number(match[1]) * units[match[2]!]!)
}

/**
 * A date from whatever the platform's parser understands; undefined when it understands nothing. It reads "05/12/2026" as 12 May and "1" as
 * 2001: what decides whether and when mail is sent is read by `readInstant`.
 */
export function parseDate(text: string): Date | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const instantPattern =
  /^(\d{4}-\d{2}-\d{2})t([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** What `readInstant` reads, with an example. */
export const instantAdvice =
  'must be a date and time with "Z" or an offset, such as "2030-01-31T09:00:00Z" or "2030-01-31T10:00:00+01:00"'

/** An instant of RFC 3339, whose seconds may be missing; undefined for anything else, a day that no calendar has included. */
export function readInstant(text: string): Date | undefined {
  const day = instantPattern.exec(text)?.[1]
  if (day === undefined) return undefined
  // The platform's parser turns 30 February into 2 March.
  if (parseDate(`${day}T00:00:00Z`)?.toISOString().startsWith(day) !== true) return undefined
  return parseDate(text.toUpperCase())
}

/** Resolves after `ms` milliseconds of the machine's time; for waiting on the outside, never for business time. */
export function sleep(ms: number): Promise<void> {
  return new Promise(resolve => void setTimeout(resolve, ms))
}

/** `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS[.sss]Z`, in a spelling that JavaScript and PostgreSQL read alike. */
export const datePattern = '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3})?Z)?$'

/** The first day of the month of a moment, in UTC, as `YYYY-MM-DD`. */
export function monthOf(at: Date): string {
  return `${at.toISOString().slice(0, 7)}-01`
}

export function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
}

export function startOfNextMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}
