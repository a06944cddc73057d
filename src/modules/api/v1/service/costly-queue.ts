// Sends whose messages are costly to render: each in a transaction of its own, which is begun again when all of it is rendered; few at a
// time, and those of one project one after another.
import { tooMany } from '../../../../lib/errors'
import type { TemplateCache } from '../../../../liquid/cache'
import type { RenderJob } from '../../../../liquid/costly'
import type { Context } from '../../../../platform/context'
import { longWorkQueue } from '../../../../platform/requests'
import { requestRenderings } from '../../../sending/templates'
import type { AcceptedSend } from '../model/bodies'
import { acceptSends, draft } from './accept'
import { renderBudget, Unfinished } from './messages'
import type { PreparedSend } from './prepare'

/** Each takes a thread to render. */
const maxAtOnce = 2
/** Of one project: more have to come back later. */
const maxWaiting = 20

/** `job`: the first thing of the message that turned out to be costly. */
export type CostlyQueue = (send: PreparedSend, job: RenderJob) => Promise<AcceptedSend>

export function costlyQueue(ctx: Context, cache: TemplateCache): CostlyQueue {
  const inTurn = longWorkQueue<string>({
    places: maxAtOnce,
    maxPerKey: maxWaiting,
    full: () => tooMany('Too many messages of this project that are costly to render wait already', 5),
  })
  return (send, job) => inTurn(ctx.requests, send.projectId, () => acceptCostly(ctx, cache, send, job))
}

async function acceptCostly(
  ctx: Context,
  cache: TemplateCache,
  send: PreparedSend,
  job: RenderJob,
): Promise<AcceptedSend> {
  const drafted = draft(ctx, send)
  const renderings = requestRenderings(ctx, send.projectId)
  // Not after a second transaction that would be thrown away.
  await renderings.require(job)
  const budget = renderBudget(ctx)
  const render = <T>(work: () => T, scope: () => string): T | undefined => renderings.take(scope(), work)
  for (;;) {
    try {
      const [settled] = await acceptSends(ctx, cache, [drafted], { isShared: false, render })
      if ('error' in settled!) throw settled.error
      return settled!.value
    } catch (error) {
      if (!(error instanceof Unfinished)) throw error
    }
    // The transaction has left no trace, and holds neither a connection nor a lock while this takes its time.
    await renderings.complete(async work => {
      budget.start()
      await work()
      await budget.spend()
    })
  }
}
