// Calling endpoints: deliveries are made in the transaction of their events, and called by jobs.
import { batcher, type Settled } from '../../../lib/batcher'
import { type Context, newId } from '../../../platform/context'
import { enqueueMany } from '../../../platform/jobs/enqueue'
import { Snooze } from '../../../platform/jobs/outcome'
import { makeCircuits } from '../../../platform/webhook/circuit'
import { signatureHeaders } from '../../../platform/webhook/signature'
import type { EventRow } from '../../events'
import { webhookKinds } from '../kinds'
import { bodyOf } from '../plan'
import type { DeliveryName, DueDelivery, NewDelivery } from '../queries'
import * as queries from '../queries'
import { openSecret } from './endpoints'
import { type MadeCall, settleCalls } from './settle'

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

/** Deliveries that run at the same moment share their statements. One for each process. */
export function makeDeliverer(ctx: Context) {
  const find = batcher<DeliveryName, DueDelivery | undefined>(names => findBatch(ctx, names), oneAtATime)
  const circuits = makeCircuits(ctx)
  const settle = batcher<MadeCall, Date | undefined>(calls => settleCalls(ctx, calls), oneAtATime)

  /** Makes one attempt. Throws Snooze with the time of the next one, and without an attempt while the endpoint hangs. */
  return async (projectId: string, id: string, signal: AbortSignal): Promise<void> => {
    const due = await find({ projectId, id })
    if (!due) return
    if (due.nextAttemptAt && due.nextAttemptAt > ctx.clock.now()) throw new Snooze(due.nextAttemptAt)
    if (!due.enabled || due.projectDisabled) return await queries.failDelivery(ctx, due)
    const startedAt = ctx.clock.now()
    const request = requestOf(ctx, due)
    const result = await circuits.take(due.endpointId, () => ctx.webhooks.call(request, signal))
    // Aborted by us: that says nothing about the other side, and the job comes back.
    if (signal.aborted) throw new Error('the call was interrupted')
    const again = await settle({ due, startedAt, finishedAt: ctx.clock.now(), result })
    if (again) throw new Snooze(again)
  }
}

const oneAtATime = { maxItems: 100, slots: 1 }

async function findBatch(ctx: Context, names: DeliveryName[]): Promise<Settled<DueDelivery | undefined>[]> {
  const found = new Map((await queries.findDue(ctx, names)).map(due => [due.id, due]))
  return names.map(({ id }) => ({ value: found.get(id) }))
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
