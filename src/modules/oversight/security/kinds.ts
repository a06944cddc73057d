// The kinds of background work of security. A job carries ids, never data: what it needs it reads when it runs.
import { minute } from '../../../lib/time'
import { idArgument, job } from '../../../platform/jobs/kind'

export const securityKinds = {
  /** Ends what a suspended project still has in its queues. */
  stopSending: job(
    'project.stopSending',
    'system',
    { projectId: idArgument },
    { timeLimitMs: 30 * minute, formerly: 'project.halt' },
  ),
}
