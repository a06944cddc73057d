// The kinds of background work of letters. A job carries ids, never data: what it needs it reads when it runs.
import { chore, idArgument, job, sendingTimes } from '../../../platform/jobs/kind'

export const systemEmailKinds = {
  /**
   * Sends a mail of the platform itself. A temporary refusal is not a failure of the job: it comes back when the message's own retry plan
   * says.
   */
  mail: job('system.mail', 'transactional', { mailId: idArgument }, { maxAttempts: 50, ...sendingTimes }),
  /** Deletes old mails of the platform. */
  clean: job('system.clean', 'system', {}, chore),
}
