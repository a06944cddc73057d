// Background work of accounts: mails of the platform, and forgetting what is over.

import { hour } from '../../lib/time'
import { handle } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { forgetInvitations } from '../projects/service'
import { userKinds } from './kinds'
import { deliverSystemMail, forgetEndedSessions, forgetLinks, forgetSystemMails, mailReset } from './service'

export const userJobs = [
  handle(userKinds.mail, (ctx, { mailId }) => deliverSystemMail(ctx, mailId)),
  handle(userKinds.clean, async (ctx, _, run) => {
    await forgetSystemMails(ctx, run.signal)
    await forgetLinks(ctx, run.signal)
    await forgetEndedSessions(ctx, run.signal)
    await forgetInvitations(ctx)
  }),
  handle(userKinds.reset, (ctx, { email }) => mailReset(ctx, email)),
]

export const userSchedules = [schedule(userKinds.clean, { everyMs: hour }, {})]
