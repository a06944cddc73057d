// Spans of days as the statistics of events take them. Pure.
import { badRequest } from '../../lib/errors'
import { parseDate } from '../../lib/time'

/** What a request may say about a span of time. */
export interface SpanRequest {
  startDate?: string
  endDate?: string
}

/** Whole days in UTC, both included; null if there is no bound. 400 for a date that can't be understood. */
export function readDays({ startDate, endDate }: SpanRequest): { first: string | null; last: string | null } {
  return { first: readDay(startDate, 'startDate'), last: readDay(endDate, 'endDate') }
}

function readDay(text: string | undefined, name: string): string | null {
  if (text === undefined || text === '') return null
  const date = parseDate(text)
  if (!date) throw badRequest(`${name} is not a date`, { suggestion: 'Use ISO 8601, such as 2026-03-01.' })
  // Beyond these years a date is written differently, and there are no events.
  if (date.getUTCFullYear() < 1) return '0001-01-01'
  if (date.getUTCFullYear() > 9999) return '9999-12-31'
  return date.toISOString().slice(0, 10)
}
