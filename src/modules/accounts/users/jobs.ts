// Background work of accounts: links for new passwords, and deleting what is over.

import { hour } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { userKinds } from './kinds'
import { mailReset, pruneAccountTokens, pruneEndedSessions, pruneEnrolments, pruneSessions } from './service'

export const userJobs = [
  handle(userKinds.clean, async (ctx, _, run) => {
    await pruneAccountTokens(ctx, run.signal)
    await pruneEnrolments(ctx)
    await pruneSessions(ctx, run.signal)
    await pruneEndedSessions(ctx, run.signal)
  }),
  handle(userKinds.reset, (ctx, { email }) => mailReset(ctx, email)),
]

export const userSchedules = [schedule(userKinds.clean, hour)]
