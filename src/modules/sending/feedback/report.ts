// What somebody reports about a message that left: the provider, another mail server, a link of our own. And the rule that says which
// status it may take from there. Pure.
import type { Failure } from '../../../mail/bounces'
import type { EmailStatus } from '../emails'

export const reportKinds = ['delivered', 'bounced', 'softBounced', 'complained', 'opened', 'clicked'] as const
export type ReportKind = (typeof reportKinds)[number]

/** Permanent: the address is gone. Undetermined: it bounced for good, and nobody said why. */
export type BounceType = 'Permanent' | 'Undetermined'

export interface DeliveryReport {
  projectId: string
  emailId: string
  kind: ReportKind
  /** When it happened, as far as the reporter knows. */
  at: Date
  source: 'provider' | 'own' | 'dsn' | 'webhook'
  /** The addresses that it is about, where it names any; for a message with copies that decides whose report it is. */
  recipients?: readonly string[]
  /** Of a click. */
  link?: string
  /** A hit by a scanner, a proxy, or on the link that no person sees: counted separately, with no other effect. */
  machine?: boolean
  /** What the other side said. */
  detail?: string
  /** Of a bounce; Permanent by default. */
  bounceType?: BounceType
  /** Of a bounce: `other` where the message was refused and not the address: the message failed, and the address stays usable. */
  blame?: 'address' | 'other'
  /** Of a bounce, where it was judged by the words, with the code that came with them. */
  failure?: Failure
  code?: string
  /** Of a complaint that anybody could have written: it stops mail to that address, and counts for nothing. */
  isUnproved?: true
  /** Of a complaint that is only a wish to get no more of it: it unsubscribes. */
  isOptOut?: true
}

/** How far along a message is. A lesser status that is reported late never replaces a higher one. */
const ranks: Record<EmailStatus, number> = {
  PENDING: 0,
  SENDING: 0,
  FAILED: 0,
  SKIPPED: 0,
  RECEIVED: 0,
  SENT: 1,
  DELIVERED: 2,
  OPENED: 3,
  CLICKED: 4,
  BOUNCED: 5,
  COMPLAINED: 6,
}

const outcomes: Record<ReportKind, EmailStatus> = {
  delivered: 'DELIVERED',
  softBounced: 'BOUNCED',
  opened: 'OPENED',
  clicked: 'CLICKED',
  bounced: 'BOUNCED',
  complained: 'COMPLAINED',
}

/** The status that a report by itself stands for; undefined for one that changes none. */
export function statusOf({
  kind,
  machine,
  blame,
  isUnproved,
  isOptOut,
}: Pick<DeliveryReport, 'kind' | 'machine' | 'blame' | 'isUnproved' | 'isOptOut'>): EmailStatus | undefined {
  if (isUnproved || isOptOut) return undefined
  if (kind === 'bounced' && blame === 'other') return 'FAILED'
  return machine && (kind === 'opened' || kind === 'clicked') ? undefined : outcomes[kind]
}

/** Somebody has read it, or said so: that it was given up is then not true of this recipient. */
export function wasRead(status: EmailStatus): boolean {
  return ranks[status] >= ranks.OPENED
}

/** The higher of the two; `next` where their ranks are equal. */
export function laterStatus(current: EmailStatus, next: EmailStatus): EmailStatus {
  return ranks[next] >= ranks[current] ? next : current
}

/** True for a message that, as far as we know, never left: any report proves the contrary. */
export function isUnsent(status: EmailStatus): boolean {
  return ranks[status] === 0
}
