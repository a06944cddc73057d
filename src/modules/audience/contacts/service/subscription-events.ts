// The event of a changed subscription state. It is recorded in the transaction that changed the state, once for each change.

import type { Context } from '../../../../platform/context'
import { recordProjectEvents, subscriptionEvent } from '../../events'
import { byProgram } from '../consent'
import type { PlacedOrigin } from '../queries'
import type { ConsentOrigin } from '../schema'

export interface SubscriptionChange {
  id: string
  projectId: string
  /** The new state. */
  subscribed: boolean
}

/** Why the state changed, and which e-mail's link or report changed it. */
export interface ChangeCause {
  data?: Record<string, unknown>
  emailId?: string
  /** Where a workflow is the cause; as events have them. */
  hops?: number | null
  /** For the ledger of consent. */
  origin?: ConsentOrigin
}

/** One cause for all, or a function that gives it for each. */
export type ChangeCauses = ChangeCause | ((change: SubscriptionChange) => ChangeCause)

/** A cause as the ledger has it. */
export function originOf({ origin = byProgram, emailId }: ChangeCause): PlacedOrigin {
  return { ...origin, emailId }
}

export async function recordSubscriptionChanges(
  ctx: Context,
  changes: readonly SubscriptionChange[],
  causes: ChangeCauses = {},
): Promise<void> {
  await recordProjectEvents(
    ctx,
    changes.map(change => {
      // Documented as an empty object where there is nothing to say.
      const { emailId, hops, data = {} } = typeof causes === 'function' ? causes(change) : causes
      const name = subscriptionEvent(change.subscribed)
      return { projectId: change.projectId, name, contactId: change.id, emailId, hops, data }
    }),
  )
}
