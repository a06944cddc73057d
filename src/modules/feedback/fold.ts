// What any number of reports make of one message: its new state, the events to record, and what else follows. Each kind of event
// happens at most once a message; hits are counted every time. Pure; a service does what is returned.

import { type EmailStatus, isSimulated, type MailDeltas, type ReportedMail } from '../emails'
import { countHit } from './hits'
import { isUnsent, laterStatus, type Report, statusOf } from './report'

export interface MailEvent {
  name: 'email.sent' | 'email.delivery' | 'email.open' | 'email.click' | 'email.bounce' | 'email.complaint'
  /** What it carries beside the members that all events about a message share. */
  data: Record<string, unknown>
}

export interface Follow {
  link: string
  at: Date
  source: Report['source']
}

/** The contact gets nothing more. */
export interface StopCause {
  reason: 'bounce' | 'complaint'
  detail: string
  /** Nothing more of any kind, not only no marketing. */
  suppress: boolean
}

export interface FoldedMail {
  mail: ReportedMail
  deltas: MailDeltas
  events: MailEvent[]
  /** Links that people followed, each time they did. */
  followed: Follow[]
  stop?: StopCause
  /** The same of addresses that copies of it went to. */
  copyStops: Array<StopCause & { toEmail: string }>
  /** It came back for now: the address may have done that too often. */
  softBounced?: { detail: string }
  /** The reputation of its project is to be looked at. */
  review: boolean
  /** What comes too early: whoever sends the message this moment has to tell first what came of it. */
  early: Report[]
}

/** Applies the reports in the order in which they happened. */
export function foldReports(before: ReportedMail, reports: readonly Report[]): FoldedMail {
  const folded: FoldedMail = {
    mail: { ...before },
    deltas: noDeltas(),
    events: [],
    followed: [],
