// Background work of templates: removing a deleted one from the messages that were sent with it.

import { handle } from '../../../platform/jobs/kind'
import { templateKinds } from './kinds'
import { detachTemplate } from './service'

export const templateJobs = [
  handle(templateKinds.detach, (ctx, { projectId, templateId }, run) =>
    detachTemplate(ctx, projectId, templateId, run.signal),
  ),
]
