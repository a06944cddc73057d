// The kinds of background work of forms. A job carries ids, never data: what it needs it reads when it runs.
import { chore, idArgument, job, projectJob } from '../../../platform/jobs/kind'

export const formKinds = {
  /** Sends the mail that asks for the confirmation of a request. */
  mail: projectJob('form.mail', 'transactional', { requestId: idArgument }),
  /** Deletes what was sent by a form that is gone. */
  purge: projectJob('form.purge', 'system', { formId: idArgument }),
  /** Deletes requests that nobody confirmed in time, and those that are done. */
  clean: job('form.clean', 'system', {}, chore),
}
