// Which campaign an opt-out counts against.
import type { Context } from '../../../platform/context'

/**
 * The campaign of a message that its recipient has just opted out by; undefined if that does not count: no campaign, a message
 * that bounced or was complained about, or a second opt-out by the same message. The event of this one is there already.
 */
export async function selectOptedOutCampaign(
  ctx: Context,
  projectId: string,
  contactId: string,
  emailId: string,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ campaignId: string }[]>`
    select campaign_id as "campaignId" from emails
     where id = ${emailId}::uuid and project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
       and campaign_id is not null and bounced_at is null and complained_at is null
       and (select count(*)
              from (select from events
                     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
                       and name = 'contact.unsubscribed' and email_id = ${emailId}::uuid
                     limit 2) as told) = 1
       and not exists (
           select from consent_changes
            where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
              and topic_id is not null and after = 'optedOut' and email_id = ${emailId}::uuid)`
  return row?.campaignId
}

/** The same for somebody who has just left a topic by the message: it counts once, and not beside an opt-out. Its entry is there already. */
export async function selectLeftCampaign(
  ctx: Context,
  projectId: string,
  contactId: string,
  emailId: string,
): Promise<string | undefined> {
  const [row] = await ctx.sql<{ campaignId: string }[]>`
    select campaign_id as "campaignId" from emails
     where id = ${emailId}::uuid and project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
       and campaign_id is not null and bounced_at is null and complained_at is null
       and (select count(*)
              from (select from consent_changes
                     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid
                       and after = 'optedOut' and email_id = ${emailId}::uuid
                     limit 2) as told) = 1`
  return row?.campaignId
}
