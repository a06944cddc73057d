// Values of filters: what a date, a duration or a plain value in a filter means. Pure.
import { day, hour, minute, parseDate } from '../lib/time'
import type { LeafFault } from './leaf'
import type { DataTest, DateTest, InequalityOperator } from './predicate'

export type Scalar = string | number | boolean | null

type Equality = 'equals' | 'notEquals'
type Common = InequalityOperator | Equality | 'exists' | 'notExists' | 'within' | 'olderThan'
export type DateOperator = Common
export type DataOperator = Common | 'contains' | 'notContains'

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A plain value as text. */
export function readText(value: unknown): string | LeafFault {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value)
  return valueFault('The value must be a text, a number, true or false')
}

const unitMs: Readonly<Record<string, number>> = { days: day, hours: hour, minutes: minute }
/** A hundred years: no date of ours that far away is beyond what the database can hold. */
const maxMs = 36_525 * day

/** A number of days, hours or minutes in milliseconds; a number may come as text. */
export function readWindow(value: unknown, unit: unknown): number | LeafFault {
  const perUnit = typeof unit === 'string' && Object.hasOwn(unitMs, unit) ? unitMs[unit] : undefined
  if (perUnit === undefined)
    return { member: 'unit', message: `Unsupported time unit: ${String(readableUnit(unit)).slice(0, 60)}` }
  const amount = typeof value === 'string' && /^\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value
  if (typeof amount !== 'number' || !(amount >= 0)) return valueFault('The value must be a number from 0')
  const ms = Math.round(amount * perUnit)
  return ms <= maxMs ? ms : valueFault('The value must stand for at most 100 years')
}

function readableUnit(unit: unknown): unknown {
  return typeof unit === 'string' || typeof unit === 'number' ? unit : typeof unit
}

const dayPattern = /^\d{4}-\d{2}-\d{2}(?=$|T)/

/** The test of a date column. */
export function dateTest(operator: DateOperator, value: unknown, unit: unknown): DateTest | LeafFault {
  switch (operator) {
    case 'within':
    case 'olderThan':
      return windowTest(operator, value, unit)
    case 'exists':
    case 'notExists':
      return { test: 'exists', not: operator === 'notExists' }
    case 'equals':
    case 'notEquals':
      return spanTest(value, operator === 'notEquals')
    default: {
      const at = readMoment(value)
      return at instanceof Date ? { test: 'compare', comparison: operator, at } : at
    }
  }
}

/** A text that begins with a date means that whole day, whatever time follows it. */
function spanTest(value: unknown, not: boolean): DateTest | LeafFault {
  const text = typeof value === 'string' ? dayPattern.exec(value)?.[0] : undefined
  if (text === undefined) {
    const at = readMoment(value)
    return at instanceof Date ? { test: 'span', from: at, to: new Date(at.getTime() + 1), not } : at
  }
  const from = new Date(`${text}T00:00:00.000Z`)
  if (!isUsable(from) || !isOnCalendar(text)) return notADate()
  return { test: 'span', from, to: new Date(from.getTime() + day), not }
}

/** Milliseconds since 1970, or a text in ISO 8601; without a zone it is UTC. */
function readMoment(value: unknown): Date | LeafFault {
  const text = typeof value === 'string' ? value.trim() : ''
  if (typeof value === 'string' && !isoPattern.test(text)) return notADate()
  const isLocal = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text)
  const at = typeof value === 'number' ? new Date(value) : parseDate(isLocal ? `${text}Z` : text)
  return at && isUsable(at) && isOnCalendar(text) ? at : notADate()
}

/** The platform's parser turns 30 February into 2 March. */
function isOnCalendar(text: string): boolean {
  const written = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
  return (
    written === undefined || parseDate(`${written}T00:00:00Z`)?.toISOString().startsWith(written) === true
  )
}

/** The years that JavaScript and PostgreSQL write the same way, with a day to spare on either side. */
function isUsable(at: Date): boolean {
  const year = at.getUTCFullYear()
  return year >= 1 && year <= 9_998
}

function notADate(): LeafFault {
  return valueFault('The value must be a date (ISO 8601)')
}

/** The test of a custom field. */
export function dataTest(operator: DataOperator, value: unknown, unit: unknown): DataTest | LeafFault {
  switch (operator) {
    case 'within':
    case 'olderThan':
      return windowTest(operator, value, unit)
    case 'exists':
    case 'notExists':
      return { test: 'exists', not: operator === 'notExists' }
    case 'contains':
    case 'notContains': {
      const text = readText(value)
      return typeof text === 'string' ? { test: 'contains', text, not: operator === 'notContains' } : text
    }
    case 'equals':
    case 'notEquals':
      return equalsTest(value, operator === 'notEquals')
    default:
      return compareTest(operator, value)
  }
}

function equalsTest(value: unknown, not: boolean): DataTest | LeafFault {
  if (!isScalar(value)) return valueFault('The value must be a text, a number, true, false or null')
  const text = typeof value === 'string' ? dayPattern.exec(value)?.[0] : undefined
  return text === undefined ? { test: 'equals', value, not } : { test: 'day', day: text, not }
}

function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'string' || typeof value === 'boolean' || value === null
}

function compareTest(comparison: InequalityOperator, value: unknown): DataTest | LeafFault {
  if (typeof value === 'number' && Number.isFinite(value)) return { test: 'compareNumber', comparison, value }
  if (typeof value !== 'string') return valueFault('The value must be a number, a text or a date')
  const at = isoInstant(value)
  return at ? { test: 'compareDate', comparison, at } : { test: 'compareText', comparison, value }
}

const isoPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** The moment that a filter's text names; undefined if it is not an ISO date, or not a day of the calendar. */
export function isoInstant(text: string): Date | undefined {
  if (!isoPattern.test(text)) return undefined
  const at = readMoment(text)
  return at instanceof Date ? at : undefined
}

function windowTest(
  test: 'within' | 'olderThan',
  value: unknown,
  unit: unknown,
): { test: 'within' | 'olderThan'; ms: number } | LeafFault {
  const ms = readWindow(value, unit)
  return typeof ms === 'number' ? { test, ms } : ms
}

function valueFault(message: string): LeafFault {
  return { member: 'value', message }
}
