// What was sent is kept for EMAIL_BODY_RETENTION_DAYS; after that, only its facts remain in the email log.
import { firstIdAt, nilUuid } from '../../../../lib/ids'
import { after } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { clearBodies, deleteAttachments, selectClearedTo } from '../queries'

const messagesAtOnce = 1_000
/** Each may be megabytes. */
const attachmentsAtOnce = 20
/** Clears older bodies; returns how many messages were cleared. If a run is told to stop, the next one continues. */
export async function clearOldBodies(ctx: Context, signal?: AbortSignal): Promise<number> {
  const { bodyRetentionMs } = ctx.config
  if (bodyRetentionMs === undefined) return 0
  const before = firstIdAt(after(ctx.clock.now(), -bodyRetentionMs))
  let position = (await selectClearedTo(ctx)) ?? nilUuid
  let total = 0
  while (!signal?.aborted) {
    const { looked, emptied, last } = await clearBodies(ctx, position, before, messagesAtOnce)
    total += emptied
    if (looked < messagesAtOnce || last === null) break
    position = last
  }
  while (!signal?.aborted)
    if ((await deleteAttachments(ctx, before, attachmentsAtOnce)) < attachmentsAtOnce) break
  return total
}
