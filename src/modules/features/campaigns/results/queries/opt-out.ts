// Which campaign an opt-out counts against.
import type { Context } from '../../../../../platform/context'

/** Of whom, and by which message. `isOfTopic`: they left its topic, and not everything. */
export interface OptOutBy {
  projectId: string
  contactId: string
  emailId: string
  isOfTopic: boolean
}

/**
 * The campaign of a message that its recipient has just opted out by; undefined if that does not count: no campaign, a message that bounced
 * or was complained about, or a second opt-out by the same message, of its topic and of everything alike. What tells of this one (an event,
 * or for a topic the entry of the ledger) is there already.
 */
export async function selectOptedOutCampaign(ctx: Context, by: OptOutBy): Promise<string | undefined> {
  const { projectId, contactId, emailId, isOfTopic } = by
  const [row] = await ctx.sql<{ campaignId: string }[]>`
    select campaign_id as "campaignId" from emails
     where id = ${emailId}::uuid and project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
       and campaign_id is not null and bounced_at is null and complained_at is null
       and ${isOfTopic ? isFirstInLedger(ctx, by) : isFirstEvent(ctx, by)}`
  return row?.campaignId
}

/** Messages that are older than the ledger have events alone. */
function isFirstEvent({ sql }: Context, { projectId, contactId, emailId }: OptOutBy) {
  return sql`
    (select count(*)
       from (select from events
              where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
                and name = 'contact.unsubscribed' and email_id = ${emailId}::uuid
              limit 2) as told) = 1
    and not exists (
        select from consent_changes
         where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
           and topic_id is not null and after = 'optedOut' and email_id = ${emailId}::uuid)`
}

function isFirstInLedger({ sql }: Context, { projectId, contactId, emailId }: OptOutBy) {
  return sql`
    (select count(*)
       from (select from consent_changes
              where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
                and after = 'optedOut' and email_id = ${emailId}::uuid
              limit 2) as told) = 1`
}
