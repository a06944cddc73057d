// Members of static segments, by hand; and what is cleared when a contact or a segment goes.
import type { Context } from '../../../../platform/context'
import type { ChangedThen } from '../../../audience/contacts'

/**
 * Makes the contacts that are there members as of now, again where they are already. Each is held, in the order in which others hold
 * them, so that none is deleted and cleared away before its row can be seen.
 */
export async function insertMembers(
  ctx: Context,
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<InsertedMember[]> {
  return await ctx.sql<InsertedMember[]>`
    with held as materialized (
      select id from contacts where project_id = ${projectId}::uuid and id = any(${contactIds as string[]}::uuid[])
       order by email for key share
    )
    insert into segment_members as m (project_id, segment_id, contact_id, entered_at)
    select ${projectId}::uuid, ${segmentId}::uuid, id, ${ctx.clock.now()}::timestamptz from held order by id
    on conflict (project_id, segment_id, contact_id) do update set entered_at = excluded.entered_at
    returning m.contact_id as id, m.entered_at::text as "changedAt", m.xmax = 0 as "isNew"`
}

export interface InsertedMember extends ChangedThen {
  isNew: boolean
}

/** Returns how many of them were members. */
export async function deleteMembers(
  ctx: Context,
  projectId: string,
  segmentId: string,
  contactIds: readonly string[],
): Promise<number> {
  const gone = await ctx.sql`
    delete from segment_members
     where project_id = ${projectId}::uuid and segment_id = ${segmentId}::uuid
       and contact_id = any(${contactIds as string[]}::uuid[])`
  return gone.count
}

/** Removes the members that were added at that moment. Returns those that are contacts, members or not. */
export async function deleteMembersSince(
  ctx: Context,
  projectId: string,
  segmentId: string,
  members: readonly ChangedThen[],
): Promise<{ id: string; isGone: boolean }[]> {
  return await ctx.sql<{ id: string; isGone: boolean }[]>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as a(id uuid, "changedAt" timestamptz)
    ), gone as (
      delete from segment_members m using asked a
       where m.project_id = ${projectId}::uuid and m.segment_id = ${segmentId}::uuid
         and m.contact_id = a.id and m.entered_at = a."changedAt"
      returning m.contact_id
    )
    select c.id, exists (select from gone g where g.contact_id = c.id) as "isGone"
      from contacts c join asked a on a.id = c.id where c.project_id = ${projectId}::uuid`
}

/** Updates the kept count of a static segment with a change of its members. */
export async function addToCount(
  ctx: Context,
  projectId: string,
  segmentId: string,
  change: number,
): Promise<void> {
  await ctx.sql`
    update segments set member_count = greatest(0, member_count + ${change}::int), counted_at = ${ctx.clock.now()}::timestamptz
     where project_id = ${projectId}::uuid and id = ${segmentId}::uuid`
}

/** How many contacts are members, by the rows. */
export async function countMembers(ctx: Context, projectId: string, segmentId: string): Promise<number> {
  const [row] = await ctx.sql<{ members: number }[]>`
    select count(*) as members
      from segment_members m join contacts c on c.project_id = m.project_id and c.id = m.contact_id
     where m.project_id = ${projectId}::uuid and m.segment_id = ${segmentId}::uuid`
  return row?.members ?? 0
}

/** Segments that hold the contact by a row of their own. */
export async function selectSegmentsOfMember(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select segment_id as id from segment_members
     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid`
  return rows.map(({ id }) => id)
}

export interface KnownContact {
  id: string
  email: string
}

/** The contacts of these addresses, in their stored spelling. */
export async function selectContactsByEmail(
  ctx: Context,
  projectId: string,
  emails: readonly string[],
): Promise<KnownContact[]> {
  return await ctx.sql<KnownContact[]>`
    select id, email from contacts
     where project_id = ${projectId}::uuid and email = any(${emails as string[]}::text[])`
}

/**
 * Removes contacts that are gone from all segments, and from the counts of the static ones. The segments are locked first, as
 * by everybody who changes members.
 */
export async function deleteMembersOfContacts(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<number> {
  const [row] = await ctx.sql<{ gone: number }[]>`
    with held as materialized (
      select s.id from segments s
       where s.project_id = ${projectId}::uuid
         and s.id in (select segment_id from segment_members
                       where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[]))
       order by s.id for no key update
    ), gone as (
      delete from segment_members
       where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])
         and (select count(*) from held) >= 0
      returning segment_id
    ), counted as (
      update segments s set member_count = greatest(0, s.member_count - g.members)
        from (select segment_id, count(*)::int as members from gone group by 1) g
       where s.project_id = ${projectId}::uuid and s.id = g.segment_id and s.type = 'STATIC'
    )
    select count(*) as gone from gone`
  return row?.gone ?? 0
}

/** Deletes up to `limit` members of a segment that is gone. */
export async function deleteMembersOfSegment(
  ctx: Context,
  projectId: string,
  segmentId: string,
  limit: number,
): Promise<number> {
  const gone = await ctx.sql`
    delete from segment_members
     where project_id = ${projectId}::uuid and segment_id = ${segmentId}::uuid
       and contact_id = any(array(select contact_id from segment_members
                                   where project_id = ${projectId}::uuid and segment_id = ${segmentId}::uuid limit ${limit}))
    returning 1`
  return gone.length
}

/** The segments that a contact is in, static ones and those that are computed. */
export async function selectSegmentIdsOf(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select segment_id as id from segment_members
     where project_id = ${projectId}::uuid and contact_id = ${contactId}::uuid order by segment_id`
  return rows.map(row => row.id)
}
