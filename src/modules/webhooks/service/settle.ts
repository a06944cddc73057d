// What came of calls: each attempt is recorded with its answer, those that end together share a transaction, and an endpoint that fails for a
// day is switched off, with a mail to the members of its project.
import type { Settled } from '../../../lib/batcher'
import { type Context, inTransaction } from '../../../platform/context'
import type { WebhookResult } from '../../../platform/webhook/caller'
import { sendSystemMail } from '../../letters'
import { selectMemberAddresses } from '../../projects'
import { switchedOffLetter } from '../letter'
import { assessCall, retryForMs } from '../plan'
import type { DueDelivery, FailingEndpoint, SettledCall } from '../queries'
import * as queries from '../queries'

/** One call that was made. */
export interface MadeCall {
  due: DueDelivery
  startedAt: Date
  finishedAt: Date
  result: WebhookResult
}

const maxErrorLength = 500
const maxResponseLength = 4_096

/** For each, when to call again; undefined if the delivery is over, or another run of the same attempt was first. */
export async function settleCalls(ctx: Context, calls: MadeCall[]): Promise<Settled<Date | undefined>[]> {
  const rows = calls.map(call => settledCall(ctx, call))
  const settled = await inTransaction(ctx, async tx => {
    const settled = new Set(await queries.settleDeliveries(tx, rows))
    const counted = rows.filter(({ deliveryId }) => settled.has(deliveryId))
    await watchHealth(tx, counted)
    return settled
  })
  return rows.map(({ deliveryId, nextAttemptAt }) => ({
    value: settled.has(deliveryId) ? (nextAttemptAt ?? undefined) : undefined,
  }))
}

function settledCall(
  { random }: Context,
  { due: { id, projectId, endpointId, attempts, since }, startedAt, finishedAt, result }: MadeCall,
): SettledCall {
  const attempt = attempts + 1
  const verdict = assessCall(result, { attempt, since }, finishedAt, random.fraction())
  const isAnswer = result.outcome === 'answered'
  const again = verdict.done ? undefined : verdict.again
  return {
    ...{ deliveryId: id, projectId, endpointId, attempt, startedAt, finishedAt },
    status: verdict.done ? 'DELIVERED' : again ? 'PENDING' : 'FAILED',
    nextAttemptAt: again ?? null,
    statusCode: isAnswer ? result.statusCode : null,
    error: verdict.done ? null : verdict.error.slice(0, maxErrorLength).toWellFormed(),
    response: isAnswer ? result.response.slice(0, maxResponseLength).toWellFormed() : null,
  }
}

/** An endpoint that has answered one of the calls works, whatever came of the others. */
async function watchHealth(tx: Context, calls: readonly SettledCall[]): Promise<void> {
  const working = new Map(
    calls.filter(({ status }) => status === 'DELIVERED').map(call => [call.endpointId, call]),
  )
  const failing = new Map(
    calls.filter(({ endpointId }) => !working.has(endpointId)).map(call => [call.endpointId, call]),
  )
  await queries.noteWorking(tx, [...working.values()])
  const now = tx.clock.now().getTime()
  for (const endpoint of await queries.noteFailing(tx, [...failing.values()]))
    if (now - endpoint.since.getTime() >= retryForMs) await switchOff(tx, endpoint)
}

async function switchOff(tx: Context, { projectId, id, url }: FailingEndpoint): Promise<void> {
  const reason = 'no call has succeeded for a day'
  if (!(await queries.switchOff(tx, projectId, id, reason))) return
  await queries.failOpenDeliveries(tx, projectId, id)
  const letter = switchedOffLetter(url)
  const shown = { projectId, audience: 'members', kind: 'NOTICE' } as const
  for (const to of await selectMemberAddresses(tx, projectId))
    await sendSystemMail(tx, { to, ...letter, shown })
}
