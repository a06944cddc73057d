// Campaigns whose audience may name a field.
import type { Context } from '../../../platform/context'

export interface FilteredCampaign {
  id: string
  name: string
  audienceCondition: unknown
}

/**
 * Campaigns with a tree that contains a text, newest first, up to a thousand. The text is only a sieve: what a tree means by its
 * fields is for the caller to read.
 */
export async function selectCampaignsMentioning(
  ctx: Context,
  projectId: string,
  text: string,
): Promise<FilteredCampaign[]> {
  return await ctx.sql<FilteredCampaign[]>`
    select id, name, audience_condition as "audienceCondition" from campaigns
     where project_id = ${projectId}::uuid and audience_type = 'FILTERED'
       and position(${text}::text in audience_condition::text) > 0
     order by id desc limit 1000`
}
