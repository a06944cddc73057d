// Background work of accounts: mails of the platform, and forgetting what is over.
import { hour } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { deliverSystemMail, forgetSystemMails } from './service'

export const userJobs = {
  'system.mail': (ctx, { mailId }) => deliverSystemMail(ctx, mailId),
  'user.clean': async (ctx, _, run) => ({ mails: await forgetSystemMails(ctx, run.signal) }),
} satisfies JobHandlers

export const userSchedules = [schedule('user.clean', { everyMs: hour }, {})]
