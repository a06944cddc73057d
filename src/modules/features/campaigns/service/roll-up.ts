// Rolling up the appended counts of campaigns.
import type { Context } from '../../../../platform/context'
import { rollUpCampaignDeltas } from '../queries'

const batchSize = 10_000

/** Adds the appended deltas to the totals until none is left. */
export async function rollUpCampaignCounts(ctx: Context, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) if ((await rollUpCampaignDeltas(ctx, batchSize)) < batchSize) return
}
