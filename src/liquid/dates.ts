// The date filters: one strict reader of dates, and the formats of Ruby that liquidjs does not have.
import { type Context, filters, toValue } from 'liquidjs'

type FilterThis = { context: Context }
type FilterFunction = (this: FilterThis, value: unknown, ...rest: unknown[]) => unknown

const names = ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']

/** What is no date is printed as it stands, as in Ruby. */
export function dateFilters(): Record<string, FilterFunction> {
  const read = (original: FilterFunction): FilterFunction =>
    function (this: FilterThis, value, format, ...rest) {
      const date = readDate(toValue(value))
      return date === undefined ? value : original.call(this, date, asInRuby(toValue(format)), ...rest)
    }
  return Object.fromEntries(names.map(name => [name, read(filters[name] as FilterFunction)]))
}

const combined: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  R: '%H:%M',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
  v: '%e-%^b-%Y',
}

function asInRuby(format: unknown): unknown {
  if (typeof format !== 'string') return format
  return format.replace(/%%|%([FTXRDxrcv])/g, (whole, code) => combined[code] ?? whole)
}

/** A moment as the library takes it: a date, seconds, or `now`. Days that don't exist are no dates. */
function readDate(value: unknown): Date | number | 'now' | undefined {
  if (value instanceof Date || typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^(?:now|today)$/i.test(text)) return 'now'
  if (/^\d+$/.test(text)) return Number(text)
  return readWritten(text)
}

const withDots = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const yearFirst = /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?/
const monthFirst = /^(\d{1,2})[-/](\d{1,2})[-/]\d{4}/

function readWritten(text: string): Date | undefined {
  const dotted = withDots.exec(text)
  if (dotted) {
    const [day, month, year, hours = 0, minutes = 0, seconds = 0] = dotted
      .slice(1)
      .map(part => Number(part ?? 0))
    const exists = hasDay(month!, day!, year!) && hours < 24 && minutes < 60 && seconds < 60
    return exists ? new Date(Date.UTC(year!, month! - 1, day, hours, minutes, seconds)) : undefined
  }
  // Which number is the day can't be told.
  if (/^\d+\.\s*\d/.test(text)) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return undefined
  const [, year, month, day = 1] = yearFirst.exec(text) ?? []
  if (year !== undefined) return hasDay(Number(month), Number(day), Number(year)) ? date : undefined
  const american = monthFirst.exec(text)
  if (american) return hasDay(Number(american[1]), Number(american[2])) ? date : undefined
  return namesDay(text) ? date : undefined
}

/** In a leap year, unless the year is known. */
function hasDay(month: number, day: number, year = 2024): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  return month >= 1 && month <= 12 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Whether the day that the platform found in `30 February 2026` is one that the text names. */
function namesDay(text: string): boolean {
  const [written = ''] = text.split(/[T\s]\d{1,2}:/, 1)
  const days = (written.match(/(?<!\d)\d{1,2}(?!\d)/g) ?? []).map(Number)
  const date = new Date(written)
  return days.length === 0 || Number.isNaN(date.getTime()) || days.includes(date.getDate())
}
