// How the row of a message says that a rule holds it or skipped it. Statements know both by their beginnings. Pure.
import { type DeliveryOutcome, putBack } from '../../platform/mail/outcome'
import type { MailCap, QuietHours } from '../projects'

/** The rules of a project that hold marketing mail. */
export interface MailRules {
  quietHours: QuietHours | null
  mailCap: MailCap | null
}

/** How the reasons of what waits and of what was skipped begin; statements know them by it. */
export const heldBy = 'held by '
export const skippedBy = 'skipped by '

export function isHeld({ status, error }: Pick<DeliveryOutcome, 'status' | 'error'>): boolean {
  return status === 'PENDING' && error !== null && error.startsWith(heldBy)
}

export function isSkippedByRule({ status, error }: Pick<DeliveryOutcome, 'status' | 'error'>): boolean {
  return status === 'SKIPPED' && error !== null && error.startsWith(skippedBy)
}

/** It waits until then, because of a rule or a receiver. */
export function heldUntil(reason: string, until: Date): DeliveryOutcome {
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
  return heldUntil(`receiver ${receiver}`, until)
}

/** The receiver that a message waits for; undefined if it waits for none. */
export function heldReceiverOf(error: string | null): string | undefined {
  if (!error?.startsWith(heldByReceiver)) return undefined
  return error.slice(heldByReceiver.length).split(' ', 1)[0]
}
