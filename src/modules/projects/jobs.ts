// Background work of projects: clearing those that are reset or deleted.
import { minute, second } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { Snooze } from '../../platform/jobs/outcome'
import { schedule } from '../../platform/jobs/schedule'
import { mendClosedProjects, wipeProject } from './service'

export const projectJobs = {
  'project.mend': ctx => mendClosedProjects(ctx),
  'project.wipe': async (ctx, { projectId }, run) => {
    if ((await wipeProject(ctx, projectId, run)) === 'later') throw new Snooze(2 * second)
  },
} satisfies JobHandlers

export const projectSchedules = [schedule('project.mend', { everyMs: 5 * minute }, {})]
