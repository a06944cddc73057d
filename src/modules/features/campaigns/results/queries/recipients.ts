// Recipients of a campaign as people list them.
import { and, asc, count, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import type { Reasoned } from '../../../../../platform/transports/reason'
import { type EmailStatus, emails } from '../../../../sending/emails'
import type { AbSplit } from '../../authoring/ab-test'
import { triedOnIn } from '../../authoring/queries/ab-tests'
import type { Reaction } from '../recipient-filter'

export interface RecipientRow extends Reasoned {
  id: string
  contactId: string
  toEmail: string
  status: EmailStatus
  attempts: number
  nextAttemptAt: Date | null
  sentAt: Date | null
  deliveredAt: Date | null
  openedAt: Date | null
  clickedAt: Date | null
  bouncedAt: Date | null
}

export interface RecipientListing {
  projectId: string
  campaignId: string
  status?: EmailStatus
  reaction?: Reaction
  /** A link that they followed. */
  link?: string
  variant?: VariantAsked
}

/** A variant by its number, and what is needed to know who gets it. */
export interface VariantAsked {
  number: number
  split: AbSplit
  winner: number | null
}

const columns = {
  id: emails.id,
  contactId: emails.contactId,
  toEmail: emails.toEmail,
  status: emails.status,
  attempts: emails.attempts,
  reason: emails.reason,
  reasonDetail: emails.reasonDetail,
  nextAttemptAt: emails.nextAttemptAt,
  sentAt: emails.sentAt,
  deliveredAt: emails.deliveredAt,
  openedAt: emails.openedAt,
  clickedAt: emails.clickedAt,
  bouncedAt: emails.bouncedAt,
}

/** Where a page of recipients begins: past a contact (null: before the first), and so many more. */
export interface RecipientPlace {
  after: string | null
  skipped: number
}

/** In the order of contacts. */
export async function selectRecipients(
  ctx: Context,
  listing: RecipientListing,
  { after, skipped }: RecipientPlace,
  limit: number,
): Promise<RecipientRow[]> {
  return await ctx.db
    .select(columns)
    .from(emails)
    .where(and(isListed(listing), after === null ? undefined : gt(emails.contactId, after)))
    .orderBy(asc(emails.contactId))
    .limit(limit)
    .offset(skipped)
}

/**
 * Where the page that leaves out so many of all recipients begins, and how many there are: by the slices, which are written in the same
 * statement as their recipients. So nothing is counted, and a page reads the messages of a slice or two, however far down it is.
 */
export async function findRecipientPlace(
  ctx: Context,
  { projectId, campaignId }: RecipientListing,
  offset: number,
): Promise<RecipientPlace & { total: number }> {
  const [row] = await ctx.sql<{ after: string; skipped: number; total: number }[]>`
    select after, ${offset}::bigint - before as skipped, coalesce(total, 0) as total
      from (select after, sum(recipients) over (order by after) - recipients as before, sum(recipients) over () as total
              from campaign_slices
             where project_id = ${projectId}::uuid and campaign_id = ${campaignId}::uuid) as slices
     where before <= ${offset}::bigint
     order by after desc limit 1`
  return row ?? { after: null, skipped: 0, total: 0 }
}

export async function countRecipients(ctx: Context, listing: RecipientListing): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(emails).where(isListed(listing))
  return row?.total ?? 0
}

function isListed({
  projectId,
  campaignId,
  status,
  reaction,
  link,
  variant,
}: RecipientListing): SQL | undefined {
  return and(
    eq(emails.projectId, projectId),
    eq(emails.campaignId, campaignId),
    status && eq(emails.status, status),
    reaction && reactionOf[reaction](),
    link === undefined ? undefined : hasFollowed(projectId, campaignId, link),
    variant && getsVariant(campaignId, variant),
  )
}

/** Needs the contact's id alone, which the index of the campaign has. */
function getsVariant(campaignId: string, { number, split, winner }: VariantAsked): SQL {
  const tried = triedOnIn(split, sql`${campaignId}::uuid`, sql`${emails.contactId}`)
  return sql`coalesce(${tried}, ${winner}::int) = ${number}::int`
}

const reactionOf: Record<Reaction, () => SQL | undefined> = {
  opened: () => isNotNull(emails.openedAt),
  notOpened: () => and(isNotNull(emails.sentAt), isNull(emails.openedAt)),
  clicked: () => isNotNull(emails.clickedAt),
  notClicked: () => and(isNotNull(emails.sentAt), isNull(emails.clickedAt)),
  bounced: () => isNotNull(emails.bouncedAt),
  complained: () => isNotNull(emails.complainedAt),
  failed: () => eq(emails.status, 'FAILED'),
}

function hasFollowed(projectId: string, campaignId: string, link: string): SQL {
  return sql`exists (
    select 1 from campaign_clicks k
     where k.project_id = ${projectId}::uuid and k.campaign_id = ${campaignId}::uuid and k.link_hash = md5(${link})::uuid
       and k.contact_id = ${emails.contactId})`
}
