// The event of a changed subscription state. It is recorded in the transaction that changed the state, once for each change.
import type { Context } from '../../../platform/context'
import { subscriptionEvent } from '../../events/names'
import { recordProjectEvents } from '../../events/service'

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
}

export async function recordFlips(
  ctx: Context,
  flips: readonly Flip[],
  cause: FlipCause = {},
): Promise<void> {
  await recordProjectEvents(
    ctx,
    flips.map(flip => ({
      projectId: flip.projectId,
      name: subscriptionEvent(flip.subscribed),
      contactId: flip.id,
      emailId: cause.emailId,
      data: cause.data,
    })),
  )
}
