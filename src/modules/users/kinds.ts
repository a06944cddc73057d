// The kinds of background work of users. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { minute } from '../../lib/time'
import { chore, idArgument, job } from '../../platform/jobs/kind'

export const userKinds = {
  /** Sends a mail of the platform itself. A refusal for now is no failure: it comes back when the message's plan says. */
  mail: job(
    'system.mail',
    'transactional',
    { mailId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
  /** Forgets old mails of the platform, and links and invitations that are over. */
  clean: job('user.clean', 'system', {}, chore),
  /** Mails a link for a new password. Carries the address because there may be no account to name: the request must not look. */
  reset: job('user.reset', 'transactional', { email: Type.String({ maxLength: 320 }) }),
}
