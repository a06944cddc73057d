// Campaigns of a project that may send nothing more.
import type { Context } from '../../../../platform/context'

export async function selectSendingCampaigns(ctx: Context, projectId: string): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from campaigns where project_id = ${projectId}::uuid and status = 'SENDING' order by id`
  return rows.map(row => row.id)
}

/**
 * No more recipients are recorded, and a pause is over, so that the campaign can come to its end with the recipients that it has. To
 * be called with the row locked, because a page of recipients may just be on its way.
 */
export async function cutShort(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql`
    update campaigns
       set total_recipients = case when is_expanded then total_recipients else
             (select coalesce(sum(recipients), 0)::int from campaign_slices
               where project_id = ${projectId}::uuid and campaign_id = ${id}::uuid) end,
           is_expanded = true, paused_at = null, paused_reason = null, probe_at = null, probes = 0,
           updated_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = ${id}::uuid and status = 'SENDING'`
}
