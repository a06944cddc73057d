// Every kind of background work, one line each: the table of contents of what this program does when nobody is looking.
// A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { minute, second } from '../../lib/time'
import { type ArgsOf, idArgument, job } from './definition'

/** Waits of system chores, which the next tick repeats anyway. */
const shortly = [5 * second, 30 * second]

/** The place of runs that gather in a transaction: the more there are at once, the less each of them costs. */
const shared = 1 / 16

/** The place of runs that do nothing but wait for somebody else's answer. */
const waiting = 1 / 16

/** Of reports of usage: ten tries in about five hours, and those again until one arrives. */
const forHours = [5, 30, 120, 600, 1_800, 3_600].map(seconds => seconds * second)

export const catalogue = {
  /** Cancels a subscription at the payment provider. */
  'billing.cancel': job('system', { subscription: Type.String({ maxLength: 255 }) }, { maxAttempts: 30 }),
  /** Forgets reports of usage and receipts of long ago. */
  'billing.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Puts what subscribers have used into reports, and takes up those that did not arrive. */
  'billing.meter': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Gives a customer at the payment provider the name of its project. */
  'billing.name': job('system', { projectId: idArgument }),
  /** Tells the payment provider one report. */
  'billing.report': job('system', { reportId: idArgument }, { maxAttempts: 10, backoffMs: forHours }),
  /** Tells members of projects that are near a limit of billing. */
  'billing.warn': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Closes the recipients that a cancelled campaign leaves open. */
  'campaign.close': job('system', { projectId: idArgument, campaignId: idArgument }),
  /** Writes the recipients of a campaign down, a page at a time. */
  'campaign.expand': job(
    'bulk',
    { projectId: idArgument, campaignId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** Adds up the appended changes of campaign counts. */
  'campaign.fold': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Goes on queueing again whom a campaign did not reach, behind a contact; `until` is when that was asked for, in ISO 8601. */
  'campaign.retry': job('system', {
    campaignId: idArgument,
    after: idArgument,
    until: Type.String({ maxLength: 30 }),
  }),
  /** Sends a slice of a campaign, and comes back until none of its recipients is open. */
  'campaign.send': job('bulk', { sliceId: idArgument }, { maxAttempts: 50, timeLimitMs: 10 * minute }),
  /** Starts the campaigns whose time has come. */
  'campaign.sweep': job('system', {}, { maxAttempts: 3, backoffMs: shortly, startsSending: true }),
  /** Subscribes, unsubscribes or deletes contacts by id; its own record holds what is left to do. */
  'contact.bulk': job('system', { bulkId: idArgument }),
  /** Forgets imports and bulk jobs of long ago, and ends those that were given up. */
  'contact.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Finishes the deletion of a custom field where the request could not. */
  'contact.clearField': job(
    'system',
    { field: Type.String({ maxLength: 255 }), until: idArgument },
    { timeLimitMs: 30 * minute },
  ),
  /** Adds up the appended changes of contact and field counts. */
  'contact.fold': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Imports a CSV file; its own record holds the file and the position in it. */
  'contact.import': job('system', { importId: idArgument }, { timeLimitMs: 30 * minute }),
  /** Deletes what belonged to contacts that are gone. */
  'contact.purge': job('system', { contactIds: Type.Array(idArgument, { maxItems: 1_000 }) }),
  /** Subscribes contacts whose snooze is over. */
  'contact.wake': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Sends one e-mail. A refusal for now is no failure of the job: it comes back when the message's own plan says. */
  'email.deliver': job(
    'transactional',
    { emailId: idArgument, projectId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** The same for a marketing mail of a workflow, which lets transactional mail go first. */
  'email.follow': job(
    'workflow',
    { emailId: idArgument, projectId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** Empties messages that are older than bodies are kept. */
  'email.empty': job('system', {}, { maxAttempts: 3, backoffMs: shortly, timeLimitMs: 30 * minute }),
  /** Adds up the appended changes of the counts of messages. */
  'email.fold': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Asks the DNS about a page of domains, and enqueues itself for the next page. */
  'domain.check': job('system', { after: Type.Optional(idArgument) }, { maxAttempts: 3, backoffMs: shortly }),
  /** Takes a domain that nobody claims any more off the provider's register. */
  'domain.release': job('system', { domain: Type.String({ maxLength: 253 }) }),
  /** Drops pending claims of domains that are too old. */
  'domain.sweep': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Goes on deleting the events of a name; the times of the first and the last one are in ISO 8601. */
  'event.delete': job('system', {
    name: Type.String({ maxLength: 255 }),
    from: Type.String({ maxLength: 30 }),
    until: Type.String({ maxLength: 30 }),
  }),
  /** Adds up the appended changes of event counts. */
  'event.fold': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Forgets values that were sent for one event alone and have waited long enough. */
  'event.forget': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Hands an event to the workflows that start with it or wait for it. */
  'event.route': job('workflow', { eventId: idArgument }, { place: shared }),
  /** Forgets receipts of notifications whose time is over. */
  'feedback.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Forgets idempotency keys that have expired. */
  'idempotency.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Deletes finished jobs that were kept for a while. */
  'jobs.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Sends a mail of the platform itself. A refusal for now is no failure: it comes back when the message's plan says. */
  'system.mail': job('transactional', { mailId: idArgument }, { maxAttempts: 50, timeLimitMs: 10 * minute }),
  /** Ends what a suspended project still has in its queues. */
  'project.halt': job('system', { projectId: idArgument }, { timeLimitMs: 30 * minute }),
  /** Judges a project by its bounces and complaints, and suspends it where they are too many. */
  'project.review': job('system', { projectId: idArgument }),
  /** Queues the clearing of closed projects whose job was given up. */
  'project.mend': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Clears a project that is reset or deleted, and comes back until nothing is left. */
  'project.wipe': job('system', { projectId: idArgument }, { maxAttempts: 50, timeLimitMs: 10 * minute }),
  /** Takes a deleted template off the messages that were sent with it. */
  'template.forget': job('system', { projectId: idArgument, templateId: idArgument }),
  /** Computes a tracked segment, or counts another. */
  'segment.compute': job('system', { segmentId: idArgument }, { maxAttempts: 3, backoffMs: shortly }),
  /** Deletes the members of a segment that is gone. */
  'segment.purge': job('system', { segmentId: idArgument }),
  /** Enqueues the work of a page of segments, and itself for the next page. */
  'segment.sweep': job(
    'system',
    { after: Type.Optional(idArgument) },
    { maxAttempts: 3, backoffMs: shortly },
  ),
  /** Forgets old mails of the platform, and links and invitations that are over. */
  'user.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Mails a link for a new password. Carries the address because there may be no account to name: the request must not look. */
  'user.reset': job('transactional', { email: Type.String({ maxLength: 320 }) }),
  /** Judges the hits on tracked messages that have been quiet for a moment. */
  'tracking.judge': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Moves an execution on that was started or resumed, or whose time has come; for that very version of it. */
  'workflow.advance': job(
    'workflow',
    { executionId: idArgument, version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
    { place: shared },
  ),
  /** Goes on cancelling the executions of a workflow. */
  'workflow.cancel': job('system', { workflowId: idArgument }),
  /** Adds up the appended changes of the counts of executions. */
  'workflow.fold': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Enqueues again the ticks of schedules whose job was lost. */
  'workflow.mend': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Deletes what the executions of a deleted workflow left. */
  'workflow.purge': job('system', { workflowId: idArgument }, { timeLimitMs: 30 * minute }),
  /** Starts a workflow for the contacts behind `after` that a tick of its schedule means. */
  'workflow.sweep': job('workflow', {
    workflowId: idArgument,
    at: Type.String({ maxLength: 30 }),
    after: idArgument,
  }),
  /** A tick of a workflow's schedule. */
  'workflow.tick': job('workflow', { workflowId: idArgument, at: Type.String({ maxLength: 30 }) }),
  /** Ends the listening of versions of workflows that nothing runs on, and forgets counts of nothing. */
  'workflow.tidy': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Makes one try of a webhook call; the call's own record says when the next one is due. */
  'workflow.webhook': job(
    'workflow',
    { callId: idArgument },
    { maxAttempts: 50, timeLimitMs: 2 * minute, place: waiting },
  ),
} as const

export type Catalogue = typeof catalogue
export type JobKind = keyof Catalogue
export type JobArgs<K extends JobKind> = ArgsOf<Catalogue[K]>
