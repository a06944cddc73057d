// Background work of forms: the mails that ask for a confirmation, and the end of what nobody confirmed.
import { hour } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { formKinds } from './kinds'
import { mailRequest, pruneRequests, purgeRequests } from './service'

export const formJobs = [
  handle(formKinds.mail, (ctx, { requestId }, run) => mailRequest(ctx, run.projectId, requestId)),
  handle(formKinds.purge, (ctx, { formId }, run) => purgeRequests(ctx, run.projectId, formId, run.signal)),
  handle(formKinds.clean, (ctx, _, run) => pruneRequests(ctx, run.signal)),
]

export const formSchedules = [schedule(formKinds.clean, hour)]
