// The kinds of background work of letters. A job carries ids, never data: what it needs it reads when it runs.
import { minute } from '../../../lib/time'
import { chore, idArgument, job } from '../../../platform/jobs/kind'

export const systemEmailKinds = {
  /**
   * Sends a mail of the platform itself. A temporary refusal is not a failure of the job: it comes back when the message's own retry plan
   * says.
   */
  mail: job(
    'system.mail',
    'transactional',
    { mailId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** Deletes old mails of the platform. */
  clean: job('system.clean', 'system', {}, chore),
}
