// Background work on a project's standing: reviewing it, and ending what a suspended one left.

import { handle } from '../../../platform/jobs/kind'
import { emailKinds } from '../../sending/emails'
import { securityKinds } from './kinds'
import { reviewProject, stopSuspendedProject } from './service'

export const securityJobs = [
  handle(emailKinds.review, (ctx, { projectId }) => reviewProject(ctx, projectId)),
  handle(securityKinds.stopSending, (ctx, { projectId }, run) =>
    stopSuspendedProject(ctx, projectId, run.signal),
  ),
]
