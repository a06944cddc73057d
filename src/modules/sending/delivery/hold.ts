// Marketing mail that may not leave yet: when its recipient sleeps, or has had enough of it. What is held says until when, and what is skipped
// says why. Pure.
import { inBoth, isTimeZone, nextOpen, type Week, weekWithout } from '../../../lib/local-time'
import { day, minute } from '../../../lib/time'
import { type DeliveryOutcome, skipped, waiting } from '../../../platform/transports/outcome'
import type { MailCap } from '../../accounts/projects'
import type { MailRules } from '../emails'

/** What may hold one message: the rules of its project by its contact's clock, and the hours of its campaign, which only ever put off. */
export interface HoldRules extends MailRules {
  zone: string
  window?: Week | undefined
}

/** Moments are in steps of five minutes, so that those who wait come back together. */
export const momentStep = 5 * minute

/** The contact's zone where that is one, and else the project's. */
export function zoneOf(value: unknown, projectZone: string | null): string {
  return typeof value === 'string' && isTimeZone(value) ? value : (projectZone ?? 'UTC')
}

/** Undefined if the hours let it leave now. */
export function whyNotNow(
  now: Date,
  { zone, quietHours, window }: Pick<HoldRules, 'zone' | 'quietHours' | 'window'>,
): DeliveryOutcome | undefined {
  if (!quietHours && !window) return undefined
  const at = now.getTime()
  const awake = quietHours && weekWithout(quietHours)
  const isAwake = !awake || nextOpen(awake, zone, at) === at
  if (!isAwake && quietHours?.whenHeld === 'SKIP') return skipped('quietHours')
  const weeks = [window, quietHours?.whenHeld === 'LATER' ? awake : undefined].filter(week => !!week)
  if (weeks.length === 0) return undefined
  const open = nextOpen(weeks.reduce(inBoth), zone, at)
  if (open === at) return undefined
  // The hours of the campaign lie within the quiet ones.
  if (open === undefined) return skipped('quietHours')
  return waiting(isAwake ? 'campaignHours' : 'quietHours', new Date(open))
}

/** When a contact with these bookings may be sent another mail; undefined where the cap lets `emailId` leave. */
export function freeAt(
  booked: Readonly<Record<string, number>>,
  { messages, days }: Pick<MailCap, 'messages' | 'days'>,
  emailId: string,
): Date | undefined {
  if (booked[emailId] !== undefined) return undefined
  const newest = Object.values(booked).toSorted((a, b) => b - a)
  const free = newest[messages - 1]! + days * day
  return new Date(Math.ceil(free / momentStep) * momentStep)
}
