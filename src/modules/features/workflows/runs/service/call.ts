// Makes one attempt at a webhook call outside any transaction, and then settles it: the attempt is recorded, and the step continues,
// fails, or is tried again.
import { after, hour } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { Snooze } from '../../../../../platform/jobs/outcome'
import type { WebhookMethod, WebhookResult } from '../../../../../platform/webhook/caller'
import { circuitsOf, EndpointHangs } from '../../../../../platform/webhook/circuit'
import { signatureHeaders } from '../../../../../platform/webhook/signature'
import { assessCallAttempt, type CallAssessment } from '../../definition/webhook-request'
import type { Signal } from '../engine'
import { type DueCall, deleteCall, insertAttempt, selectCall } from '../queries/calls'
import { settleStep } from './advance'
import { callTurnsOf } from './call-turns'

/** A call to an endpoint that hangs waits this long, or what waits would only ever grow. */
const maxHangMs = hour

/**
 * Throws Snooze until the next attempt, and while too many calls of the project are under way or its endpoint hangs.
 * `base` is the instance's own context, which its executions share.
 */
export async function makeCall(
  ctx: Context,
  base: Context,
  projectId: string,
  callId: string,
  signal: AbortSignal,
): Promise<void> {
  const call = await selectCall(ctx, projectId, callId)
  if (!call) return
  if (!call.isCurrent || call.projectDisabled || call.webhookSecretSealed === null)
    return await giveUp(ctx, base, call, 'The project is disabled')
  const startedAt = ctx.clock.now()
  const request = requestOf(ctx, call, call.webhookSecretSealed)
  const result = await callInTurn(base, call, () => ctx.webhooks.call(request, signal))
  if (!result) return await giveUp(ctx, base, call, 'The endpoint has not answered for an hour')
  // Aborted by us: that says nothing about the other side, and the job comes back.
  if (signal.aborted) throw new Error('the call was interrupted')
  const verdict = assessCallAttempt(call, result, call.attempts + 1)
  await inTransaction(ctx, tx => settle(tx, base, call, { startedAt, result, verdict }))
  // The call counts its attempts itself.
  if (verdict.verdict === 'retry') throw new Snooze(verdict.waitMs)
}

/** Undefined where the endpoint hangs, and the call has waited for it long enough. */
async function callInTurn(
  base: Context,
  { projectId, url, createdAt }: DueCall,
  call: () => Promise<WebhookResult>,
): Promise<WebhookResult | undefined> {
  try {
    const endpoint = `${projectId} ${new URL(url).origin}`
    return await circuitsOf(base).take(endpoint, () => callTurnsOf(base).take(projectId, call))
  } catch (thrown) {
    if (thrown instanceof EndpointHangs && base.clock.now() >= after(createdAt, maxHangMs)) return undefined
    throw thrown
  }
}

function requestOf(ctx: Context, call: DueCall, sealed: string) {
  const { url, headers, body, method } = call
  const secret = ctx.vault.open('webhook-secret', sealed)
  const signature = signatureHeaders(secret, { id: call.id, sentAt: ctx.clock.now(), body: body ?? '' })
  const hasType = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
  const type: Record<string, string> = body === null || hasType ? {} : { 'Content-Type': 'application/json' }
  return { url, method: method as WebhookMethod, headers, ownHeaders: { ...type, ...signature }, body }
}

interface Try {
  startedAt: Date
  result: WebhookResult
  verdict: CallAssessment
}

/** Of two runs of the same attempt only the first one counts. */
async function settle(
  tx: Context,
  base: Context,
  call: DueCall,
  { startedAt, result, verdict }: Try,
): Promise<void> {
  const { projectId, executionId, stepId, version } = call
  const isAnswer = result.outcome === 'answered'
  const isFirst = await insertAttempt(tx, {
    ...{
      projectId,
      executionId,
      stepId,
      attempt: call.attempts + 1,
      url: result.url,
      outcome: result.outcome,
    },
    statusCode: isAnswer ? result.statusCode : null,
    error: isAnswer ? null : result.error,
    response: isAnswer ? result.response.slice(0, 4_096).toWellFormed() : null,
    ...{ startedAt, finishedAt: tx.clock.now() },
  })
  if (!isFirst || verdict.verdict === 'retry') return
  await deleteCall(tx, projectId, call.id)
  const signal: Signal =
    verdict.verdict === 'done'
      ? { kind: 'done', output: verdict.output }
      : { kind: 'failed', error: verdict.error }
  await settleStep(tx, base, { projectId, executionId, version }, signal)
}

/** Where the execution has moved on, its project is disabled or its endpoint hangs, the step ends as the engine decides. */
async function giveUp(
  ctx: Context,
  base: Context,
  { id, projectId, executionId, version }: DueCall,
  error: string,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    await deleteCall(tx, projectId, id)
    const signal: Signal = { kind: 'failed', error }
    await settleStep(tx, base, { projectId, executionId, version }, signal)
  })
}
