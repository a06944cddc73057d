// The event of a changed subscription state. It is recorded in the transaction that changed the state, once for each change.

import type { Context } from '../../../platform/context'
import { recordProjectEvents, subscriptionEvent } from '../../events'

export interface Flip {
  id: string
  projectId: string
  /** The new state. */
  subscribed: boolean
}

/** Why the state changed, and which e-mail's link or report changed it. */
export interface FlipCause {
  data?: Record<string, unknown>
  emailId?: string
  /** Where a workflow is the cause; as events have them. */
  hops?: number | null
}

/** One cause for all, or what tells it for each. */
export type FlipCauses = FlipCause | ((flip: Flip) => FlipCause)

export async function recordFlips(
  ctx: Context,
  flips: readonly Flip[],
  causes: FlipCauses = {},
): Promise<void> {
  await recordProjectEvents(
    ctx,
    flips.map(flip => {
      // Documented as an empty object where there is nothing to say.
      const { emailId, hops, data = {} } = typeof causes === 'function' ? causes(flip) : causes
      const name = subscriptionEvent(flip.subscribed)
      return { projectId: flip.projectId, name, contactId: flip.id, emailId, hops, data }
    }),
  )
}
