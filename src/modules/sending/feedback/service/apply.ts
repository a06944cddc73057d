// The only way in for everything that is reported about messages that left: rows, counts, events, contacts and suppressed addresses
// change in the caller's transaction, by set-based statements, however many reports there are.

import { storable } from '../../../../lib/storable'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { type NewProjectEvent, recordProjectEvents } from '../../../audience/events'
import {
  emailFacts,
  enqueueReviews,
  findRefusedOften,
  findWornOut,
  lockMails,
  type MailingStop,
  noteRefusals,
  stopMailing,
  updateMails,
} from '../../emails'
import { messagesReported } from '../hooks'
import { reduceReports } from '../reduce-reports'
import type { ReducedMail } from '../reduced-mail'
import type { DeliveryReport } from '../report'
import { unavailable } from './receipts'

export interface AppliedReports {
  /** Reports that name no message of their project. */
  unknown: DeliveryReport[]
  /** Deliveries of messages that are being handed over at this moment: not applied, and to be reported again. */
  early: DeliveryReport[]
}

/**
 * Applies reports in the order in which they happened, even several about one message. Repeating one changes only the counters of hits,
 * so callers see to it that each is applied once.
 */
export async function applyReports(
  ctx: Context,
  reports: readonly DeliveryReport[],
): Promise<AppliedReports> {
  if (reports.length === 0) return { unknown: [], early: [] }
  return inTransaction(ctx, async tx => {
    const byMail = Map.groupBy(
      reports.map(report => fitToStore(report, tx.clock.now())),
      report => report.emailId,
    )
    const mails = await lockMails(tx, [...byMail.keys()])
    const own = new Map(mails.map(mail => [mail.id, mail.projectId]))
    const isKnown = (report: DeliveryReport): boolean => own.get(report.emailId) === report.projectId
    const reduced = mails.map(mail => reduceReports(mail, byMail.get(mail.id)!.filter(isKnown)))
    await write(tx, reduced)
    return {
      unknown: reports.filter(report => !isKnown(report)),
      early: reduced.flatMap(one => one.early),
    }
  })
}

/** The same for callers who can be asked to come again: 503 for a report that comes too early, with everything rolled back. */
export async function applyOrAskAgain(
  tx: Context,
  reports: readonly DeliveryReport[],
): Promise<AppliedReports> {
  const applied = await applyReports(tx, reports)
  if (applied.early.length > 0) throw unavailable('A message of the report is being handed over this moment')
  return applied
}

const maxDetailLength = 1_000
const maxLinkLength = 8_000

/** A clock that runs ahead must not make a report outrank everything that is still to come; the texts are untrusted. */
function fitToStore({ detail, link, ...report }: DeliveryReport, now: Date): DeliveryReport {
  return {
    ...report,
    at: report.at > now ? now : report.at,
    ...(detail === undefined ? {} : { detail: storable(detail.slice(0, maxDetailLength)) }),
    ...(link === undefined ? {} : { link: storable(link.slice(0, maxLinkLength)) }),
  }
}

async function write(tx: Context, reduced: readonly ReducedMail[]): Promise<void> {
  if (reduced.length === 0) return
  // Counts by day change in the same statement.
  await updateMails(tx, reduced)
  await callHook(tx, messagesReported, reduced)
  await recordProjectEvents(tx, reduced.flatMap(eventsOf))
  await stopMailing(tx, [
    ...reduced.flatMap(stopOf),
    ...(await wornOut(tx, reduced)),
    ...(await refusedOften(tx, reduced)),
  ])
  await noteRefusals(
    tx,
    reduced.flatMap(({ mail, refusedFor }) => (refusedFor ? [{ ...mail, words: refusedFor }] : [])),
  )
  await enqueueReviews(
    tx,
    reduced.filter(one => one.review).map(one => one.mail.projectId),
  )
}

/** Somebody who opens a message begins something new: the hops of workflows are counted from there. */
const decidedByPeople: ReadonlySet<string> = new Set(['email.open', 'email.click', 'email.complaint'])

function eventsOf({ mail, events }: ReducedMail): NewProjectEvent[] {
  const facts = emailFacts(mail)
  const { projectId, contactId, id: emailId, hops } = mail
  return events.map(({ name, data, isOfCopy }) => ({
    projectId,
    contactId: isOfCopy ? null : contactId,
    emailId,
    name,
    hops: decidedByPeople.has(name) ? null : hops,
    data: { ...facts, ...data },
  }))
}

function stopOf({ mail, stop, copyStops }: ReducedMail): MailingStop[] {
  const { projectId, contactId, toEmail, id: emailId, hops } = mail
  const stops = stop ? [...copyStops, { toEmail, ...stop }] : copyStops
  return stops.map(one => ({ projectId, contactId, emailId, hops, ...one }))
}

/** Addresses that have soft-bounced so often that they count as gone. */
async function wornOut(tx: Context, reduced: readonly ReducedMail[]): Promise<MailingStop[]> {
  const soft = reduced.flatMap(({ mail, softBounced }) => (softBounced ? [{ ...mail, ...softBounced }] : []))
  const found = await findWornOut(tx, soft)
  return found.map(({ projectId, contactId, toEmail, id: emailId, hops, detail }) => ({
    ...{ projectId, contactId, toEmail, emailId, hops, detail },
    ...{ reason: 'bounce' as const, suppress: true },
  }))
}

/** Addresses that have refused messages so often, and nobody says why, that they count as gone. */
async function refusedOften(tx: Context, reduced: readonly ReducedMail[]): Promise<MailingStop[]> {
  const refused = reduced.flatMap(({ mail, unexplained }) =>
    unexplained ? [{ ...mail, ...unexplained }] : [],
  )
  const found = await findRefusedOften(tx, refused)
  return found.map(({ projectId, contactId, toEmail, id: emailId, hops, detail }) => ({
    ...{ projectId, contactId, toEmail, emailId, hops, detail },
    ...{ reason: 'bounce' as const, suppress: true, isRepeated: true as const },
  }))
}
