// When the recipients of a campaign opened it and followed its links.
import type { Context } from '../../../../platform/context'

export interface Hour {
  at: Date
  opened: number
  clicked: number
}

/** Hours before `until` in which something happened first, in order. */
export async function selectHours(
  ctx: Context,
  projectId: string,
  campaignId: string,
  until: Date,
): Promise<Hour[]> {
  return await ctx.sql<Hour[]>`
    select at, sum(opened)::bigint as opened, sum(clicked)::bigint as clicked
      from (select date_trunc('hour', opened_at, 'UTC') as at, 1 as opened, 0 as clicked from emails
             where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and opened_at < ${until}
             union all
            select date_trunc('hour', clicked_at, 'UTC'), 0, 1 from emails
             where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid and clicked_at < ${until}) as hits
     group by at order by at`
}
