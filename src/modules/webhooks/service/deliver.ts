// Calling endpoints: deliveries are made in the transaction of their events, each attempt is recorded with its answer, and an endpoint
// that fails for a day is switched off, with a mail to the members of its project.
import { type Context, inTransaction, newId } from '../../../platform/context'
import { enqueueMany } from '../../../platform/jobs/enqueue'
import { Snooze } from '../../../platform/jobs/outcome'
import type { WebhookResult } from '../../../platform/webhook/caller'
import { signatureHeaders } from '../../../platform/webhook/signature'
import type { EventRow } from '../../events'
import { sendSystemMail } from '../../letters'
import { selectMemberAddresses } from '../../projects'
import { webhookKinds } from '../kinds'
import { switchedOffLetter } from '../letter'
import { assessCall, bodyOf, retryForMs } from '../plan'
import type { DueDelivery, NewDelivery } from '../queries'
import * as queries from '../queries'
import { openSecret } from './endpoints'

/** Listens to events that some endpoint wants, in their transaction. */
export async function announceEvents(tx: Context, events: readonly EventRow[]): Promise<void> {
  const byId = new Map(events.map(event => [event.id, event]))
  const wanted = await queries.selectWanted(tx, [...byId.keys()])
  const rows = wanted.map(({ eventId, endpointId, contactEmail }): NewDelivery => {
    const event = byId.get(eventId)!
    const body = bodyOf({ ...event, contactEmail })
    return { id: newId(tx), projectId: event.projectId, endpointId, eventId, eventType: event.name, body }
  })
  await makeDeliveries(tx, rows)
}

export async function makeDeliveries(tx: Context, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  await queries.insertDeliveries(tx, rows)
  await enqueueDeliveries(tx, rows)
}

export async function enqueueDeliveries(
  tx: Context,
  rows: ReadonlyArray<{ id: string; projectId: string }>,
): Promise<void> {
  const jobs = rows.map(({ id, projectId }) => ({ args: { deliveryId: id }, projectId }))
  await enqueueMany(tx, webhookKinds.deliver, jobs)
}

const maxResponseLength = 4_096

/** Makes one attempt. Throws Snooze with the time of the next one. */
export async function deliver(
  ctx: Context,
  projectId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const due = await queries.findDue(ctx, projectId, id)
  if (!due) return
  if (due.nextAttemptAt && due.nextAttemptAt > ctx.clock.now()) throw new Snooze(due.nextAttemptAt)
  if (!due.enabled || due.projectDisabled)
    return await queries.settleDelivery(ctx, due, {
      status: 'FAILED',
      attempts: due.attempts,
      nextAttemptAt: null,
    })
  const startedAt = ctx.clock.now()
  const result = await ctx.webhooks.call(requestOf(ctx, due), signal)
  // Aborted by us: that says nothing about the other side, and the job comes back.
  if (signal.aborted) throw new Error('the call was interrupted')
  const again = await inTransaction(ctx, tx => settle(tx, due, startedAt, result))
  if (again) throw new Snooze(again)
}

function requestOf(ctx: Context, due: DueDelivery) {
  const now = ctx.clock.now()
  const { id, url, body, secretSealed, previousSecretSealed, previousUntil } = due
  const sign = (sealed: string) => signatureHeaders(openSecret(ctx, sealed), { id, sentAt: now, body })
  const headers = sign(secretSealed)
  const isOverlap = previousSecretSealed && previousUntil && previousUntil > now
  // Signed with both, so that a receiver may change its secret at any time within that span.
  const signatures = [headers, ...(isOverlap ? [sign(previousSecretSealed)] : [])].map(
    one => one['webhook-signature'],
  )
  return {
    url,
    method: 'POST' as const,
    headers: {},
    ownHeaders: { 'Content-Type': 'application/json', ...headers, 'webhook-signature': signatures.join(' ') },
    body,
  }
}

async function settle(
  tx: Context,
  due: DueDelivery,
  startedAt: Date,
  result: WebhookResult,
): Promise<Date | undefined> {
  const now = tx.clock.now()
  const attempt = due.attempts + 1
  const verdict = assessCall(result, { attempt, since: due.since }, now, tx.random.fraction())
  const isAnswer = result.outcome === 'answered'
  const isFirst = await queries.insertTry(tx, {
    ...{ projectId: due.projectId, deliveryId: due.id, attempt, startedAt, finishedAt: now },
    statusCode: isAnswer ? result.statusCode : null,
    error: verdict.done ? null : verdict.error.slice(0, 500),
    response: isAnswer ? result.response.slice(0, maxResponseLength).toWellFormed() : null,
  })
  if (!isFirst) return undefined
  const again = verdict.done ? undefined : verdict.again
  const status = verdict.done ? 'DELIVERED' : again ? 'PENDING' : 'FAILED'
  await queries.settleDelivery(tx, due, { status, attempts: attempt, nextAttemptAt: again ?? null })
  await watchHealth(tx, due, verdict.done)
  return again
}

async function watchHealth(
  tx: Context,
  { projectId, endpointId, url }: DueDelivery,
  works: boolean,
): Promise<void> {
  const since = await queries.noteHealth(tx, projectId, endpointId, works)
  if (works || !since || tx.clock.now().getTime() - since.getTime() < retryForMs) return
  const reason = 'no call has succeeded for a day'
  if (!(await queries.switchOff(tx, projectId, endpointId, reason))) return
  await queries.failOpenDeliveries(tx, projectId, endpointId)
  const letter = switchedOffLetter(url)
  for (const to of await selectMemberAddresses(tx, projectId)) await sendSystemMail(tx, { to, ...letter })
}
