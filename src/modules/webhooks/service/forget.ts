// Deliveries about somebody who was erased: their bodies name the address. No index finds them by contact, which would cost every delivery; so a job
// reads the log of the project once, a page at a time.
import { nilUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import { webhookKinds } from '../kinds'
import { type DeliveryPlace, deleteDeliveriesAbout } from '../queries'

const deliveriesAtOnce = 2_000

export async function forgetDeliveriesOf(
  tx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: readonly string[] },
): Promise<void> {
  for (const contactId of contactIds) await enqueue(tx, webhookKinds.forget, { contactId }, { projectId })
}

export async function forgetDeliveries(
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
