// Who entered a segment and who left it: its two events, each read from the newest end of its name.
import type { Context } from '../../../../platform/context'

export interface MembershipChange {
  id: string
  change: 'entry' | 'exit'
  contactId: string | null
  /** Null if the contact is gone. */
  email: string | null
  at: Date
}

export interface HistoryListing {
  segmentId: string
  entry: string
  exit: string
  after: { at: Date; id: string } | null
  limit: number
}

/** A page and one row more. Segments whose names have the same slug share the names of their events, so the id decides. */
export async function selectHistory(
  ctx: Context,
  projectId: string,
  { segmentId, entry, exit, after, limit }: HistoryListing,
): Promise<MembershipChange[]> {
  const { sql } = ctx
  const beyond = after ? sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const branch = (name: string, change: MembershipChange['change']) => sql`
    (select id, ${change} as change, contact_id, created_at from events
      where project_id = ${projectId}::uuid and name = ${name} and data ->> 'segmentId' = ${segmentId} ${beyond}
      order by created_at desc, id desc limit ${limit + 1})`
  return await sql<MembershipChange[]>`
    select e.id, e.change, e.contact_id as "contactId", c.email, e.created_at as at
      from (${branch(entry, 'entry')} union all ${branch(exit, 'exit')}) e
      left join contacts c on c.project_id = ${projectId}::uuid and c.id = e.contact_id
     order by e.created_at desc, e.id desc limit ${limit + 1}`
}

/** How many changes there are; `most` where there are more. */
export async function countHistory(
  ctx: Context,
  projectId: string,
  { segmentId, entry, exit }: HistoryListing,
  most: number,
): Promise<number> {
  const [row] = await ctx.sql<{ found: number }[]>`
    select count(*) as found
      from (select from events where project_id = ${projectId}::uuid and name in (${entry}, ${exit})
               and data ->> 'segmentId' = ${segmentId} limit ${most}) as counted`
  return row?.found ?? 0
}
