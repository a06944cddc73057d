// Events of the payment provider: each takes effect once, with its receipt in the same transaction. Events may be repeated, come at the
// same moment and overtake each other.

import { AppError, badRequest } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { minute, second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { BadSignature, type PaymentEvent } from '../../../../platform/payments/provider'
import { recordAudit, systemActor } from '../../../accounts/projects'
import { reinstateProject, suspendProject } from '../../security'
import { billingKinds } from '../kinds'
import {
  deleteSubscription,
  forgiveUsage,
  hasReceipt,
  holdCustomer,
  insertReceipt,
  insertSubscription,
  isSubscriptionKnown,
} from '../queries'
import { enqueueCancellation } from './account'

export interface Received {
  success: true
  received: true
  duplicate?: true
}

/** 404 where billing is off, 400 for an event that is not signed; on an error of ours the provider sends it again. */
export async function receiveEvent(
  ctx: Context,
  read: () => Promise<string>,
  signature: string | undefined,
): Promise<Received> {
  const event = await readEvent(ctx, read, signature)
  const isNew = await inTransaction(ctx, async tx => {
    if (!(await insertReceipt(tx, event))) return false
    await apply(tx, event)
    return true
  })
  return isNew ? { success: true, received: true } : { success: true, received: true, duplicate: true }
}

/** Of what was signed longer ago nothing is read; the provider signs again whenever it tries again. */
const toleranceMs = 5 * minute

/** Whether the time in the header, `t=<seconds>`, is near. What is signed is judged by the provider's own library. */
function isRecent(signature: string, now: Date): boolean {
  const seconds = /(?:^|,)\s*t=(\d{1,12})(?:,|$)/.exec(signature.slice(0, 1_000))?.[1]
  return seconds !== undefined && Math.abs(now.getTime() - Number(seconds) * second) <= toleranceMs
}

async function readEvent(
  { payments, clock }: Context,
  read: () => Promise<string>,
  signature: string | undefined,
): Promise<PaymentEvent> {
  if (!payments)
    throw new AppError(404, 'RESOURCE_NOT_FOUND', 'Billing is not enabled on this instance', {
      details: { resource: 'route' },
    })
  if (!signature) throw badRequest('The header Stripe-Signature is missing')
  if (!isRecent(signature, clock.now()))
    throw badRequest('The signature is not valid, or the event is too old')
  const body = await read()
  try {
    return await payments.readEvent(body, signature, clock.now())
  } catch (error) {
    if (error instanceof BadSignature) throw badRequest('The signature is not valid', { cause: error })
    throw error
  }
}

async function apply(tx: Context, event: PaymentEvent): Promise<void> {
  switch (event.kind) {
    case 'subscribed':
      return await subscribe(tx, event)
    case 'paid':
      return await settle(tx, event)
    case 'failed':
      return await suspend(tx, event)
    case 'ended':
      return await unsubscribe(tx, event)
    case 'other':
      return
  }
}

type Event<K extends PaymentEvent['kind']> = Extract<PaymentEvent, { kind: K }>

/** Of two completed checkouts the first counts, and nobody pays for the second. */
async function subscribe(tx: Context, event: Event<'subscribed'>): Promise<void> {
  const { projectId, subscription } = event
  // The account may sell other things as well, and only what carries our own metadata is about a project.
  if (projectId === null || !isUuid(projectId)) return
  if (await insertSubscription(tx, projectId, event)) {
    await forgiveUsage(tx, projectId)
    await enqueue(
      tx,
      billingKinds.renameCustomer,
      { projectId },
      { projectId, uniqueKey: `billing.renameCustomer:${projectId}` },
    )
    await recordAudit(tx, {
      projectId,
      actor: systemActor,
      action: 'billing.subscribed',
      subject: subscription,
    })
    return
  }
  if (await isSubscriptionKnown(tx, subscription)) return
  tx.log.error(
    { project: projectId, subscription },
    'a checkout was superfluous and its subscription is cancelled',
  )
  await enqueueCancellation(tx, subscription)
}

/** Lifts a suspension for a failed payment, and no other. */
async function settle(tx: Context, { customer }: Event<'paid'>): Promise<void> {
  const projectId = await holdCustomer(tx, customer)
  if (projectId) await reinstateProject(tx, projectId, systemActor, 'PAYMENT_FAILED')
}

/** The first invoice of a subscription belongs to its checkout, where the person sees that it failed. */
async function suspend(tx: Context, event: Event<'failed'>): Promise<void> {
  const { customer, invoice, isFirst, amountDue } = event
  if (isFirst) return
  const projectId = await holdCustomer(tx, customer)
  // It may have been paid while this event was on its way.
  if (!projectId || (await hasReceipt(tx, 'invoice.paid', invoice))) return
  const findings = [
    `The payment of invoice ${invoice} (${amountDue}) failed. Once it is paid, the project may send again.`,
  ]
  await suspendProject(tx, { projectId, reason: 'PAYMENT_FAILED', findings, actor: systemActor })
}

async function unsubscribe(tx: Context, { subscription }: Event<'ended'>): Promise<void> {
  const projectId = await deleteSubscription(tx, subscription)
  if (!projectId) return
  await recordAudit(tx, {
    projectId,
    actor: systemActor,
    action: 'billing.unsubscribed',
    subject: subscription,
  })
}
