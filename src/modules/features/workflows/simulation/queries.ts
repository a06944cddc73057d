// What filters need to know about one contact beyond its own row, for evaluating them in memory.
import { type EmailActivity, emailActivities } from '../../../../filters/predicate'
import type { Context } from '../../../../platform/context'

export interface ContactHistory {
  events: Map<string, Date>
  emails: Map<EmailActivity, Date>
  memberOf: Set<string>
}

/** When each of these events last happened to the contact, what happened to its mail, and which segments list it. */
export async function selectContactHistory(
  ctx: Context,
  projectId: string,
  contactId: string,
  eventNames: readonly string[],
): Promise<ContactHistory> {
  const [events, [mail], members] = await Promise.all([
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
  ])
  const emails = emailActivities.flatMap(name => (mail?.[name] ? [[name, mail[name]] as const] : []))
  return {
    events: new Map(events.map(({ name, at }) => [name, at])),
    emails: new Map(emails),
    memberOf: new Set(members.map(({ id }) => id)),
  }
}
