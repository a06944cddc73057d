// Every kind of background work, one line each: the table of contents of what this program does when nobody is looking.
// A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { minute, second } from '../../lib/time'
import { type ArgsOf, idArgument, job } from './definition'

/** Waits of system chores, which the next tick repeats anyway. */
const shortly = [5 * second, 30 * second]

export const catalogue = {
  /** Adds up the appended changes of contact and field counts. */
  'contact.fold': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Deletes what belonged to contacts that are gone. */
  'contact.purge': job('system', { contactIds: Type.Array(idArgument, { maxItems: 1_000 }) }),
  /** Sends one e-mail. A refusal for now is no failure of the job: it comes back when the message's own plan says. */
  'email.deliver': job(
    'transactional',
    { emailId: idArgument, projectId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** Asks the DNS about a page of domains, and enqueues itself for the next page. */
  'domain.check': job('system', { after: Type.Optional(idArgument) }, { maxAttempts: 3, backoffMs: shortly }),
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
  'event.route': job('workflow', { eventId: idArgument }),
  /** Forgets idempotency keys that have expired. */
  'idempotency.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
  /** Deletes finished jobs that were kept for a while. */
  'jobs.clean': job('system', {}, { maxAttempts: 3, backoffMs: shortly }),
} as const

export type Catalogue = typeof catalogue
export type JobKind = keyof Catalogue
export type JobArgs<K extends JobKind> = ArgsOf<Catalogue[K]>
