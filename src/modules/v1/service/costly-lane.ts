// Sends whose messages take their time to render: each in a transaction of its own, which holds only what is its own, few at a time, and
// those of one project one after the other.

import { tooMany } from '../../../lib/errors'
import { oneForEach, semaphore } from '../../../lib/semaphore'
import type { TemplateCache } from '../../../liquid/cache'
import type { Context } from '../../../platform/context'
import { rememberUnrenderable, renderPatiently } from '../../templates'
import type { SendResult } from '../model'
import { acceptSends } from './accept'
import type { PreparedSend } from './prepare'

/** Each holds a connection to the database while it renders. */
const mostAtOnce = 2
/** Of one project: more have to come back later. */
const mostWaiting = 20

export function costlyLane(ctx: Context, cache: TemplateCache): (send: PreparedSend) => Promise<SendResult> {
  const inTurn = oneForEach<string>()
  const lane = semaphore(mostAtOnce)
  const waiting = new Map<string, number>()

  const acceptOne = async (send: PreparedSend): Promise<SendResult> => {
    try {
      const [settled] = await acceptSends(ctx, cache, [send], renderPatiently)
      if ('error' in settled!) throw settled.error
      return settled!.value
    } catch (error) {
      // Here, because its transaction has left no trace.
      await rememberUnrenderable(ctx, error)
      throw error
    }
  }
  return async send => {
    const { projectId } = send
    const before = waiting.get(projectId) ?? 0
    if (before >= mostWaiting)
      throw tooMany('Too many messages of this project that are costly to render wait already', 5)
    waiting.set(projectId, before + 1)
    try {
      return await inTurn(projectId, () => lane(() => acceptOne(send)))
    } finally {
      const left = waiting.get(projectId)! - 1
      if (left === 0) waiting.delete(projectId)
      else waiting.set(projectId, left)
    }
  }
}
