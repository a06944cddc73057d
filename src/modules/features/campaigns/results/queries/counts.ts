// The counts of campaigns: appended wherever rows change, read exactly at any moment, and rolled up by a job. Whoever records opens,
// clicks, bounces, complaints or opt-outs of campaign mail appends here, in the transaction that changes the e-mail row.
import type { Context } from '../../../../../platform/context'
import { insertRows } from '../../../../../platform/db/insert-rows'
import { hasDeltas, rollUp } from '../../../../../platform/db/roll-up'
import { campaignCounts, campaignDeltas } from '../../schema'
import {
  type CampaignCounts,
  type CountChange,
  campaignCountNames,
  noCampaignCounts,
  sumChanges,
} from '../counts'

/** Appends one row per campaign; changes that cancel out write nothing. */
export async function appendCounts(ctx: Context, changes: readonly CountChange[]): Promise<void> {
  const rows = sumChanges(changes)
  if (rows.length === 0) return
  await insertRows(ctx, campaignDeltas, ['projectId', 'campaignId', ...campaignCountNames] as const, rows)
}

/** The counts of some campaigns; all of them are there, with zeros where nothing happened. */
export async function selectCampaignCounts(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, CampaignCounts>> {
  const rows = await ctx.sql<(CampaignCounts & { campaignId: string })[]>`
    select campaign_id as "campaignId", sum(settled)::bigint as settled, sum(sent)::bigint as sent,
           sum(delivered)::bigint as delivered, sum(opened)::bigint as opened, sum(clicked)::bigint as clicked,
           sum(machine_opened)::bigint as "machineOpened", sum(machine_clicked)::bigint as "machineClicked",
           sum(bounced)::bigint as bounced, sum(complained)::bigint as complained,
           sum(unsubscribed)::bigint as unsubscribed, sum(failed)::bigint as failed, sum(skipped)::bigint as skipped,
           sum(held)::bigint as held, sum(capped)::bigint as capped
      from (select campaign_id, settled, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced, complained,
                   unsubscribed, failed, skipped, held, capped
              from campaign_counts
             where project_id = ${projectId}::uuid and campaign_id = any(${ids as string[]}::uuid[])
             union all
            select campaign_id, settled, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced, complained,
                   unsubscribed, failed, skipped, held, capped
              from campaign_deltas
             where project_id = ${projectId}::uuid and campaign_id = any(${ids as string[]}::uuid[])) as parts
     group by campaign_id`
  const found = new Map(rows.map(({ campaignId, ...counts }) => [campaignId, counts]))
  return new Map(ids.map(id => [id, found.get(id) ?? noCampaignCounts()]))
}

export async function hasCampaignDeltas(ctx: Context): Promise<boolean> {
  return await hasDeltas(ctx, campaignDeltas)
}

/** Adds up to `limit` deltas of any campaigns to the totals; returns how many there were. */
export async function rollUpCampaignDeltas(ctx: Context, limit: number): Promise<number> {
  return await rollUp(ctx, campaignDeltas, limit, [{ into: campaignCounts }])
}
