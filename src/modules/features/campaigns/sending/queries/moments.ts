// When recipients get a campaign: the plan of their time zone, found and applied inside the database.
import { count, eq, type SQL, sql } from 'drizzle-orm'
import { hour } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { type Cte, cte } from '../../../../../platform/db/cte'
import { turnReasons } from '../../../../../platform/transports/reason'
import type { MailCap, QuietHours } from '../../../../accounts/projects'
import { contacts } from '../../../../audience/contacts'
import { momentStep, whenFree } from '../../../../sending/delivery'
import { emails, type NamedRecipients, type PlannedMail, planRecipients } from '../../../../sending/emails'
import type { AbSplit } from '../../authoring/ab-test'
import type { PlanCount, PlanFactors } from '../../authoring/forecast-hours'
import { isNotTried, triedOnIn } from '../../authoring/queries/ab-tests'
import { type AudienceQuery, isMeant } from '../../authoring/queries/audience'
import type { Moments, Timing } from '../../authoring/timing'
import type { Slice } from './slices'

/** What a plan is made of: the campaign's own wishes, and the project's rules. */
export interface MomentFacts {
  timing: Timing | null
  quietHours: QuietHours | null
  timeZone: string | null
  timeZoneField: string | null
}

export interface MomentRules extends Omit<MomentFacts, 'timing'> {
  mailCap: MailCap | null
}

/** The rules of a project, for a campaign that has not begun. */
export async function selectMomentRules(ctx: Context, projectId: string): Promise<MomentRules | undefined> {
  const [row] = await ctx.sql<MomentRules[]>`
    select quiet_hours as "quietHours", mail_cap as "mailCap", time_zone as "timeZone", time_zone_field as "timeZoneField"
      from projects where id = ${projectId}::uuid`
  return row
}

/** All names of time zones that the server knows, older spellings included. */
export async function selectZoneNames(ctx: Context): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`select coalesce(name, '') as name from pg_timezone_names`
  return rows.map(row => row.name)
}

/** The plan of a contact's time zone; null where the zone is not known, and without moments. */
export function zonePlan(moments: Moments | undefined): SQL {
  if (!moments || moments.field === null) return sql`null::int`
  return sql`(${JSON.stringify(moments.byZone)}::jsonb -> lower(contacts.data ->> ${moments.field}::text))::int`
}

/** The emails that the contacts of a page may get. */
export function namedIn(
  page: Cte<'id' | 'email' | 'plan', SQL>,
  moments: Moments | undefined,
  campaignId: string,
  now: Date,
): NamedRecipients {
  return moments ? plannedIn(page, moments, campaignId, now) : unplannedIn(page, now)
}

function unplannedIn(page: Cte<'id' | 'email', SQL>, now: Date): NamedRecipients {
  const id = sql`uuid_v7(${now.toISOString()}::timestamptz, row_number() over ())`
  const columns = { id, contact_id: sql`id`, email: sql`email`, due_at: sql`null::timestamptz` }
  return cte(sql, 'named', columns, all => sql`select ${all} from ${page.name}`)
}

/** A contact's place in the span is its own in each campaign, and the same if the page is made again. */
function plannedIn(
  page: Cte<'id' | 'email' | 'plan', SQL>,
  { plans, other, spanMs }: Moments,
  campaignId: string,
  now: Date,
): NamedRecipients {
  const rows = plans.flatMap((plan, number) => plan.map(stretch => ({ plan: number, ...stretch })))
  const step = sql`${momentStep}::float8`
  const placed = sql`
    select id, email, coalesce(plan, ${other}::int) as plan,
           (hashtextextended(${campaignId}::text || id, 0) & 4294967295)::float8 / 4294967296 * ${Math.max(1, spanMs)}::float8 as place
      from ${page.name}`
  const columns = {
    id: sql`uuid_v7(${now.toISOString()}::timestamptz, row_number() over (order by p.id))`,
    contact_id: sql`p.id`,
    email: sql`p.email`,
    due_at: sql`to_timestamp((s.at + greatest(0, floor(p.place / ${step}) * ${step} - s."offset")) / 1000)`,
  }
  return cte(
    sql,
    'named',
    columns,
    all => sql`
      select ${all} from (${placed}) p
        join json_to_recordset(${JSON.stringify(rows)}::json) as s(plan int, "offset" float8, until float8, at float8)
          on s.plan = p.plan and p.place >= s."offset" and p.place < s.until`,
  )
}

/** How many of an audience have each plan, and are held by the cap for how long. */
export async function countPlans(
  ctx: Context,
  audience: AudienceQuery,
  { moments, cap, from }: PlanFactors,
): Promise<PlanCount[]> {
  const plan = zonePlan(moments).mapWith(Number)
  if (!cap) {
    const columns = { plan, freeAt: sql`null::float8`.mapWith(Number), recipients: count() }
    return await ctx.db.select(columns).from(contacts).where(isMeant(audience)).groupBy(sql`1`)
  }
  const capped = whenFree(ctx, audience.projectId, cap, from)
  return await ctx.db
    .select({ plan, freeAt: capped.freeAt, recipients: count() })
    .from(contacts)
    .leftJoin(capped, eq(capped.contactId, contacts.id))
    .where(isMeant(audience))
    .groupBy(sql`1`, sql`2`)
}

/** How many of a campaign's open recipients are due in each hour; what is due already counts as due now. Leaves out whoever waits for an A/B test. */
export async function countDue(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<Array<{ at: Date; recipients: number }>> {
  const now = ctx.clock.now()
  const { sql: template } = ctx
  const isOther = isNotTried(ctx, {
    campaignId: template`e.campaign_id`,
    contactId: template`e.contact_id`,
    ends: template`t.ends`,
  })
  return await template<Array<{ at: Date; recipients: number }>>`
    select to_timestamp(floor(extract(epoch from greatest(e.next_attempt_at, ${now}::timestamptz)) * 1000 / ${hour}::float8) * ${hour}::float8 / 1000) as at,
           count(*) as recipients
      from emails e
      left join campaign_ab_tests t on t.project_id = e.project_id and t.campaign_id = e.campaign_id and t.winner is null
     where e.project_id = ${projectId}::uuid and e.campaign_id = ${campaignId}::uuid and e.status in ('PENDING', 'SENDING')
       and (t.campaign_id is null or not ${isOther})
     group by 1 order by 1`
}

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
  const page = cte(
    sql,
    'page',
    { id: sql`${emails.contactId}`, email: sql`${emails.toEmail}`, plan: zonePlan(moments) },
    columns => sql`
      select ${columns}
        from ${emails} left join ${contacts} on ${contacts.projectId} = ${emails.projectId} and ${contacts.id} = ${emails.contactId}
       where ${emails.projectId} = ${projectId}::uuid and ${emails.campaignId} = ${campaign}
         and ${emails.contactId} > ${after}::uuid and ${emails.contactId} <= ${upTo}::uuid
         and ${emails.status} = 'PENDING' and ${emails.attempts} = 0
         and (${emails.reason} is null or ${emails.reason} = any(${sql.param([...turnReasons])}::text[]))
         and ${triedOnIn(split, campaign, sql`${emails.contactId}`)} is null`,
  )
  const named = namedIn(page, moments, campaignId, now)
  await ctx.db.execute(sql`
    with ${page.as}, ${named.as} ${planRecipients({ projectId, campaignId, now }, mail, named)}`)
}
