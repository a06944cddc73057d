// Contacts that were stored before addresses had one spelling. Only addresses beyond ASCII, or with a name in Punycode, can have another.
import type { Context } from '../../../platform/context'

export interface StrayContact {
  id: string
  projectId: string
  email: string
}

/** The next ones after a position, in the order of projects and contacts; the database can't tell which of them are spelled well. */
export async function selectStrays(
  ctx: Context,
  after: Pick<StrayContact, 'id' | 'projectId'>,
  limit: number,
): Promise<StrayContact[]> {
  return await ctx.sql<StrayContact[]>`
    select c.id, c.project_id as "projectId", c.email from contacts c
     where (c.project_id, c.id) > (${after.projectId}::uuid, ${after.id}::uuid)
       and (octet_length(c.email) <> char_length(c.email) or strpos(c.email, 'xn--') > 0)
     order by c.project_id, c.id limit ${limit}`
}

/** The history of consent of a contact goes before that of the one that stays. */
export async function moveConsent(ctx: Context, projectId: string, from: string, to: string): Promise<void> {
  await ctx.sql`
    update consent_changes m
       set contact_id = ${to}::uuid,
           version = m.version - 1
             + (select coalesce(least(min(version), 0), 0) from consent_changes
                 where project_id = ${projectId}::uuid and contact_id = ${to}::uuid)
             - (select max(version) from consent_changes
                 where project_id = ${projectId}::uuid and contact_id = ${from}::uuid)
     where m.project_id = ${projectId}::uuid and m.contact_id = ${from}::uuid`
}
