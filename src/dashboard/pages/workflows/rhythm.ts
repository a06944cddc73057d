// The common cron patterns in words: every day, on some days of the week, on a day of the month. Others stay as they are.
import { t } from '../../texts'

export interface Rhythm {
  kind: 'daily' | 'weekly' | 'monthly'
  hour: number
  minute: number
  /** 0 is Sunday. */
  weekday: number
  day: number
}

const number = /^\d{1,2}$/

/** Undefined for patterns that are more than a time on certain days. */
export function readRhythm(cron: string): Rhythm | undefined {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.trim().split(/\s+/)
  if (!number.test(minute) || !number.test(hour) || month !== '*') return undefined
  const time = { minute: Number(minute), hour: Number(hour), weekday: 1, day: 1 }
  if (day === '*' && weekday === '*') return { kind: 'daily', ...time }
  if (day === '*' && number.test(weekday)) return { kind: 'weekly', ...time, weekday: Number(weekday) % 7 }
  if (number.test(day) && weekday === '*') return { kind: 'monthly', ...time, day: Number(day) }
  return undefined
}

export function writeRhythm({ kind, hour, minute, weekday, day }: Rhythm): string {
  const days = { daily: '* * *', weekly: `* * ${weekday}`, monthly: `${day} * *` }
  return `${minute} ${hour} ${days[kind]}`
}

export const timeOf = ({ hour, minute }: Rhythm): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

export function sayRhythm(cron: string, zone: string): string {
  const rhythm = readRhythm(cron)
  if (!rhythm) return t.workflows.onCron(cron, zone)
  const { kind, weekday, day } = rhythm
  return t.workflows.rhythms[kind](timeOf(rhythm), zone, t.workflows.weekdays[weekday] ?? '', day)
}
