// What filters need to know about one contact beyond its own row, for evaluating them in memory.
import type { CampaignTrace } from '../../../../filters/match'
import { type EmailActivity, emailActivities } from '../../../../filters/predicate'
import type { Context } from '../../../../platform/context'

export interface ContactHistory {
  events: Map<string, Date>
  emails: Map<EmailActivity, Date>
  memberOf: Set<string>
  campaigns: Map<string, CampaignTrace>
}

/** When each of these events last happened to the contact, what happened to its mail, which segments list it, and what it did with these campaigns. */
export async function selectContactHistory(
  ctx: Context,
  projectId: string,
  contactId: string,
  { events: eventNames, campaigns: campaignIds }: { events: readonly string[]; campaigns: readonly string[] },
): Promise<ContactHistory> {
  const [events, [mail], members, campaigns] = await Promise.all([
    ctx.sql<{ name: string; at: Date }[]>`
      select name, max(created_at) as at from events
       where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid and name = any(${eventNames as string[]}::text[])
       group by name`,
    ctx.sql<Record<EmailActivity, Date | null>[]>`
      select max(sent_at) as sent, max(delivered_at) as delivery, max(opened_at) as open, max(clicked_at) as click,
             max(bounced_at) as bounce, max(complained_at) as complaint
        from emails where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid`,
    ctx.sql<{ id: string }[]>`
      select segment_id as id from segment_members
       where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid`,
    ctx.sql<(CampaignTrace & { id: string })[]>`
      select campaign_id as id, opened_at is not null as opened, clicked_at is not null as clicked from emails
       where project_id = ${projectId}::uuid and campaign_id = any(${campaignIds as string[]}::uuid[])
         and contact_id = ${contactId}::uuid and sent_at is not null and bounced_at is null`,
  ])
  const emails = emailActivities.flatMap(name => (mail?.[name] ? [[name, mail[name]] as const] : []))
  return {
    events: new Map(events.map(({ name, at }) => [name, at])),
    emails: new Map(emails),
    memberOf: new Set(members.map(({ id }) => id)),
    campaigns: new Map(campaigns.map(({ id, opened, clicked }) => [id, { opened, clicked }])),
  }
}
