// Background work of letters: sending them, and deleting old ones.
import { hour } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { systemEmailKinds } from './kinds'
import { deliverSystemMail, pruneOutbox, pruneSystemMails } from './service'

export const systemEmailJobs = [
  handle(systemEmailKinds.mail, (ctx, { mailId }, run) => deliverSystemMail(ctx, mailId, run.signal)),
  handle(systemEmailKinds.clean, async (ctx, _, run) => {
    await pruneSystemMails(ctx, run.signal)
    await pruneOutbox(ctx, run.signal)
  }),
]

export const systemEmailSchedules = [schedule(systemEmailKinds.clean, hour)]
