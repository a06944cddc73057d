// Messages of two contacts that became one.
import type { Context } from '../../../../platform/context'

/**
 * A campaign writes to a contact once, and finds its open rows by the ranges of contacts that it works on: those stay where they are, and
 * are skipped, as are those of a campaign that has one for both.
 */
export async function moveMessagesOfContact(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    update emails e set contact_id = ${to}::uuid
     where e.project_id = ${projectId}::uuid and e.contact_id = ${from}::uuid
       and (e.campaign_id is null
            or e.status not in ('PENDING', 'SENDING')
               and not exists (select from emails k
                                where k.project_id = ${projectId}::uuid and k.campaign_id = e.campaign_id
                                  and k.contact_id = ${to}::uuid))`
}
