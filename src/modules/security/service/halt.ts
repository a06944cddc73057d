// Ends what a suspended project still has in its queues: waiting messages and running campaigns. Scheduled campaigns are left to their
// time, when they are cancelled unless the project may send again; executions of workflows end at their next step.
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { haltCampaigns } from '../../campaigns/service'
import { failWaiting, type Halted, isDisabled } from '../queries'

/** What everything that sends says of a disabled project. */
const reason = 'project is disabled'
const pageSize = 2_000
/** No message waits longer; what a slow pace has kept back even so is ended when its turn comes. */
const longestWait = 2 * day

/** Stops where the project was let go on meanwhile. */
export async function haltProject(ctx: Context, projectId: string, signal: AbortSignal): Promise<void> {
  if (!(await isDisabled(ctx, projectId))) return
  await haltCampaigns(ctx, projectId, reason, signal)
  const since = after(ctx.clock.now(), -longestWait)
  for (let before: Halted['last'] = null; ; ) {
    signal.throwIfAborted()
    if (!(await isDisabled(ctx, projectId))) return
    const { seen, last }: Halted = await failWaiting(ctx, projectId, before, {
      since,
      limit: pageSize,
      reason,
    })
    if (seen < pageSize || !last) return
    before = last
  }
}
