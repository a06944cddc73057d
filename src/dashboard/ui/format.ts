// Numbers and times in the reader's format and time zone.
import { language, t } from '../texts'
import { localeOf } from '../texts/language'
import { once } from '../texts/once'

const exactly = { dateStyle: 'full', timeStyle: 'long' } as const

/** Made anew when the language changes. */
let made = formsOf('en')

function forms(): ReturnType<typeof formsOf> {
  if (made.language !== language()) made = formsOf(language())
  return made
}

function formsOf(language: string) {
  const locale = localeOf(language)
  const dateForm = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat(locale, options))
  return {
    language,
    locale,
    numbers: once(() => new Intl.NumberFormat(locale)),
    compact: once(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })),
    percents: once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })),
    dates: dateForm({ dateStyle: 'medium' }),
    days: dateForm({ day: 'numeric', month: 'short' }),
    weekdays: dateForm({ weekday: 'long', day: 'numeric', month: 'long' }),
    utcDays: dateForm({ day: 'numeric', month: 'short', timeZone: 'UTC' }),
    times: dateForm({ timeStyle: 'short' }),
    moments: dateForm({ dateStyle: 'medium', timeStyle: 'short' }),
    exact: dateForm(exactly),
    short: once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })),
    relative: once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })),
  }
}

type When = string | number | Date

export const formatNumber = (value: number): string => forms().numbers().format(value)
/** `12.3K`, where there is little space. */
export const formatCompact = (value: number): string => forms().compact().format(value)
/** A percentage, from a share between 0 and 1. */
export const formatPercent = (share: number): string => forms().percents().format(share)
export const formatDate = (at: When): string => forms().dates().format(new Date(at))
/** Day and month, for axes. */
export const formatDay = (at: When): string => forms().days().format(new Date(at))
/** `Thursday, November 26`, or today and tomorrow by their names. */
export function formatDayName(at: When): string {
  const days = daysFrom(new Date(), new Date(at))
  if (days !== 0 && days !== 1) return formatWeekday(at)
  const name = forms().relative().format(days, 'day')
  return name[0]!.toLocaleUpperCase(forms().locale) + name.slice(1)
}

/** `Thursday, November 26` */
export const formatWeekday = (at: When): string => forms().weekdays().format(new Date(at))
/** A day of the server's calendar, `YYYY-MM-DD`, wherever the reader is. */
export const formatUtcDay = (date: string): string => forms().utcDays().format(new Date(date))
export const formatTime = (at: When): string => forms().times().format(new Date(at))
export const formatDateTime = (at: When): string => forms().moments().format(new Date(at))
/** With the zone: the reader's, or the one that is named. */
export const formatExact = (at: When, timeZone?: string): string =>
  (timeZone ? new Intl.DateTimeFormat(forms().locale, { ...exactly, timeZone }) : forms().exact()).format(
    new Date(at),
  )

/** "3 min ago", "yesterday", "in 2 days"; beyond a week the date, which is more useful than a number of weeks. */
export function formatRelative(at: When, now = Date.now()): string {
  const moment = new Date(at)
  const minutes = Math.round((moment.getTime() - now) / 60_000)
  if (minutes === 0) return t.formats.now
  if (Math.abs(minutes) < 60) return forms().short().format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  const days = daysFrom(new Date(now), moment)
  if (days === 0 || Math.abs(hours) < 12) return forms().short().format(hours, 'hour')
  if (Math.abs(days) < 7) return forms().relative().format(days, 'day')
  return moment.getFullYear() === new Date(now).getFullYear() ? formatDay(moment) : formatDate(moment)
}

/** By the calendar: from late one evening to early the next morning is a day. */
function daysFrom(from: Date, to: Date): number {
  const noon = (date: Date): number => new Date(date).setHours(12, 0, 0, 0)
  return Math.round((noon(to) - noon(from)) / 86_400_000)
}

/** An amount, from minor units, as payment providers count. */
export function formatMoney(minor: number, currency: string): string {
  const form = new Intl.NumberFormat(forms().locale, { style: 'currency', currency })
  return form.format(minor / 10 ** (form.resolvedOptions().maximumFractionDigits ?? 2))
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** In powers of 1,000, as disks and mail clients count. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), sizes.length - 1)
  const form = new Intl.NumberFormat(forms().locale, {
    style: 'unit',
    unit: sizes[power]!,
    maximumFractionDigits: power === 0 ? 0 : 1,
  })
  return form.format(bytes / 1000 ** power)
}

/** `1,204 ms` */
export function formatMs(ms: number): string {
  return new Intl.NumberFormat(forms().locale, { style: 'unit', unit: 'millisecond' }).format(ms)
}

/** JSON pretty-printed; anything else as it came. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
