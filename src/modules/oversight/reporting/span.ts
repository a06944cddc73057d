// Spans of whole days in UTC, both included; what campaigns are ranked by, rates and trends. Pure.
import { day } from '../../../lib/time'
import { readDays, type SpanRequest } from '../../audience/events'
import type { DaySpan } from '../../sending/emails'

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const msOf = (text: string): number => Date.parse(`${text}T00:00:00.000Z`)

/** Thirty days up to today where nothing is asked for; 400 for anything that is not a date. The last day may be before the first: an empty span. */
export function readSpan(request: SpanRequest, now: Date, daysBefore = 29): DaySpan {
  const { first, last } = readDays(request)
  const end = last ?? dayOf(now.getTime())
  return { first: first ?? dayOf(now.getTime() - daysBefore * day), last: end }
}

/** The part of a span that is within the last `days` days and not in the future. */
export function clampSpan({ first, last }: DaySpan, now: Date, days: number): DaySpan {
  const today = dayOf(now.getTime())
  const least = dayOf(now.getTime() - days * day)
  return { first: first < least ? least : first, last: last > today ? today : last }
}

export function daysOf({ first, last }: DaySpan): string[] {
  const all: string[] = []
  for (let at = msOf(first); at <= msOf(last); at += day) all.push(dayOf(at))
  return all
}

/** As many days as the span has, right before it; undefined if there is none, or the calendar ends. */
export function precedingSpan({ first, last }: DaySpan): DaySpan | undefined {
  const length = (msOf(last) - msOf(first)) / day + 1
  const start = msOf(first) - length * day
  if (length < 1 || start < msOf('0001-01-01')) return undefined
  return { first: dayOf(start), last: dayOf(msOf(first) - day) }
}

/** Columns of the counts of campaigns. */
export const campaignMetrics = ['opened', 'clicked', 'sent', 'delivered', 'bounced', 'unsubscribed'] as const
export type CampaignMetric = (typeof campaignMetrics)[number]

/** Percent; 0 where there is nothing to be a part of. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100
}

export function toOneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}

/** Rounded percent by which a count has changed; 100 where there was nothing before. */
export function trendOf(count: number, before: number): number {
  return before === 0 ? 100 : Math.round(((count - before) / before) * 100)
}
