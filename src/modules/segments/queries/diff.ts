// The difference between who matches a condition and who is a member, applied a batch at a time. Each statement walks on from the
// contact at which the one before stopped, so all of them together read the project's contacts once.
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context'

export interface DiffBatch {
  /** Contacts that entered or left by this statement. */
  contactIds: string[]
  /** Where the next statement goes on; null at the end. */
  next: string | null
}

interface DiffTarget {
  projectId: string
  segmentId: string
  /** A condition on the table contacts. */
  where: SQL
  after: string
  limit: number
}

/** Makes members of those who match and are none. */
export async function enterBatch(ctx: Context, target: DiffTarget): Promise<DiffBatch> {
  const { projectId, segmentId, where, after, limit } = target
  return runBatch(
    ctx,
    limit,
    sql`
    with candidates as materialized (
      select contacts.id from contacts
       where contacts.project_id = ${projectId}::uuid and contacts.id > ${after}::uuid and ${where}
         and not exists (select from segment_members m
                          where m.project_id = ${projectId}::uuid and m.segment_id = ${segmentId}::uuid
                            and m.contact_id = contacts.id)
       order by contacts.id limit ${limit}
    ), moved as (
      insert into segment_members (project_id, segment_id, contact_id, entered_at)
      select ${projectId}::uuid, ${segmentId}::uuid, id, ${ctx.clock.now().toISOString()}::timestamptz
        from candidates order by id
      on conflict do nothing
      returning contact_id as id
    )`,
  )
}

/** Removes the members who do not match. Those whose contact is gone are removed too, but nobody is left to tell of. */
export async function leaveBatch(ctx: Context, target: DiffTarget): Promise<DiffBatch> {
  const { projectId, segmentId, where, after, limit } = target
  return runBatch(
    ctx,
    limit,
    sql`
    with candidates as materialized (
      select m.contact_id as id from segment_members m
       where m.project_id = ${projectId}::uuid and m.segment_id = ${segmentId}::uuid and m.contact_id > ${after}::uuid
         and not exists (select from contacts
                          where contacts.project_id = ${projectId}::uuid and contacts.id = m.contact_id and ${where})
       order by m.contact_id limit ${limit}
    ), gone as (
      delete from segment_members g using candidates c
       where g.project_id = ${projectId}::uuid and g.segment_id = ${segmentId}::uuid and g.contact_id = c.id
      returning c.id
    ), moved as (
      select gone.id from gone join contacts on contacts.project_id = ${projectId}::uuid and contacts.id = gone.id
    )`,
  )
}

async function runBatch(ctx: Context, limit: number, tables: SQL): Promise<DiffBatch> {
  const [row] = await ctx.db.execute<{ ids: string[]; seen: number; last: string | null }>(sql`${tables}
    select array(select id from moved order by id) as ids, (select count(*) from candidates) as seen,
           (select id from candidates order by id desc limit 1) as last`)
  return { contactIds: row?.ids ?? [], next: row && row.seen >= limit ? row.last : null }
}
