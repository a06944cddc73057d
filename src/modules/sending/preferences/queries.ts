// Reads whom a link to the subscription pages is about.
import type { Context } from '../../../platform/context'
import type { Brand } from '../../accounts/projects'

export interface PreferencesRecipientRow {
  id: string
  projectId: string
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  /** Null if the contact has none, or one that is not text. */
  locale: string | null
  projectName: string
  projectLanguage: string
  keepsClients: boolean
  offersData: boolean
  brand: Partial<Brand> | null
}

export async function selectRecipient(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<PreferencesRecipientRow | undefined> {
  const [row] = await ctx.sql<PreferencesRecipientRow[]>`
    select c.id, c.project_id as "projectId", c.email, c.subscribed, c.snoozed_until as "snoozedUntil",
           case when jsonb_typeof(c.data -> 'locale') = 'string' then c.data ->> 'locale' end as locale,
           p.name as "projectName", p.language as "projectLanguage", p.keeps_clients as "keepsClients",
           p.offers_data as "offersData", p.brand
      from contacts c join projects p on p.id = c.project_id
     where c.project_id = ${projectId}::uuid and c.id = ${contactId}::uuid`
  return row
}

/** The topic of a message that was sent to this very contact; undefined for any other message. */
export async function selectMessage(
  ctx: Context,
  projectId: string,
  contactId: string,
  emailId: string,
): Promise<{ topicId: string | null } | undefined> {
  const [row] = await ctx.sql<{ topicId: string | null }[]>`
    select coalesce(e.topic_id, c.topic_id) as "topicId" from emails e 
      left join campaigns c on c.project_id = e.project_id and c.id = e.campaign_id
     where e.id = ${emailId}::uuid and e.project_id = ${projectId}::uuid and e.contact_id = ${contactId}::uuid`
  return row
}
