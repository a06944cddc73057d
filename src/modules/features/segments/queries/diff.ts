// The difference between who matches a condition and who is a member. Finding it reads all contacts and holds no lock; applying it
// is short statements over ids, whose rows decide who really entered or left, however many find the same difference at once.
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'

export interface DiffTarget {
  projectId: string
  segmentId: string
  /** A condition on the table contacts. */
  where: SQL
  /** Goes on after this contact. */
  after: string
  limit: number
}

/**
 * Contacts that match and are not members, by id. The look at the members is a scalar subquery, which can't become a join:
 * statistics know nothing of members that came a moment ago, and the join that was planned then took minutes.
 */
export async function selectEntering(ctx: Context, target: DiffTarget): Promise<string[]> {
  const { projectId, segmentId, where, after, limit } = target
  const rows = await ctx.db.execute<{ id: string }>(sql`
    select contacts.id from contacts
     where contacts.project_id = ${projectId}::uuid and contacts.id > ${after}::uuid and ${where}
       and (select m.contact_id from segment_members m
             where m.project_id = ${projectId}::uuid and m.segment_id = ${segmentId}::uuid
               and m.contact_id = contacts.id) is null
     order by contacts.id limit ${limit}`)
  return rows.map(row => row.id)
}

/** Members that do not match, by id, among them those whose contact is gone. */
export async function selectLeaving(ctx: Context, target: DiffTarget): Promise<string[]> {
  const { projectId, segmentId, where, after, limit } = target
  const rows = await ctx.db.execute<{ id: string }>(sql`
    select m.contact_id as id from segment_members m
     where m.project_id = ${projectId}::uuid and m.segment_id = ${segmentId}::uuid and m.contact_id > ${after}::uuid
       and not exists (select from contacts
                        where contacts.project_id = ${projectId}::uuid and contacts.id = m.contact_id and ${where})
     order by m.contact_id limit ${limit}`)
  return rows.map(row => row.id)
}

/** Makes members of those that are contacts and not members yet; returns them, by id. */
export async function enterContacts(
  ctx: Context,
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    insert into segment_members (project_id, segment_id, contact_id, entered_at)
    select ${projectId}::uuid, ${segmentId}::uuid, id, ${ctx.clock.now()}::timestamptz
      from contacts where project_id = ${projectId}::uuid and id = any(${contactIds as string[]}::uuid[]) order by id
    on conflict do nothing
    returning contact_id as id`
  return rows.map(row => row.id).sort()
}

/** Removes members; returns them, by id, except those whose contact is gone, since there is nobody left to report on. */
export async function removeContacts(
  ctx: Context,
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    with gone as (
      delete from segment_members
       where project_id = ${projectId}::uuid and segment_id = ${segmentId}::uuid
         and contact_id = any(${contactIds as string[]}::uuid[])
      returning contact_id
    )
    select c.id from gone join contacts c on c.project_id = ${projectId}::uuid and c.id = gone.contact_id order by c.id`
  return rows.map(row => row.id)
}
