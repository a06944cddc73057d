// The kinds of background work of users. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { chore, job } from '../../../platform/jobs/kind'

export const userKinds = {
  /** Deletes links and sessions that are over, and second factors that were never confirmed. */
  clean: job('user.clean', 'system', {}, chore),
  /** Mails a link for a new password. Carries the address because there may be no account to name: the request must not find out. */
  reset: job('user.reset', 'transactional', { email: Type.String({ maxLength: 320 }) }),
}
