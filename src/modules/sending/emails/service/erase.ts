// Emptying the messages of people who were erased. The job names nobody: it looks for all erased addresses of its project, so it may be
// run again at any time.
import { nilUuid } from '../../../../lib/ids'
import { hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import type { JobRun } from '../../../../platform/jobs/kind'
import { Snooze } from '../../../../platform/jobs/outcome'
import { emailKinds } from '../kinds'
import { type ErasedPage, emptyAged, erasePage } from '../queries'

const messagesAtOnce = 2_000

/** Has a job empty the messages of the project that went to erased addresses. */
export async function eraseMessages(tx: Context, projectId: string): Promise<void> {
  await enqueue(tx, emailKinds.erase, {}, { projectId })
}

/** Comes back later for messages that have not left yet. */
export async function emptyErased(
  ctx: Context,
  projectId: string,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  let after: ErasedPage['last'] = null
  let open = 0
  do {
    signal.throwIfAborted()
    const page = await erasePage(ctx, projectId, after, messagesAtOnce)
    open += page.open
    after = page.last
  } while (after)
  if (open > 0) throw new Snooze(hour)
}

/**
 * Empties what was sent before a moment, from where the last run ended; returns where the next one begins, which is before whatever has not left
 * yet. When told to stop, the next run finds the rest.
 */
export async function emptyMessagesBefore(
  ctx: Context,
  projectId: string,
  { since, before }: { since: Date; before: Date },
  signal: AbortSignal,
): Promise<Date> {
  let after = { createdAt: since, id: nilUuid }
  let open: Date | undefined
  while (!signal.aborted) {
    const page = await emptyAged(ctx, projectId, { after, before }, messagesAtOnce)
    open ??= page.openSince ?? undefined
    if (page.looked < messagesAtOnce || !page.last) return open ?? (before > since ? before : since)
    after = page.last
  }
  return open ?? after.createdAt
}
