// Deliveries to endpoints: the list, one with all attempts, and sending it again.

import { inBatches } from '../../../../lib/batches'
import { badRequest, conflict, notFound } from '../../../../lib/errors'
import { firstIdAt, nilUuid } from '../../../../lib/ids'
import { after, instantAdvice, readInstant } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import type { ProjectActor } from '../../../accounts/projects'
import { webhookKinds } from '../kinds'
import { bodyOf, keptMs } from '../plan'
import * as queries from '../queries'
import { type DeliveryPlace, deleteDeliveriesAbout } from '../queries'
import { enqueueDeliveries, makeDeliveries } from './deliver'
import { requireEndpoint } from './endpoints'

/** One row more than `limit` where there are more. */
export async function listDeliveries(
  ctx: Context,
  projectId: string,
  endpointId: string,
  behind: string | undefined,
  limit: number,
): Promise<queries.DeliveryRow[]> {
  await requireEndpoint(ctx, projectId, endpointId)
  return await queries.pageOfDeliveries(ctx, projectId, endpointId, behind, limit + 1)
}

export async function getDelivery(ctx: Context, projectId: string, endpointId: string, id: string) {
  const found = await queries.findDelivery(ctx, projectId, endpointId, id)
  if (!found) throw notFound('Webhook delivery', id)
  return found
}

/** Sends the same id and body once more, with another day of attempts. 409 while it is still being attempted. */
export async function replayOne(
  ctx: Context,
  { projectId }: ProjectActor,
  endpointId: string,
  id: string,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    await getDelivery(tx, projectId, endpointId, id)
    if (!(await queries.reopenDelivery(tx, { projectId, id })))
      throw conflict('This delivery is still being tried')
    await enqueueDeliveries(tx, [{ id, projectId }])
  })
}

const maxAtOnce = 1_000

export interface Span {
  since: string
  until?: string
  status?: 'FAILED' | 'ALL'
}

/** Sends the oldest 1,000 of the span again; returns how many. */
export async function replaySpan(
  ctx: Context,
  { projectId }: ProjectActor,
  endpointId: string,
  { since, until, status = 'FAILED' }: Span,
): Promise<number> {
  const from = readInstant(since)
  const to = until === undefined ? ctx.clock.now() : readInstant(until)
  if (!from || !to) throw badRequest(`each of since and until ${instantAdvice}`)
  return await inTransaction(ctx, async tx => {
    await requireEndpoint(tx, projectId, endpointId)
    const span = { since: from, until: to, onlyFailed: status === 'FAILED', limit: maxAtOnce }
    const ids = await queries.reopenDeliveries(tx, { projectId, endpointId }, span)
    await enqueueDeliveries(
      tx,
      ids.map(id => ({ id, projectId })),
    )
    return ids.length
  })
}

/** Sends the endpoint a made-up event; returns the id of the delivery. */
export async function testEndpoint(
  ctx: Context,
  { projectId }: ProjectActor,
  endpointId: string,
): Promise<string> {
  return await inTransaction(ctx, async tx => {
    const { enabled } = await requireEndpoint(tx, projectId, endpointId)
    if (!enabled)
      throw conflict('The endpoint is switched off', { suggestion: 'Switch it on with PATCH first.' })
    const id = newId(tx)
    const nothing = { contactId: null, emailId: null, contactEmail: null, data: { test: true } }
    const eventType = 'webhook.test'
    const body = bodyOf({ name: eventType, createdAt: tx.clock.now(), ...nothing })
    await makeDeliveries(tx, [{ id, projectId, endpointId, eventId: null, eventType, body }])
    return id
  })
}

export async function pruneDeliveries(ctx: Context, signal: AbortSignal): Promise<void> {
  const before = firstIdAt(after(ctx.clock.now(), -keptMs))
  await inBatches(2_000, limit => queries.deleteDeliveries(ctx, before, limit), signal)
}

const deliveriesAtOnce = 2_000

export async function deleteDeliveriesOf(
  tx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<void> {
  for (const contactId of contactIds)
    await enqueue(tx, webhookKinds.eraseContact, { contactId }, { projectId })
}

export async function deleteContactDeliveries(
  ctx: Context,
  projectId: string,
  contactId: string,
  signal: AbortSignal,
): Promise<void> {
  let behind: DeliveryPlace | undefined = { endpointId: nilUuid, id: nilUuid }
  while (behind) {
    signal.throwIfAborted()
    const page: { behind: DeliveryPlace; limit: number } = { behind, limit: deliveriesAtOnce }
    behind = await deleteDeliveriesAbout(ctx, projectId, contactId, page)
  }
}
