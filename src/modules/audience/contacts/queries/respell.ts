// Contacts that were stored before addresses had one spelling. Only addresses beyond ASCII, or with a name in Punycode, can have another.
import type { Context } from '../../../../platform/context'
import { dataLimits } from '../patch'

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

/**
 * The fields that only the contact that goes has, in the order in which they are taken over, the smallest first, and whether the one that
 * stays has room for them.
 */
export async function selectMissingFields(
  ctx: Context,
  projectId: string,
  from: string,
  to: string,
): Promise<Array<{ name: string; fits: boolean }>> {
  return await ctx.sql<Array<{ name: string; fits: boolean }>>`
    select e.key as name,
           octet_length(kept.data::text)
             + sum(octet_length(jsonb_build_object(e.key, e.value)::text)) over (order by octet_length(e.value::text), e.key)
             <= ${dataLimits.bytes}::int as fits
      from contacts gone
      join contacts kept on kept.project_id = gone.project_id and kept.id = ${to}::uuid
     cross join jsonb_each(gone.data) e
     where gone.project_id = ${projectId}::uuid and gone.id = ${from}::uuid and not jsonb_exists(kept.data, e.key)
     order by octet_length(e.value::text), e.key`
}

/** Lets a contact have as many fields, where that is more than the usual bound. */
export async function allowKeys(ctx: Context, projectId: string, id: string, keys: number): Promise<void> {
  await ctx.sql`
    update contacts set keys_allowed = greatest(keys_allowed, ${keys}::int)
     where project_id = ${projectId}::uuid and id = ${id}::uuid and ${keys}::int > ${dataLimits.keys}::int`
}
