// Recording the recipients of a campaign: e-mail rows made from contacts inside the database, a page at a time, in the order of
// contact ids and up to the boundary that was drawn at the start.
import { type SQL, sql } from 'drizzle-orm'
import { nilUuid } from '../../../../../lib/ids'
import type { Context } from '../../../../../platform/context'
import { cte } from '../../../../../platform/db/cte'
import { contacts } from '../../../../audience/contacts'
import { addRecipients, type CampaignMail } from '../../../../sending/emails'
import type { AbSplit } from '../../authoring/ab-test'
import { triedOnIn } from '../../authoring/queries/ab-tests'
import { type Audience, type AudienceQuery, isMeant } from '../../authoring/queries/audience'
import type { Moments } from '../../authoring/timing'
import { campaigns } from '../../schema'
import { type MomentFacts, namedIn, zonePlan } from './moments'

/** The id of the contact that was created last. */
export async function newestContact(ctx: Context, projectId: string): Promise<string | undefined> {
  const [row] = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${projectId}::uuid order by id desc limit 1`
  return row?.id
}

/** Where the expansion of a campaign stands, and what all its rows have in common. */
export interface Expansion extends CampaignMail {
  /** Undefined: as soon as possible. */
  moments?: Moments | undefined
  /** Contacts in `(after, upTo]` are looked at, the lowest ids first. */
  after: string
  upTo: string
}

export interface ExpandedPage {
  /** False if the campaign is not being expanded, or not from this place: nothing was done. */
  isOurs: boolean
  /** How many contacts were found; a page that is not full is the last one. */
  found: number
  last: string | null
}

/**
 * One page of recipients, the slice that they form under `sliceId`, and the cursor, in one statement: under load every round trip
 * of a page costs as much as fifty rows. No contact leaves the database. The guard on the cursor lets a page be written once; the
 * unique index on campaign and contact holds whatever happens. `passesOver` lets rows be there already; it is not the default,
 * because it makes the statement a third slower (40,000 against 25,000 rows a second).
 */
export async function insertPage(
  ctx: Context,
  audience: AudienceQuery,
  from: Expansion,
  sliceId: string,
  { limit, passesOver }: { limit: number; passesOver: boolean },
): Promise<ExpandedPage> {
  const campaignId = sql`${from.campaignId}::uuid`
  const projectId = sql`${from.projectId}::uuid`
  const page = cte(
    sql,
    'page',
    { id: sql`${contacts.id}`, email: sql`${contacts.email}`, plan: zonePlan(from.moments) },
    columns => sql`
      select ${columns} from ${contacts}
       where ${isMeant(audience)} and ${contacts.id} > ${from.after}::uuid and ${contacts.id} <= ${from.upTo}::uuid
         and exists (select from held)
       order by ${contacts.id} limit ${limit}`,
  )
  const named = namedIn(page, from.moments, from.campaignId, ctx.clock.now())
  const added = addRecipients({ ...from, now: ctx.clock.now() }, named, passesOver)
  const [row] = await ctx.db.execute<{ ours: boolean; found: number; last: string | null }>(sql`
    with held as materialized (
      select id from ${campaigns}
       where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and not is_expanded
         and coalesce(expanded_to, ${nilUuid}::uuid) = ${from.after}::uuid
         for update
    ), ${page.as}, ${named.as}, ${added.as}, seen as materialized (
      select exists (select from held) as ours, (select count(*)::int from ${page.name}) as found, (select count(*)::int from ${added.name}) as added,
             (select id from ${page.name} order by id desc limit 1) as last
    ), reached as materialized (
      select *, case when found < ${limit}::int then ${from.upTo}::uuid else last end as up_to from seen where ours
    ), sliced as (
      insert into campaign_slices (id, project_id, campaign_id, after, up_to, recipients)
      select ${sliceId}::uuid, ${projectId}, ${campaignId}, ${from.after}::uuid, up_to, added from reached where found > 0
    ), moved as (
      update campaigns c
         set expanded_to = r.up_to, is_expanded = r.found < ${limit}::int,
             total_recipients = case when r.found < ${limit}::int
               then r.added + (select coalesce(sum(recipients), 0)::int from campaign_slices
                               where project_id = ${projectId} and campaign_id = ${campaignId})
               else c.total_recipients end
        from reached r where c.project_id = ${projectId} and c.id = ${campaignId}
    )
    select ours, found, last from seen`)
  return { isOurs: row!.ours, found: row!.found, last: row!.last }
}

/**
 * Lets the commit of the caller's transaction not wait for the disk. A page that a crash of the server forgets takes its cursor, slice
 * and job along, and is written again; before a recipient of it is written to, the commit that takes the recipient has waited for all
 * that was committed earlier. Not for the last page: the job that wrote it ends, and nobody would write it again.
 */
export async function commitWithoutWaiting(tx: Context): Promise<void> {
  await tx.sql`select set_config('synchronous_commit', 'off', true)`
}

type FoundExpansion = Audience &
  Pick<Expansion, 'fromEmail' | 'replyTo' | 'after' | 'upTo'> &
  MomentFacts & { subject: string; fromName: string; startedAt: Date }

/** Where to continue; undefined if there is nothing to expand. */
export async function selectExpansion(
  ctx: Context,
  projectId: string,
  campaignId: string,
): Promise<FoundExpansion | undefined> {
  const [row] = await ctx.sql<FoundExpansion[]>`
    select c.project_id as "projectId", c.type, c.audience_type as "audienceType", c.segment_id as "segmentId",
           c.audience_condition as "audienceCondition", c.topic_id as "topicId", c.subject, c.from_email as "fromEmail",
           coalesce(nullif(c.from_name, ''), p.name) as "fromName", c.reply_to as "replyTo",
           c.timing, coalesce(c.sent_at, ${ctx.clock.now()}::timestamptz) as "startedAt", p.quiet_hours as "quietHours", p.time_zone as "timeZone", p.time_zone_field as "timeZoneField",
           coalesce(c.expanded_to, ${nilUuid}::uuid) as after, coalesce(c.boundary, ${nilUuid}::uuid) as "upTo"
      from campaigns c join projects p on p.id = c.project_id
     where c.project_id = ${projectId}::uuid and c.id = ${campaignId}::uuid and c.status = 'SENDING' and c.paused_at is null
       and not c.is_expanded`
  return row
}

/** The variant's own words for those on whom it is tried; the campaign's for all others, and where the variant has none of its own. */
export function wordsByVariant(
  split: AbSplit,
  campaignId: string,
  own: string,
  words: ReadonlyArray<string | null>,
): SQL {
  const number = triedOnIn(split, sql`${campaignId}::uuid`, sql`contact_id`)
  const all = JSON.stringify(words.map(each => each || own))
  return sql`(${all}::jsonb ->> coalesce(${number}, 0))`
}

/** If its expansion was cut short, a campaign has as many recipients as were inserted. */
export async function fixTotal(ctx: Context, projectId: string, campaignId: string): Promise<void> {
  await ctx.sql`
    update campaigns
       set total_recipients = (select coalesce(sum(recipients), 0)::int from campaign_slices
                                where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid)
     where project_id = ${projectId}::uuid and id = ${campaignId}::uuid and not is_expanded`
}
