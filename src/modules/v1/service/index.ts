// Use cases of the public endpoints.
import { batcher } from '../../../lib/batcher'
import { createTemplateCache } from '../../../liquid/cache'
import { TooCostly } from '../../../liquid/costly'
import type { Context } from '../../../platform/context'
import { isConnectionFault } from '../../../platform/db/errors'
import { perContext } from '../../../platform/per-context'
import type { AcceptedSend, SendBody, Submission } from '../model'
import { deleteExpiredKeys } from '../queries'
import { acceptSends } from './accept'
import { costlyLane } from './costly-lane'
import { makeIsolation } from './isolation'
import { type PreparedSend, prepareSend, prepareSubmission, type SendingProject, weightOf } from './prepare'

export { sendBatch } from './batch'
export { trackerOf } from './track'

export interface SendService {
  /** Resolves when the messages are durably accepted. */
  send(project: SendingProject, body: SendBody, key: string | undefined): Promise<AcceptedSend>
  /** The same for a message that comes finished. */
  submit(project: SendingProject, submission: Submission, key: string | undefined): Promise<AcceptedSend>
}

/** One for each process: requests that arrive together share a transaction. */
export const senderOf = perContext(makeSender)

function makeSender(ctx: Context): SendService {
  const cache = createTemplateCache()
  const apart = makeIsolation(ctx)
  const acceptBatch = async (sends: PreparedSend[]) => {
    try {
      return await acceptSends(ctx, cache, sends)
    } catch (error) {
      if (sends.length === 1) apart.learn(sends[0]!.projectId, error)
      throw error
    }
  }
  const together = (slots: number) =>
    batcher<PreparedSend, AcceptedSend>(acceptBatch, {
      maxItems: 50,
      slots,
      // Transactions have a price of their own, of which a send's share is small where a dozen go together.
      crowd: 12,
      maxWeight: 200,
      // A commit whose answer was lost may have happened; performing it again would send twice.
      mayRepeat: error => !isConnectionFault(error),
    })
  const accept = together(3)
  const acceptApart = together(1)
  const acceptCostly = costlyLane(ctx, cache)
  const acceptPrepared = async (prepared: PreparedSend): Promise<AcceptedSend> => {
    try {
      const collect = apart.has(prepared.projectId) ? acceptApart : accept
      return await collect(prepared, weightOf(prepared))
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      return await acceptCostly(prepared)
    }
  }
  return {
    send: async (project, body, key) => await acceptPrepared(await prepareSend(ctx, { project, body, key })),
    submit: async (project, submission, key) =>
      await acceptPrepared(await prepareSubmission(ctx, { project, submission, key })),
  }
}

/** Deletes expired idempotency keys, a batch at a time. */
export async function pruneIdempotencyKeys(ctx: Context, signal?: AbortSignal): Promise<number> {
  const batch = 5_000
  let total = 0
  while (!signal?.aborted) {
    const deleted = await deleteExpiredKeys(ctx, batch)
    total += deleted
    if (deleted < batch) break
  }
  return total
}
