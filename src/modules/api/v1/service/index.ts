// Use cases of the public endpoints.
import { inBatches } from '../../../../lib/batches'
import { queuePerKey } from '../../../../lib/semaphore'
import { createTemplateCache } from '../../../../liquid/cache'
import { TooCostly } from '../../../../liquid/costly'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import type { AcceptedSend, SendBody, Submission } from '../model/bodies'
import { deleteExpiredKeys } from '../queries'
import { acceptSends, draft } from './accept'
import { costlyQueue } from './costly-queue'
import { isLarge, type PreparedSend, prepareSend, prepareSubmission, type SendingProject } from './prepare'
import { shareTransactions } from './sharing'
import { storedAhead } from './stored-ahead'

export { sendBatch } from './batch'
export { trackerOf } from './track'

export interface SendService {
  /** Resolves when the messages are durably accepted. */
  send(project: SendingProject, body: SendBody, key: string | undefined): Promise<AcceptedSend>
  /** The same for a message that comes finished. */
  submit(project: SendingProject, submission: Submission, key: string | undefined): Promise<AcceptedSend>
}

/** One for each process: requests that arrive together share a transaction. */
export const sendServiceOf = perContext(makeSender)

function makeSender(ctx: Context): SendService {
  const cache = createTemplateCache()
  const work = (sends: PreparedSend[], isShared: boolean) =>
    acceptSends(
      ctx,
      cache,
      sends.map(send => draft(ctx, send)),
      { isShared },
    )
  // Transactions have a cost of their own, of which a send's share is small if a dozen share one.
  const accept = shareTransactions<PreparedSend, AcceptedSend>(ctx, { work, size: 16 })
  const inTurn = queuePerKey<string>()
  const acceptLarge = async (send: PreparedSend): Promise<AcceptedSend> => {
    const [settled] = await inTurn(send.projectId, () => work([send], false))
    if ('error' in settled!) throw settled.error
    return settled!.value
  }
  const acceptCostly = costlyQueue(ctx, cache)
  const acceptPrepared = async (prepared: PreparedSend): Promise<AcceptedSend> => {
    try {
      return await (isLarge(prepared) ? acceptLarge(prepared) : accept(prepared))
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      return await acceptCostly(prepared, error.job)
    }
  }
  return {
    send: async (project, body, key) => await acceptPrepared(await prepareSend(ctx, { project, body, key })),
    submit: async (project, submission, key) =>
      await storedAhead(ctx, await prepareSubmission(ctx, { project, submission, key }), acceptPrepared),
  }
}

/** Deletes expired idempotency keys, a batch at a time. */
export async function pruneIdempotencyKeys(ctx: Context, signal?: AbortSignal): Promise<number> {
  const batch = 5_000
  return await inBatches(batch, limit => deleteExpiredKeys(ctx, limit), signal)
}
