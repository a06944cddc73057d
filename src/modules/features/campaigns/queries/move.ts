// Clicks of two contacts that became one.
import type { Context } from '../../../../platform/context'

export async function moveClicksOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update campaign_clicks m set contact_id = ${to}::uuid
     where m.project_id = ${projectId}::uuid and m.contact_id = ${from}::uuid
       and not exists (select from campaign_clicks k
                        where k.project_id = ${projectId}::uuid and k.campaign_id = m.campaign_id and k.link_hash = m.link_hash
                          and k.contact_id = ${to}::uuid)`
}
