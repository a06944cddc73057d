// Background work of projects: clearing those that are reset or deleted, and deleting invitations and keys that have expired.

import { hour, minute, second } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { Snooze } from '../../../platform/jobs/outcome'
import { schedule } from '../../../platform/jobs/schedule'
import { projectKinds } from './kinds'
import { pruneFormerPairs, pruneInvitations, requeueWipes, wipeProject } from './service'

export const projectJobs = [
  handle(projectKinds.resumeWipe, ctx => requeueWipes(ctx)),
  handle(projectKinds.clean, async ctx => {
    await pruneInvitations(ctx)
    await pruneFormerPairs(ctx)
  }),
  handle(projectKinds.wipe, async (ctx, { projectId }, run) => {
    if ((await wipeProject(ctx, projectId, run)) === 'later') throw new Snooze(2 * second)
  }),
]

export const projectSchedules = [
  schedule(projectKinds.resumeWipe, 5 * minute),
  schedule(projectKinds.clean, hour),
]
