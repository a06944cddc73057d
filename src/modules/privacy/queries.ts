// Reads whose data a link is about.
import type { Context } from '../../platform/context'

export interface Person {
  id: string
  projectId: string
  email: string
  /** Null if the contact has none, or one that is not text. */
  locale: string | null
  projectName: string
  projectLanguage: string
}

/** Undefined for a contact that is gone, and where the project does not offer it. */
export async function selectPerson(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<Person | undefined> {
  const [row] = await ctx.sql<Person[]>`
    select c.id, c.project_id as "projectId", c.email,
           case when jsonb_typeof(c.data -> 'locale') = 'string' then c.data ->> 'locale' end as locale,
           p.name as "projectName", p.language as "projectLanguage"
      from contacts c join projects p on p.id = c.project_id and p.offers_data and p.closing is null
     where c.project_id = ${projectId}::uuid and c.id = ${contactId}::uuid`
  return row
}
