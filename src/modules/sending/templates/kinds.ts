// The kinds of background work of templates. A job carries ids, never data: what it needs it reads when it runs.
import { idArgument, job } from '../../../platform/jobs/kind'

export const templateKinds = {
  /** Removes a deleted template from the messages that were sent with it. */
  detach: job(
    'template.detach',
    'system',
    { projectId: idArgument, templateId: idArgument },
    { formerly: 'template.forget' },
  ),
}
