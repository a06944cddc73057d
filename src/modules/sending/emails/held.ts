// Emails that a rule or a mailbox provider holds or skips. Pure.
import { type DeliveryOutcome, waiting } from '../../../platform/transports/outcome'
import { isHeldBy, isRule } from '../../../platform/transports/reason'
import type { MailCap, QuietHours } from '../../accounts/projects'

/** The rules of a project that hold marketing mail. */
export interface MailRules {
  quietHours: QuietHours | null
  mailCap: MailCap | null
}

type Ended = Pick<DeliveryOutcome, 'status' | 'reason'>

export function isHeld({ status, reason }: Ended): boolean {
  return status === 'PENDING' && isHeldBy(reason)
}

export function isSkippedByRule({ status, reason }: Ended): boolean {
  return status === 'SKIPPED' && isRule(reason)
}

/** It waits until its provider accepts the campaign again. */
export function heldForReceiver(provider: string, until: Date): DeliveryOutcome {
  return waiting('receiver', until, { provider })
}

/** The provider that a message waits for; undefined if it waits for none. */
export function heldReceiverOf({
  status,
  reason,
  reasonDetail,
}: Pick<DeliveryOutcome, 'reason' | 'reasonDetail'> & { status?: string }): string | undefined {
  return reason === 'receiver' && status !== 'SKIPPED' ? reasonDetail?.provider : undefined
}
