// Rolling up the appended counts of executions.
import type { Context } from '../../../../platform/context'
import { rollUpWorkflowDeltas } from '../queries'

const batchSize = 10_000

/** Adds the appended deltas to the totals until none is left. */
export async function rollUpWorkflowCounts(ctx: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) if ((await rollUpWorkflowDeltas(ctx, batchSize)) < batchSize) return
}
