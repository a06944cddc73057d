// The kinds of background work of emails. A job carries ids, never data: what it needs it reads when it runs.
import { minute } from '../../../lib/time'
import { chore, idArgument, job, projectJob, sendingTimes } from '../../../platform/jobs/kind'

/**
 * Handled by `delivery`, `emails` and `security`, and declared here, because `emails` queues them. Those that name the project among their
 * arguments are older than `projectJob`: jobs that earlier releases queued have it there.
 */
export const emailKinds = {
  /** Sends one e-mail. A temporary refusal is not a failure of the job: it comes back when the message's own retry plan says. */
  deliver: job(
    'email.deliver',
    'transactional',
    { emailId: idArgument, projectId: idArgument },
    { maxAttempts: 50, ...sendingTimes },
  ),
  /** The same for a marketing mail of a workflow, which lets transactional mail go first. */
  deliverWorkflow: job(
    'email.deliverWorkflow',
    'workflow',
    { emailId: idArgument, projectId: idArgument },
    { maxAttempts: 50, ...sendingTimes, formerly: 'email.follow' },
  ),
  /** Retries copies that the other side deferred, once the message itself has left. */
  copies: job(
    'email.copies',
    'transactional',
    { emailId: idArgument, projectId: idArgument },
    { maxAttempts: 50, ...sendingTimes },
  ),
  /** Wakes what was put off while the transport failed, a portion at a time. */
  resumeDeferred: job('email.resumeDeferred', 'system', {}, { ...chore, formerly: 'email.wake' }),
  /** Deletes the places under caps that count no more. */
  pruneBookings: job('email.pruneBookings', 'system', {}, { ...chore, formerly: 'email.unbook' }),
  /** Empties messages that are past the retention of bodies. */
  clearBodies: job(
    'email.clearBodies',
    'system',
    {},
    { ...chore, timeLimitMs: 30 * minute, formerly: 'email.empty' },
  ),
  /** Empties the messages that went to addresses which were erased. */
  erase: projectJob('email.erase', 'system', {}, { timeLimitMs: 30 * minute }),
  /** Rolls up the counts of messages. */
  rollUp: job('email.rollUp', 'system', {}, { ...chore, formerly: 'email.fold' }),
  /** Judges a project by its bounces and complaints, and suspends it where they are too many. */
  review: job('project.review', 'system', { projectId: idArgument }),
}
