// What becomes of one message by the reports about it: its new state, the events to record, and what else follows.
import type { EmailEventName } from '../../../lib/event-names'
import type { MailDeltas, ReportedMail } from '../emails'
import type { DeliveryReport } from './report'

export interface MailEvent {
  name: EmailEventName
  /** It is about a copy, whose recipient is not the contact of the message. */
  isOfCopy?: true
  /** What it carries besides the members that all events about a message share. */
  data: Record<string, unknown>
}

interface Follow {
  link: string
  at: Date
  source: DeliveryReport['source']
}

/** The contact gets nothing more. */
export interface StopCause {
  reason: 'bounce' | 'complaint'
  detail: string
  /** The address gets nothing more of any kind, not only no marketing. */
  suppress: boolean
}

export interface ReducedMail {
  mail: ReportedMail
  deltas: MailDeltas
  events: MailEvent[]
  /** Links that people followed, each time they did. */
  followed: Follow[]
  stop?: StopCause
  /** The same for addresses that copies of it went to. */
  copyStops: Array<StopCause & { toEmail: string }>
  /** It soft-bounced: the address may have done that too often. */
  softBounced?: { detail: string }
  /** It was refused, and nobody said why: the address may have answered so too often. */
  unexplained?: { detail: string }
  /** It was refused for the sender's sake or by policy, in these words. */
  refusedFor?: string
  /** The reputation of its project is to be reviewed. */
  review: boolean
  /** Reports that come too early: whoever is sending the message at this moment has to write its outcome first. */
  early: DeliveryReport[]
}
