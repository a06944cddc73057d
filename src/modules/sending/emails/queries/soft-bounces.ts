// Which addresses have bounced softly so often that they count as gone.
import { firstIdAt } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { failureReasons } from '../../../../platform/transports/reason'

/** What counts against the address. */
const softReasons = failureReasons.filter(reason => reason !== 'refused')

export interface Mailed {
  projectId: string
  contactId: string
  toEmail: string
}

/**
 * Makes transactions that judge the same addresses run one after another, each to its end: otherwise two soft bounces at the same moment
 * would each be the fourth in a row.
 */
export async function lockAddresses(ctx: Context, asked: readonly Mailed[]): Promise<void> {
  await ctx.sql`
    select count(pg_advisory_xact_lock(key))
      from (select distinct hashtextextended('soft bounce ' || a.project_id || ' ' || a.email, 0) as key
              from unnest(${asked.map(one => one.projectId)}::text[], ${asked.map(one => one.toEmail)}::text[])
                   as a(project_id, email)
             order by key) as keys`
}

/**
 * Which of the addresses have soft-bounced their last `inARow` messages since `since`. A message that nobody has reported on yet counts
 * for nothing, like one that never left; one that was put off for the sender's sake, or by our own transport, is no soft bounce of the
 * address. Reads a few rows of the contact's index for each.
 */
export async function findSoftBounced(
  ctx: Context,
  asked: readonly Mailed[],
  inARow: number,
  since: Date,
): Promise<Array<{ projectId: string; toEmail: string }>> {
  return await ctx.sql<Array<{ projectId: string; toEmail: string }>>`
    select a.project_id as "projectId", a.email as "toEmail"
      from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.contactId)}::uuid[],
                  ${asked.map(one => one.toEmail)}::text[]) as a(project_id, contact_id, email)
     where ${inARow}::int = (
       select count(*) filter (where soft_bounced_at is not null and bounced_at is null and reason = any(${softReasons}::text[])
                                 and soft_bounced_at >= coalesce(greatest(delivered_at, opened_at), soft_bounced_at))
         from (select soft_bounced_at, bounced_at, delivered_at, opened_at, reason from emails e
                where e.project_id = a.project_id and e.contact_id = a.contact_id and e.to_email = a.email
                  and e.created_at > ${since}::timestamptz and e.id >= ${firstIdAt(since)}::uuid and e.source_type <> 'INBOUND'
                  and coalesce(delivered_at, opened_at, soft_bounced_at, bounced_at) is not null
                order by e.id desc limit ${inARow}) as last)`
}

/**
 * Which of the addresses refused their last `inARow` messages without a reason, the first of these before `until`. A message that nobody has
 * said anything about counts for nothing.
 */
export async function findUnexplained(
  ctx: Context,
  asked: readonly Mailed[],
  inARow: number,
  until: Date,
): Promise<Array<{ projectId: string; toEmail: string }>> {
  return await ctx.sql<Array<{ projectId: string; toEmail: string }>>`
    select a.project_id as "projectId", a.email as "toEmail"
      from unnest(${asked.map(one => one.projectId)}::uuid[], ${asked.map(one => one.contactId)}::uuid[],
                  ${asked.map(one => one.toEmail)}::text[]) as a(project_id, contact_id, email)
     where (
       select count(*) filter (where reason = 'unknown') = ${inARow} and min(created_at) <= ${until}::timestamptz
         from (select reason, created_at from emails e
                where e.project_id = a.project_id and e.contact_id = a.contact_id and e.to_email = a.email
                  and e.source_type <> 'INBOUND' and coalesce(delivered_at, opened_at, soft_bounced_at, bounced_at,
                        case when reason = any(${[...failureReasons]}::text[]) then updated_at end) is not null
                order by e.id desc limit ${inARow}) as last)`
}
