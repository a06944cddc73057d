// Sends whose messages take their time to render: each in a transaction of its own, which holds only what is its own, few at a time, and
// those of one project one after the other.

import { tooMany } from '../../../lib/errors'
import { boundedTurns } from '../../../lib/semaphore'
import type { TemplateCache } from '../../../liquid/cache'
import type { Context } from '../../../platform/context'
import { rememberUnrenderable, renderOnRequest } from '../../templates'
import type { AcceptedSend } from '../model'
import { acceptSends } from './accept'
import type { PreparedSend } from './prepare'

/** Each holds a connection to the database while it renders. */
const maxAtOnce = 2
/** Of one project: more have to come back later. */
const maxWaiting = 20

export function costlyLane(
  ctx: Context,
  cache: TemplateCache,
): (send: PreparedSend) => Promise<AcceptedSend> {
  const inTurn = boundedTurns<string>({
    places: maxAtOnce,
    maxPerKey: maxWaiting,
    full: () => tooMany('Too many messages of this project that are costly to render wait already', 5),
  })
  const acceptOne = async (send: PreparedSend): Promise<AcceptedSend> => {
    try {
      const [settled] = await acceptSends(ctx, cache, [send], renderOnRequest)
      if ('error' in settled!) throw settled.error
      return settled!.value
    } catch (error) {
      // Here, because its transaction has left no trace.
      await rememberUnrenderable(ctx, error)
      throw error
    }
  }
  return send => inTurn(send.projectId, () => acceptOne(send))
}
