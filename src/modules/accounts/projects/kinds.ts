// The kinds of background work of projects. A job carries ids, never data: what it needs it reads when it runs.
import { minute } from '../../../lib/time'
import { chore, idArgument, job } from '../../../platform/jobs/kind'

export const projectKinds = {
  /** Queues the clearing of closed projects whose job was given up. */
  resumeWipe: job('project.resumeWipe', 'system', {}, { ...chore, formerly: 'project.mend' }),
  /** Deletes invitations, and keys of replaced pairs, that have expired. */
  clean: job('project.clean', 'system', {}, chore),
  /** Clears a project that is reset or deleted, and comes back until nothing is left. */
  wipe: job(
    'project.wipe',
    'system',
    { projectId: idArgument },
    { maxAttempts: 50, timeLimitMs: 10 * minute },
  ),
}
