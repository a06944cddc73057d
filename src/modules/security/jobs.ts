// Background work of a project's standing: judging it, and ending what a suspended one left.
import type { JobHandlers } from '../../platform/jobs/handlers'
import { haltProject, reviewProject } from './service'

export const securityJobs = {
  'project.review': (ctx, { projectId }) => reviewProject(ctx, projectId),
  'project.halt': (ctx, { projectId }, run) => haltProject(ctx, projectId, run.signal),
} satisfies JobHandlers
