// What came of a call: the attempt is recorded with its answer, and an endpoint that fails for a day is switched off, with a mail to the
// members of its project.

import { type Context, inTransaction } from '../../../../platform/context'
import type { WebhookResult } from '../../../../platform/webhook/caller'
import { notifyMembers } from '../../../accounts/projects'
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

/** When to call again; undefined if the delivery is over, or another run of the same attempt was first. */
export async function settleCall(ctx: Context, made: MadeCall): Promise<Date | undefined> {
  const call = settledCall(ctx, made)
  const isSettled = await inTransaction(ctx, async tx => {
    if (!(await queries.settleDelivery(tx, call))) return false
    if (call.status === 'DELIVERED') await queries.noteWorking(tx, call)
    else await noteFailure(tx, call)
    return true
  })
  return isSettled ? (call.nextAttemptAt ?? undefined) : undefined
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

async function noteFailure(tx: Context, call: SettledCall): Promise<void> {
  const endpoint = await queries.noteFailing(tx, call)
  if (endpoint && tx.clock.now().getTime() - endpoint.since.getTime() >= retryForMs)
    await switchOff(tx, endpoint)
}

async function switchOff(tx: Context, { projectId, id, url }: FailingEndpoint): Promise<void> {
  const reason = 'no call has succeeded for a day'
  if (!(await queries.switchOff(tx, projectId, id, reason))) return
  await queries.failOpenDeliveries(tx, projectId, id)
  await notifyMembers(tx, projectId, switchedOffEmail(url))
}

/** The address without its query, which may hold a secret. */
export function switchedOffEmail(url: string): { subject: string; text: string } {
  const { origin, pathname } = new URL(url)
  return {
    subject: 'A webhook endpoint was switched off',
    text: [
      `No call to ${origin}${pathname} has succeeded for a day, so the endpoint was switched off.`,
      'It is told of no events until somebody switches it on again. What it has missed since then is not made up for; what failed before can be sent again from its log.',
    ].join('\n\n'),
  }
}
