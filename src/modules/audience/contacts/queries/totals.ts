// The counts of contacts and of their fields: read exactly at any moment, and rolled up by a job.

import type { Context } from '../../../../platform/context'
import { hasDeltas, rollUp } from '../../../../platform/db/roll-up'
import type { FieldType } from '../schema'
import { contactDeltas, contactFieldTotals, contactTotals } from '../schema'

export interface ContactCounts {
  contacts: number
  subscribed: number
}

/** How many contacts the project has: what is rolled up and what is not yet. */
export async function selectContactCounts(ctx: Context, projectId: string): Promise<ContactCounts> {
  const [row] = await ctx.sql<ContactCounts[]>`
    select coalesce(sum(contacts), 0)::bigint as contacts, coalesce(sum(subscribed), 0)::bigint as subscribed
      from (select contacts, subscribed from contact_totals where project_id = ${projectId}::uuid
             union all
            select contacts, subscribed from contact_deltas where project_id = ${projectId}::uuid) as counts`
  return row ?? { contacts: 0, subscribed: 0 }
}

export interface FieldCount {
  name: string
  type: FieldType
  /** Contacts that have the field. */
  contacts: number
}

/** Every custom field of the registry with the number of contacts that have it. */
export async function selectFieldCounts(ctx: Context, projectId: string): Promise<FieldCount[]> {
  return await ctx.sql<FieldCount[]>`
    with counts as (
      select name, sum(contacts) as contacts
        from (select name, contacts from contact_field_totals where project_id = ${projectId}::uuid
               union all
              select f.key, f.value::bigint from contact_deltas d cross join lateral jsonb_each_text(d.fields) f
               where d.project_id = ${projectId}::uuid) as parts
       group by name
    )
    select f.name, f.type, coalesce(c.contacts, 0)::bigint as contacts
      from contact_fields f left join counts c on c.name = f.name
     where f.project_id = ${projectId}::uuid`
}

export async function hasContactDeltas(ctx: Context): Promise<boolean> {
  return await hasDeltas(ctx, contactDeltas)
}

/** Adds up to `limit` deltas of any projects to the totals; returns how many there were. */
export async function rollUpContactDeltas(ctx: Context, limit: number): Promise<number> {
  const { sql } = ctx
  return await rollUp(ctx, contactDeltas, limit, [
    { into: contactTotals },
    {
      into: contactFieldTotals,
      from: taken => sql`${taken} cross join lateral jsonb_each_text(fields) f`,
      as: { name: sql`f.key`, contacts: sql`f.value::bigint` },
    },
  ])
}
