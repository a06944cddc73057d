// What any number of reports do to one message: its new state, the events to record, and what else follows. Each kind of event happens at
// most once per message; hits are counted every time. Pure; a service does what is returned.

import type { Failure } from '../../../mail/bounces'
import { because, isFailure, noReason } from '../../../platform/transports/reason'
import {
  copyEvent,
  type EmailStatus,
  isSimulated,
  type MailDeltas,
  type ReportedMail,
  whyNot,
} from '../emails'
import { countHit } from './hits'
import type { MailEvent, ReducedMail, StopCause } from './reduced-mail'
import { type DeliveryReport, isUnsent, laterStatus, statusOf, wasRead } from './report'

/** Applies the reports in the order in which they happened. */
export function reduceReports(before: ReportedMail, reports: readonly DeliveryReport[]): ReducedMail {
  const reduced: ReducedMail = {
    mail: { ...before },
    deltas: noDeltas(),
    events: [],
    followed: [],
    copyStops: [],
    review: false,
    early: [],
  }
  // Inbound mail never left.
  if (before.sourceType === 'INBOUND') return reduced
  const inOrder = [...reports].sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const report of inOrder) applyReport(reduced, report)
  return reduced
}

function applyReport(reduced: ReducedMail, report: DeliveryReport): void {
  const { mail } = reduced
  if (!isOfRecipient(reduced, report)) return
  const status = statusOf(report)
  // The attempt that is under way would write its own outcome over these.
  const isEarly = report.kind === 'delivered' || report.kind === 'softBounced' || status === 'FAILED'
  if (mail.status === 'SENDING' && isEarly) {
    reduced.early.push(report)
    return
  }
  if (status === 'FAILED' || report.kind === 'softBounced') {
    moveOn(reduced, 'SENT', report.at)
  } else if (status) moveOn(reduced, status, report.at)
  appliers[report.kind](reduced, report)
}

/** Applies to its copies what is about them; false if nothing in the report is about the recipient in `To`. */
function isOfRecipient(reduced: ReducedMail, report: DeliveryReport): boolean {
  const { mail } = reduced
  const { recipients } = report
  if (!mail.copies || !recipients) return true
  const known = mail.copies.filter(({ email }) => recipients.includes(email))
  for (const { email } of known) copyReported(reduced, email, report)
  // If none of the addresses is known: some systems report the address that ours led to.
  return known.length === 0 || recipients.includes(mail.toEmail)
}

function copyReported(
  { mail, copyStops, events }: ReducedMail,
  toEmail: string,
  report: DeliveryReport,
): void {
  const detail = report.detail || 'the message came back'
  const end = endOfCopy(report)
  if (end) {
    const why = { reason: end.reason, ...(report.code ? { code: report.code } : {}) }
    mail.copies = mail.copies!.map(copy => {
      if (copy.email !== toEmail || copy.status === 'BOUNCED' || copy.status === end.status) return copy
      const ended = { ...copy, ...why, status: end.status, error: detail }
      const [name, data] = copyEvent(ended, report.at)
      events.push({ name, data, isOfCopy: true })
      return ended
    })
  }
  const isGone = end?.reason === 'dead'
  if (report.kind !== 'complained' && !isGone) return
  const suppress =
    !isSimulated(toEmail) && (report.kind === 'complained' || report.bounceType !== 'Undetermined')
  copyStops.push({
    toEmail,
    reason: isGone ? 'bounce' : 'complaint',
    detail,
    suppress: suppress && !report.isOptOut,
  })
}

/** What a report makes of a copy that left; undefined if it still counts as sent. */
function endOfCopy({
  kind,
  blame,
  failure,
}: DeliveryReport): { status: 'BOUNCED' | 'FAILED'; reason: Failure } | undefined {
  if (kind === 'softBounced') return { status: 'BOUNCED', reason: failure ?? 'expired' }
  if (kind !== 'bounced') return undefined
  return blame === 'other'
    ? { status: 'FAILED', reason: failure ?? 'refused' }
    : { status: 'BOUNCED', reason: 'dead' }
}

const appliers: Record<DeliveryReport['kind'], (reduced: ReducedMail, report: DeliveryReport) => void> = {
  delivered: (reduced, report) => happened(reduced, 'delivered', 'email.delivery', report),
  opened: (reduced, report) => hit(reduced, 'open', report),
  clicked: (reduced, report) => hit(reduced, 'click', report),
  bounced,
  softBounced,
  complained,
}

/**
 * A message that is being sent at this moment keeps its status: the attempt that took it settles and counts it, and takes into account
 * what has been reported meanwhile.
 */
function moveOn({ mail, deltas, events }: ReducedMail, next: EmailStatus, at: Date): void {
  if (mail.status === 'SENDING') return
  if (cameBack(mail)) {
    // It was given up, so only somebody who read it proves the contrary.
    if (!wasRead(next)) return
    deltas.failed -= mail.status === 'FAILED' ? 1 : 0
    Object.assign(mail, { status: next, ...noReason })
    return
  }
  if (isUnsent(mail.status)) {
    deltas.settled += mail.status === 'PENDING' ? 1 : 0
    deltas.failed -= mail.status === 'FAILED' ? 1 : 0
    deltas.skipped -= mail.status === 'SKIPPED' ? 1 : 0
    Object.assign(mail, noReason)
    if (mail.sentAt === null) {
      mail.sentAt = at
      deltas.sent += 1
      events.push({ name: 'email.sent', data: { sentAt: at.toISOString() } })
    }
  }
  mail.status = laterStatus(mail.status, next)
}

