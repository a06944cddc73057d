// Emptying the messages of people who were erased. The job names nobody: it looks for all erased addresses of its project, so it may be
// run again at any time.
import { hour } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import type { JobRun } from '../../../platform/jobs/handlers'
import { Snooze } from '../../../platform/jobs/outcome'
import { emailKinds } from '../kinds'
import { type ErasedPage, erasePage } from '../queries'

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
