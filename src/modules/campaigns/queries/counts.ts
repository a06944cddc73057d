// The counts of campaigns: appended wherever rows change, read exactly at any moment, and folded by a job. Whoever records opens,
// clicks, bounces, complaints or opt-outs of campaign mail appends here, in the transaction that changes the e-mail row.
import type { Context } from '../../../platform/context'
import { type CountChange, type Counts, noCounts, sumChanges } from '../counts'

/** Appends one row a campaign; changes that come to nothing write nothing. */
export async function appendCounts(ctx: Context, changes: readonly CountChange[]): Promise<void> {
  const rows = sumChanges(changes)
  if (rows.length === 0) return
  await ctx.sql`
    insert into campaign_deltas (project_id, campaign_id, settled, sent, delivered, opened, clicked, machine_opened, machine_clicked,
                                 bounced, complained, unsubscribed, failed, skipped)
    select r."projectId", r."campaignId", r.settled, r.sent, r.delivered, r.opened, r.clicked, r."machineOpened",
           r."machineClicked", r.bounced, r.complained, r.unsubscribed, r.failed, r.skipped
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
           "projectId" uuid, "campaignId" uuid, settled int, sent int, delivered int, opened int, clicked int,
           "machineOpened" int, "machineClicked" int, bounced int, complained int, unsubscribed int, failed int, skipped int)`
}

/** The counts of some campaigns; all of them are there, with zeros where nothing happened. */
export async function selectCounts(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Counts>> {
  const rows = await ctx.sql<(Counts & { campaignId: string })[]>`
    select campaign_id as "campaignId", sum(settled)::bigint as settled, sum(sent)::bigint as sent,
           sum(delivered)::bigint as delivered, sum(opened)::bigint as opened, sum(clicked)::bigint as clicked,
           sum(machine_opened)::bigint as "machineOpened", sum(machine_clicked)::bigint as "machineClicked",
           sum(bounced)::bigint as bounced, sum(complained)::bigint as complained,
           sum(unsubscribed)::bigint as unsubscribed, sum(failed)::bigint as failed, sum(skipped)::bigint as skipped
      from (select campaign_id, settled, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced, complained,
                   unsubscribed, failed, skipped
              from campaign_counts
             where project_id = ${projectId}::uuid and campaign_id = any(${ids as string[]}::uuid[])
             union all
            select campaign_id, settled, sent, delivered, opened, clicked, machine_opened, machine_clicked, bounced, complained,
                   unsubscribed, failed, skipped
              from campaign_deltas
             where project_id = ${projectId}::uuid and campaign_id = any(${ids as string[]}::uuid[])) as parts
     group by campaign_id`
  const found = new Map(rows.map(({ campaignId, ...counts }) => [campaignId, counts]))
  return new Map(ids.map(id => [id, found.get(id) ?? noCounts()]))
}

/** Adds up to `limit` deltas of any campaigns to the totals; answers how many there were. */
export async function foldCampaignDeltas(ctx: Context, limit: number): Promise<number> {
  const [row] = await ctx.sql<{ folded: number }[]>`
    with taken as materialized (
      delete from campaign_deltas
       where ctid = any(array(select ctid from campaign_deltas limit ${limit} for update skip locked))
      returning *
    ), folded as (
      insert into campaign_counts as c (project_id, campaign_id, settled, sent, delivered, opened, clicked, machine_opened,
                                        machine_clicked, bounced, complained, unsubscribed, failed, skipped)
      select project_id, campaign_id, sum(settled), sum(sent), sum(delivered), sum(opened), sum(clicked), sum(machine_opened),
             sum(machine_clicked), sum(bounced), sum(complained), sum(unsubscribed), sum(failed), sum(skipped)
        from taken group by 1, 2 order by 1, 2
      on conflict (project_id, campaign_id) do update
         set settled = c.settled + excluded.settled, sent = c.sent + excluded.sent,
             delivered = c.delivered + excluded.delivered, opened = c.opened + excluded.opened,
             clicked = c.clicked + excluded.clicked, machine_opened = c.machine_opened + excluded.machine_opened,
             machine_clicked = c.machine_clicked + excluded.machine_clicked, bounced = c.bounced + excluded.bounced,
             complained = c.complained + excluded.complained, unsubscribed = c.unsubscribed + excluded.unsubscribed,
             failed = c.failed + excluded.failed, skipped = c.skipped + excluded.skipped
    )
    select count(*) as folded from taken`
  return row?.folded ?? 0
}