/** It had left, and was then given up for a reason that is not the address. */
function cameBack({ status, sentAt, reason, bouncedAt, complainedAt }: ReportedMail): boolean {
  if (!isFailure(reason) || !sentAt || bouncedAt || complainedAt) return false
  return status === 'FAILED' || status === 'BOUNCED'
}

/** The first report of its kind sets the time, counts, and becomes an event; a repetition does nothing. */
function happened(
  { mail, deltas, events }: ReducedMail,
  what: 'delivered' | 'bounced' | 'complained',
  name: MailEvent['name'],
  { at }: DeliveryReport,
  data: Record<string, unknown> = {},
): void {
  const member = `${what}At` as const
  if (mail[member]) return
  mail[member] = at
  deltas[what] += 1
  events.push({ name, data: { ...data, [member]: at.toISOString() } })
}

function hit(
  { mail, deltas, events, followed }: ReducedMail,
  kind: 'open' | 'click',
  report: DeliveryReport,
): void {
  countHit(mail, kind, report)
  if (report.machine) {
    machineHit(mail, deltas, kind)
    return
  }
  const { link, at: moment, source } = report
  if (kind === 'click' && link) followed.push({ link, at: moment, source })
  const member = kind === 'open' ? 'openedAt' : 'clickedAt'
  if (mail[member]) return
  mail[member] = report.at
  const at = report.at.toISOString()
  if (kind === 'open') {
    deltas.opened += 1
    events.push({ name: 'email.open', data: { openedAt: at, opens: mail.opens, isFirstOpen: true } })
  } else {
    deltas.clicked += 1
    const data = { link: report.link ?? null, clickedAt: at, clicks: mail.clicks, isFirstClick: true }
    events.push({ name: 'email.click', data })
  }
}

/** Only the first hit of a kind counts the message as opened, or clicked, by programs. */
function machineHit(mail: ReportedMail, deltas: MailDeltas, kind: 'open' | 'click'): void {
  if (kind === 'open' && mail.machineOpens === 1) deltas.machineOpened += 1
  if (kind === 'click' && mail.machineClicks === 1) deltas.machineClicked += 1
}

function bounced(reduced: ReducedMail, report: DeliveryReport): void {
  const { mail } = reduced
  if (mail.bouncedAt) return
  const { bounceType = 'Permanent', detail, blame, failure, code } = report
  if (blame === 'other') {
    refused(reduced, report)
    return
  }
  const words = detail || 'the message came back'
  Object.assign(mail, because(failure ?? 'dead', { words, code }))
  happened(reduced, 'bounced', 'email.bounce', report, { bounceType, ...whyNot(mail) })
  // If nobody said that the address is gone, mail that somebody asked for still goes there.
  const isCertain = bounceType === 'Permanent'
  stop(reduced, { reason: 'bounce', detail: words, suppress: isCertain })
  reduced.review ||= isCertain && !isSimulated(mail.toEmail)
}

/** The message was refused and not the address: nothing follows for that, unless it answers so again and again without a reason. */
function refused(reduced: ReducedMail, report: DeliveryReport): void {
  const { mail, deltas } = reduced
  const { at, detail, failure = 'refused', code } = report
  // Whoever has read it got it; the report is then about another address, which it was led to.
  if (cameBack(mail) || wasRead(mail.status)) return
  mail.status = 'FAILED'
  const words = detail || 'the message was refused'
  Object.assign(mail, because(failure, { words, code }))
  deltas.failed += 1
  reduced.events.push({ name: 'email.failed', data: { ...whyNot(mail), failedAt: at.toISOString() } })
  if (failure === 'unknown') reduced.unexplained = { detail: words }
  // A provider that did not even try, by a list of its own, says nothing of the receiver.
  if (report.failure === 'refused') reduced.refusedFor = words
}

function complained(reduced: ReducedMail, report: DeliveryReport): void {
  const { mail } = reduced
  if (report.isUnproved || report.isOptOut) {
    const detail = report.detail || 'somebody asked for no more messages'
    stop(reduced, { reason: 'complaint', detail, suppress: !report.isOptOut })
    return
  }
  if (mail.complainedAt) return
  happened(reduced, 'complained', 'email.complaint', report)
  stop(reduced, {
    reason: 'complaint',
    detail: report.detail || 'the recipient complained about a message',
    suppress: true,
  })
  reduced.review ||= !isSimulated(mail.toEmail)
}

/** A complaint outweighs a bounce. Simulated addresses stay usable: they exist to be tried again. */
function stop(reduced: ReducedMail, cause: StopCause): void {
  if (reduced.stop?.reason === 'complaint') return
  reduced.stop = { ...cause, suppress: cause.suppress && !isSimulated(reduced.mail.toEmail) }
}

function softBounced(reduced: ReducedMail, { at, detail, failure = 'expired', code }: DeliveryReport): void {
  const { mail, events } = reduced
  if (mail.softBouncedAt) return
  mail.softBouncedAt = at
  const words = detail || 'the message came back for now'
  if (!cameBack(mail) && !wasRead(mail.status)) {
    mail.status = 'BOUNCED'
    Object.assign(mail, because(failure, { words, code }))
  }
  const why = { reason: failure, code: code ?? null, response: detail || null }
  events.push({ name: 'email.bounce', data: { bounceType: 'Transient', transientBounce: true, ...why } })
  reduced.softBounced = { detail: words }
}

function noDeltas(): MailDeltas {
  return {
    ...{ settled: 0, sent: 0, delivered: 0, opened: 0, clicked: 0, machineOpened: 0, machineClicked: 0 },
    ...{ bounced: 0, complained: 0, failed: 0, skipped: 0 },
  }
}
