// When a campaign counts as approved. Pure.
import type { ApprovalState } from './schema'

/** What is approved: a campaign, with everything that it depends on. */
export interface ApprovalFacts {
  campaignId: string
  /** Of its text, sender, layout, audience and rules: another one is something else. */
  fingerprint: string
  /** How many it reaches now. */
  recipients: number | null
  /** When it is to be sent; null is now. */
  scheduledFor: Date | null
}

export interface Approval extends ApprovalFacts {
  state: ApprovalState
  requestedBy: string
  requestedByEmail: string | null
  requestedAt: Date
  decidedByEmail: string | null
  decidedAt: Date | null
  reason: string | null
}

export type ApprovalFault = 'missing' | 'undecided' | 'declined' | 'changed' | 'otherTime' | 'moreRecipients'

/** Lists grow by signups between approval and sending: by this share, or by this many, an approval still holds. */
const growth = { share: 0.1, count: 10 }

/** Why the approval does not cover what is to be sent; undefined if it does. Fewer recipients are always covered. */
export function approvalFault(approval: Approval, facts: ApprovalFacts): ApprovalFault | undefined {
  if (approval.fingerprint !== facts.fingerprint) return 'changed'
  if (approval.state === 'REQUESTED') return 'undecided'
  if (approval.state === 'DECLINED') return 'declined'
  if (approval.scheduledFor?.getTime() !== facts.scheduledFor?.getTime()) return 'otherTime'
  const most = mostRecipients(approval.recipients)
  return most !== null && (facts.recipients ?? 0) > most ? 'moreRecipients' : undefined
}

function mostRecipients(approved: number | null): number | null {
  return approved === null ? null : approved + Math.max(growth.count, Math.floor(approved * growth.share))
}

const words: Readonly<Record<ApprovalFault, string>> = {
  missing: 'approval was not requested',
  undecided: 'the request is still open',
  declined: 'it was declined',
  changed: 'it has changed since it was approved',
  otherTime: 'it was approved for another send time',
  moreRecipients: 'it would reach more people than were approved',
}

/** As the end of a sentence. */
export function approvalWords(fault: ApprovalFault): string {
  return words[fault]
}
