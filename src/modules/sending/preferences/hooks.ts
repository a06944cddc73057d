// The hooks of preferences: what the pages tell the modules above.
import { defineHook } from '../../../platform/hooks'

/** An opt-out that came from a message of ours. */
export interface OptOut {
  projectId: string
  contactId: string
  emailId: string
  /** The topic that was left; undefined where it was everything. */
  topicId?: string
}

/** Called in the transaction of the change, after its event. */
export const optedOut = defineHook<OptOut>('opted out')
