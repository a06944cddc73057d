// The kinds of background work of templates. A job carries ids, never data: what it needs it reads when it runs.
import { idArgument, job } from '../../../platform/jobs/kind'

export const templateKinds = {
  /** Removes a deleted template from the messages that were sent with it. */
  forget: job('template.forget', 'system', { projectId: idArgument, templateId: idArgument }),
}
