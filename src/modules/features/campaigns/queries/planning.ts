// After an A/B test: what is written into the rows of those who waited for its winner.
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { turnReasons } from '../../../../platform/transports/reason'
import { contacts } from '../../../audience/contacts'
import { emails, type PlannedMail, planRecipients } from '../../../sending/emails'
import type { AbSplit } from '../ab-test'
import { triedOnIn } from './ab-tests'
import { type Moments, plannedPage, zonePlan } from './moments'
import type { Slice } from './slices'

/** Gives the rows of a slice that are not yet tried, except those with a variant of the share, their words, and their moments if there are any. */
export async function planRest(
  ctx: Context,
  { projectId, campaignId, after, upTo }: Slice,
  split: AbSplit,
  mail: PlannedMail,
  moments: Moments | undefined,
): Promise<void> {
  const now = ctx.clock.now()
  const campaign = sql`${campaignId}::uuid`
  const plan: SQL = moments ? zonePlan(moments) : sql`null::int`
  const named = moments
    ? plannedPage(moments, campaignId, sql`${now.toISOString()}::timestamptz`)
    : sql`named as materialized (select id as contact_id from page)`
  await ctx.db.execute(sql`
    with page as materialized (
      select ${emails.contactId} as id, ${emails.toEmail} as email, ${plan} as plan
        from ${emails} left join ${contacts} on ${contacts.projectId} = ${emails.projectId} and ${contacts.id} = ${emails.contactId}
       where ${emails.projectId} = ${projectId}::uuid and ${emails.campaignId} = ${campaign}
         and ${emails.contactId} > ${after}::uuid and ${emails.contactId} <= ${upTo}::uuid
         and ${emails.status} = 'PENDING' and ${emails.attempts} = 0
         and (${emails.reason} is null or ${emails.reason} = any(${sql.param([...turnReasons])}::text[]))
         and ${triedOnIn(split, campaign, sql`${emails.contactId}`)} is null
    ), ${named}, ${planRecipients({ projectId, campaignId, now }, mail, moments !== undefined)}
    select from planned`)
}
