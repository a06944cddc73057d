// Calling endpoints: deliveries are made in the transaction of their events, and called by jobs.
import { type Context, newId } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { Snooze } from '../../../../platform/jobs/outcome'
import { makeCircuits } from '../../../../platform/webhook/circuit'
import { signatureHeaders } from '../../../../platform/webhook/signature'
import type { EventRow } from '../../../audience/events'
import { webhookKinds } from '../kinds'
import { bodyOf } from '../plan'
import type { DueDelivery, NewDelivery } from '../queries'
import * as queries from '../queries'
import { openSecret } from './endpoints'
import { settleCall } from './settle'

/** Listens to events that some endpoint wants, in their transaction. */
export async function announceEvents(tx: Context, events: readonly EventRow[]): Promise<void> {
  const byId = new Map(events.map(event => [event.id, event]))
  const wanted = await queries.selectWanted(tx, events)
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

/** One for each process. */
export function makeDeliverer(ctx: Context) {
  const circuits = makeCircuits(ctx)

  /** Makes one attempt. Throws Snooze with the time of the next one, and without an attempt while the endpoint hangs. */
  return async (projectId: string, id: string, signal: AbortSignal): Promise<void> => {
    const due = await queries.findDue(ctx, { projectId, id })
    if (!due) return
    if (due.nextAttemptAt && due.nextAttemptAt > ctx.clock.now()) throw new Snooze(due.nextAttemptAt)
    if (!due.enabled || due.projectDisabled) return await queries.failDelivery(ctx, due)
    const startedAt = ctx.clock.now()
    const request = requestOf(ctx, due)
    const result = await circuits.take(due.endpointId, () => ctx.webhooks.call(request, signal))
    // Aborted by us: that says nothing about the other side, and the job comes back.
    if (signal.aborted) throw new Error('the call was interrupted')
    const again = await settleCall(ctx, { due, startedAt, finishedAt: ctx.clock.now(), result })
    if (again) throw new Snooze(again)
  }
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
