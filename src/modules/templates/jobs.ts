// Background work of templates: taking a deleted one off the messages that it was sent with.
import type { JobHandlers } from '../../platform/jobs/handlers'
import { forgetTemplate } from './service'

export const templateJobs = {
  'template.forget': (ctx, { projectId, templateId }, run) =>
    forgetTemplate(ctx, projectId, templateId, run.signal),
} satisfies JobHandlers
