// The kinds of background work of webhooks. A job carries ids, never data: what it needs it reads when it runs.
import { minute } from '../../../lib/time'
import { chore, idArgument, job, projectJob } from '../../../platform/jobs/kind'

export const webhookKinds = {
  /** Delivers one event to an endpoint. A temporary refusal is not a failure of the job: it comes back when the next attempt is due. */
  deliver: projectJob(
    'webhook.deliver',
    'workflow',
    { deliveryId: idArgument },
    { maxAttempts: 20, timeLimitMs: 2 * minute, slotShare: 0.25 },
  ),
  /** Deletes deliveries about a contact that was erased. */
  eraseContact: projectJob(
    'webhook.eraseContact',
    'system',
    { contactId: idArgument },
    { timeLimitMs: 30 * minute, formerly: 'webhook.forget' },
  ),
  /** Deletes deliveries that are past their retention. */
  clean: job('webhook.clean', 'system', {}, chore),
}
