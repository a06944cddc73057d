// Background work of accounts: mails of the platform, and forgetting what is over.
import { hour } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { forgetInvitations } from '../projects/service'
import { deliverSystemMail, forgetEndedSessions, forgetLinks, forgetSystemMails, mailReset } from './service'

export const userJobs = {
  'system.mail': (ctx, { mailId }) => deliverSystemMail(ctx, mailId),
  'user.clean': async (ctx, _, run) => ({
    mails: await forgetSystemMails(ctx, run.signal),
    links: await forgetLinks(ctx, run.signal),
    sessions: await forgetEndedSessions(ctx, run.signal),
    invitations: await forgetInvitations(ctx),
  }),
  'user.reset': (ctx, { email }) => mailReset(ctx, email),
} satisfies JobHandlers

export const userSchedules = [schedule('user.clean', { everyMs: hour }, {})]
