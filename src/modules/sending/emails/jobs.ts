// Background work of the email log: rolling up the counts of messages, emptying old messages, and waking what was put off.

import { hour, second } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { emailKinds } from './kinds'
import { clearOldBodies, emptyErased, hasUncountedEmails, resumeDeferred, rollUpEmailCounts } from './service'

export const emailJobs = [
  handle(emailKinds.clearBodies, (job, _, run) => clearOldBodies(job, run.signal)),
  handle(emailKinds.erase, (job, _, run) => emptyErased(job, run.projectId, run)),
  handle(emailKinds.resumeDeferred, job => resumeDeferred(job)),
  handle(emailKinds.rollUp, (job, _, run) => rollUpEmailCounts(job, run.signal)),
]

export const emailSchedules = [
  schedule(emailKinds.rollUp, 10 * second, hasUncountedEmails),
  schedule(emailKinds.clearBodies, hour),
]
