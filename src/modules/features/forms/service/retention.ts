// Requests are kept for as long as they may be confirmed, and what they caused goes with them: of people who never answered nothing stays but
// the record of the message.
import { inBatches } from '../../../../lib/batches'
import { after } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { purgeContacts } from '../../../audience/contacts'
import {
  deleteExpired,
  deleteOldMailboxes,
  deleteRequestsOf,
  deleteRequestsOfContacts,
  deleteRequestsTo,
  type Pruned,
} from '../queries'
import { mailboxOf } from '../values'
import { mailEveryMs } from './ask'

const batchSize = 1_000

export async function pruneRequests(ctx: Context, signal?: AbortSignal): Promise<void> {
  const now = ctx.clock.now()
  await removeRequests(ctx, (tx, limit) => deleteExpired(tx, now, limit), signal)
  const before = after(now, -mailEveryMs)
  await inBatches(batchSize, limit => deleteOldMailboxes(ctx, before, limit), signal)
}

/** Of a form that is gone. */
export async function purgeRequests(
  ctx: Context,
  projectId: string,
  formId: string,
  signal?: AbortSignal,
): Promise<void> {
  await removeRequests(ctx, (tx, limit) => deleteRequestsOf(tx, projectId, formId, limit), signal)
}

async function removeRequests(
  ctx: Context,
  remove: (tx: Context, limit: number) => Promise<Pruned>,
  signal?: AbortSignal,
): Promise<void> {
  const step = (limit: number) =>
    inTransaction(ctx, async tx => {
      const { deleted, strangers } = await remove(tx, limit)
      for (const [projectId, group] of Map.groupBy(strangers, each => each.projectId))
        await purgeContacts(
          tx,
          projectId,
          group.map(({ contactId }) => contactId),
        )
      return deleted
    })
  await inBatches(batchSize, step, signal)
}

export async function deleteOldRequests(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: string[] },
): Promise<void> {
  await deleteRequestsOfContacts(ctx, projectId, contactIds)
}

/** Of somebody who is erased: also what was never confirmed, and belongs to no contact. */
export async function eraseRequestsOf(
  tx: Context,
  { projectId, email }: { projectId: string; email: string },
): Promise<void> {
  await deleteRequestsTo(tx, projectId, { email, mailbox: mailboxOf(email) })
}
