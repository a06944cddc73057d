// Background work of letters: sending them, and deleting old ones.
import { hour } from '../../lib/time'
import { handle } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { letterKinds } from './kinds'
import { deliverSystemMail, pruneOutbox, pruneSystemMails } from './service'

export const letterJobs = [
  handle(letterKinds.mail, (ctx, { mailId }) => deliverSystemMail(ctx, mailId)),
  handle(letterKinds.clean, async (ctx, _, run) => {
    await pruneSystemMails(ctx, run.signal)
    await pruneOutbox(ctx, run.signal)
  }),
]

export const letterSchedules = [schedule(letterKinds.clean, { everyMs: hour }, {})]
