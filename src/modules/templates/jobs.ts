// Background work of templates: taking a deleted one off the messages that it was sent with.

import { handle } from '../../platform/jobs/handlers'
import { templateKinds } from './kinds'
import { detachTemplate } from './service'

export const templateJobs = [
  handle(templateKinds.forget, (ctx, { projectId, templateId }, run) =>
    detachTemplate(ctx, projectId, templateId, run.signal),
  ),
]
