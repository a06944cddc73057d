// What the pages of preferences tell the modules above.
import { defineHook } from '../../platform/hooks'

/** An opt-out that a message of ours gave rise to. */
export interface OptOut {
  projectId: string
  contactId: string
  emailId: string
}

/** Told in the transaction of the change, after its event. */
export const optedOut = defineHook<OptOut>('opted out')
