// What was put off while the transport failed for everybody is sent soon after it works again, whatever its own plan says. A portion each
// second: if the transport fails again, few have used up an attempt, and the next email that gets through continues.
import { after, second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueue, hasten } from '../../../../platform/jobs/enqueue'
import { Snooze } from '../../../../platform/jobs/outcome'
import { failingTransports, transportRecovery } from '../../../../platform/transports/health'
import { hastenSystemMails } from '../../../accounts/system-emails'
import { emailKinds } from '../kinds'
import * as queries from '../queries'

const portion = 100

/** In the transaction that settles the first email after the transport failed. */
export async function noteRecovery(tx: Context): Promise<void> {
  const recovery = transportRecovery(tx)
  if (!recovery.isNew) return
  await enqueue(tx, emailKinds.resumeDeferred, {}, { uniqueKey: emailKinds.resumeDeferred.kind })
  tx.afterCommit(() => {
    recovery.isNew = false
  })
}

/** Makes up to `limit` of them due, and returns how many there were. */
export async function retryDeferred(ctx: Context, limit = portion): Promise<number> {
  const found = await queries.selectDeferred(ctx, limit)
  if (found.length === 0) return 0
  await inTransaction(ctx, async tx => {
    const due = new Set(await hasten(tx, { ids: found.map(({ jobId }) => jobId) }))
    await queries.noteDueNow(
      tx,
      found.filter(({ jobId }) => due.has(jobId)),
    )
  })
  return found.length
}

/** Comes back while there may be more and a transport works. */
export async function resumeDeferred(ctx: Context): Promise<void> {
  await hastenSystemMails(ctx, portion)
  const woken = await retryDeferred(ctx)
  if (woken === portion && hasWorkingTransport(ctx)) throw new Snooze(after(ctx.clock.now(), second))
}

function hasWorkingTransport(ctx: Context): boolean {
  return failingTransports(ctx).size < (ctx.mail.routes?.all.length ?? 1)
}
