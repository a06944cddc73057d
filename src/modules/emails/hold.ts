// Marketing mail that may not leave yet: when its recipient sleeps, or has had enough of it. What is held says until when, and what is skipped
// says why. Pure.
import { inBoth, isTimeZone, nextOpen, type Week, weekWithout } from '../../lib/local-time'
import { day, minute } from '../../lib/time'
import { type DeliveryOutcome, putBack, skipped } from '../../platform/mail/outcome'
import type { HoldRule, MailCap, QuietHours } from '../projects'

/** The rules of a project that hold marketing mail. */
export interface MailRules {
  quietHours: QuietHours | null
  mailCap: MailCap | null
}

/** How the reasons of what waits and of what was skipped begin; statements know them by it. */
export const heldBy = 'held by '
export const skippedBy = 'skipped by '

/** Moments are in steps of five minutes, so that those who wait come back together. */
export const momentStep = 5 * minute

export function isHeld({ status, error }: Pick<DeliveryOutcome, 'status' | 'error'>): boolean {
  return status === 'PENDING' && error !== null && error.startsWith(heldBy)
}

export function isSkippedByRule({ status, error }: Pick<DeliveryOutcome, 'status' | 'error'>): boolean {
  return status === 'SKIPPED' && error !== null && error.startsWith(skippedBy)
}

type Reason = 'quiet hours' | 'cap' | 'the hours of the campaign'

function held(reason: Reason, until: Date): DeliveryOutcome {
  return { ...putBack, error: `${heldBy}${reason} until ${until.toISOString()}`, nextAttemptAt: until }
}

/** How the reason begins of what waits because a receiver refuses its campaign. */
const heldByReceiver = `${heldBy}receiver `

/** Statements know by it what waits for a receiver, whose name has no blank in it. */
export function receiverHold(receiver: string): string {
  return `${heldByReceiver}${receiver} `
}

/** It waits until its receiver takes mail of the campaign again. */
export function heldForReceiver(receiver: string, until: Date): DeliveryOutcome {
  return { ...putBack, error: `${receiverHold(receiver)}until ${until.toISOString()}`, nextAttemptAt: until }
}

/** The receiver that a message waits for; undefined if it waits for none. */
export function heldReceiverOf(error: string | null): string | undefined {
  if (!error?.startsWith(heldByReceiver)) return undefined
  return error.slice(heldByReceiver.length).split(' ', 1)[0]
}

/** By the rule for those whom it holds. */
export function heldOrSkipped(rule: HoldRule, reason: Reason, until: Date): DeliveryOutcome {
  return rule === 'LATER' ? held(reason, until) : skipped(skippedBy + reason, 'held')
}

/** The contact's zone where that is one, and else the project's. */
export function zoneOf(value: unknown, projectZone: string | null): string {
  return typeof value === 'string' && isTimeZone(value) ? value : (projectZone ?? 'UTC')
}

export interface LocalFacts {
  now: Date
  zone: string
  quietHours: QuietHours | null
  /** The hours of a campaign, which only ever put off. */
  window: Week | undefined
}

/** Undefined if the hours let it leave now. */
export function whyNotNow({ now, zone, quietHours, window }: LocalFacts): DeliveryOutcome | undefined {
  if (!quietHours && !window) return undefined
  const at = now.getTime()
  const awake = quietHours && weekWithout(quietHours)
  const isAwake = !awake || nextOpen(awake, zone, at) === at
  if (!isAwake && quietHours?.whenHeld === 'SKIP') return skipped(`${skippedBy}quiet hours`, 'held')
  const weeks = [window, quietHours?.whenHeld === 'LATER' ? awake : undefined].filter(week => !!week)
  if (weeks.length === 0) return undefined
  const open = nextOpen(weeks.reduce(inBoth), zone, at)
  if (open === at) return undefined
  // The hours of the campaign lie within the quiet ones.
  if (open === undefined) return skipped(`${skippedBy}quiet hours`, 'held')
  return held(isAwake ? 'the hours of the campaign' : 'quiet hours', new Date(open))
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
