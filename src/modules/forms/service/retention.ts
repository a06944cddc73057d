// Requests are kept for as long as they may be confirmed, and what they caused goes with them: of people who never answered nothing stays but
// the record of the message.
import { after } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import { purgeContacts } from '../../contacts'
import { mailboxOf } from '../mailbox'
import {
  deleteExpired,
  deleteOldMailboxes,
  deleteRequestsOf,
  deleteRequestsOfContacts,
  deleteRequestsTo,
  type Pruned,
} from '../queries'
import { mailEveryMs } from './ask'

const batchSize = 1_000

export async function pruneRequests(ctx: Context, signal?: AbortSignal): Promise<void> {
  const now = ctx.clock.now()
  await inBatches(ctx, tx => deleteExpired(tx, now, batchSize), signal)
  const before = after(now, -mailEveryMs)
  while (!signal?.aborted && (await deleteOldMailboxes(ctx, before, batchSize)) === batchSize);
}

/** Of a form that is gone. */
export async function purgeRequests(
  ctx: Context,
  projectId: string,
  formId: string,
  signal?: AbortSignal,
): Promise<void> {
  await inBatches(ctx, tx => deleteRequestsOf(tx, projectId, formId, batchSize), signal)
}

async function inBatches(
  ctx: Context,
  remove: (tx: Context) => Promise<Pruned>,
  signal?: AbortSignal,
): Promise<void> {
  for (let deleted = batchSize; deleted === batchSize && !signal?.aborted; ) {
    deleted = await inTransaction(ctx, async tx => {
      const { deleted, strangers } = await remove(tx)
      for (const [projectId, group] of Map.groupBy(strangers, each => each.projectId))
        await purgeContacts(
          tx,
          projectId,
          group.map(({ contactId }) => contactId),
        )
      return deleted
    })
  }
}

export async function forgetRequests(
  ctx: Context,
  { projectId, contactIds }: { projectId: string; contactIds: string[] },
): Promise<void> {
  await deleteRequestsOfContacts(ctx, projectId, contactIds)
}

/** Of somebody who is erased: also what was never confirmed, and belongs to no contact. */
export async function forgetAddress(
  tx: Context,
  { projectId, email }: { projectId: string; email: string },
): Promise<void> {
  await deleteRequestsTo(tx, projectId, { email, mailbox: mailboxOf(email) })
}
