// Ends what a suspended project still has in its queues: waiting messages and running campaigns. Scheduled campaigns wait for their time
// and are then cancelled, unless the project may send again; executions of workflows end at their next step.

import type { Context } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { failWaiting, type Halted } from '../../emails'
import { isDisabled } from '../../projects'
import { projectSuspended } from '../hooks'

/** The reason that everything that sends gives for a disabled project. */
const reason = 'project is disabled'
const pageSize = 2_000

/** Stops if the project was resumed meanwhile. Safe to repeat. */
export async function stopSuspendedProject(
  ctx: Context,
  projectId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isDisabled(ctx, projectId))) return
  await callHook(ctx, projectSuspended, { projectId, reason, signal })
  for (let after: string | null = null; await isDisabled(ctx, projectId); ) {
    signal.throwIfAborted()
    const { seen, last }: Halted = await failWaiting(ctx, projectId, after, { limit: pageSize, reason })
    if (seen < pageSize) return
    after = last
  }
}
