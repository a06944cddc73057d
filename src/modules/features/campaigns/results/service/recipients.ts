// The figures of a campaign, and its recipients.
import { type Cursor, cursorInteger, decodeCursor, encodeCursor } from '../../../../../lib/cursor'
import { type Page, pageOf } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import { personName, selectDataOf } from '../../../../audience/contacts'
import { emailStatuses } from '../../../../sending/emails'
import { triedOn, type VariantName, variantNames } from '../../authoring/ab-test'
import { selectAbTest } from '../../authoring/queries/ab-tests'
import { getCampaign, type Paged, readWord } from '../../authoring/service/read'
import type { CountedCampaign } from '../../model'
import { type CampaignRow, selectSentBefore } from '../../queries'
import { requireCampaign } from '../../service'
import { type CampaignProgress, progressOf } from '../progress'
import { selectCampaignCounts } from '../queries/counts'
import {
  countRecipients,
  findRecipientPlace,
  type RecipientListing,
  type RecipientPlace,
  type RecipientRow,
  selectRecipients,
} from '../queries/recipients'
import { type RecipientFilter, type RecipientsQuery, reactions } from '../recipient-filter'
import { mostCompared, type UsualRates, usualOf } from '../usual'

export async function campaignStats(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<{ campaign: CountedCampaign; progress: CampaignProgress; usual: UsualRates | null }> {
  const campaign = await getCampaign(ctx, projectId, id)
  const { row, counts, abTest } = campaign
  const facts = { ...row, settled: counts.settled, isTesting: abTest?.winner === null }
  return { campaign, progress: progressOf(facts, ctx.clock.now()), usual: await usualFor(ctx, row) }
}

/** Of the campaigns before it, with the same topic where there are enough. */
async function usualFor(
  ctx: Context,
  { projectId, sentAt, topicId }: Pick<CampaignRow, 'projectId' | 'sentAt' | 'topicId'>,
): Promise<UsualRates | null> {
  if (!sentAt) return null
  for (const of of topicId === null ? [null] : [topicId, null]) {
    const ids = await selectSentBefore(ctx, projectId, sentAt, { topicId: of, limit: mostCompared })
    const usual = usualOf([...(await selectCampaignCounts(ctx, projectId, ids)).values()])
    if (usual) return usual
  }
  return null
}

/** The variant of a contact; null where it waits for the winner. */
export type VariantOf = (contactId: string) => VariantName | null

/** What is listed, and who gets what where variants are tried. */
export interface AskedRecipients {
  listing: RecipientListing
  /** Undefined for a campaign without an A/B test. */
  variantOf: VariantOf | undefined
}

/** 404 for a campaign that is not there, 400 for a word that means nothing. */
export async function readRecipientFilter(
  ctx: Context,
  projectId: string,
  id: string,
  { status, reaction, link, variant }: RecipientFilter,
): Promise<AskedRecipients> {
  const { id: campaignId } = await requireCampaign(ctx, projectId, id)
  const test = await selectAbTest(ctx, projectId, campaignId)
  const split = { ends: test?.ends ?? [] }
  const winner = test?.winner ?? null
  const names = variantNames.slice(0, test?.variants.length ?? 0)
  const asked = readWord('variant', variant, names)
  return {
    listing: {
      ...{ projectId, campaignId },
      status: readWord('status', status, emailStatuses),
      reaction: readWord('reaction', reaction, reactions),
      link: link || undefined,
      ...(asked ? { variant: { number: names.indexOf(asked), split, winner } } : {}),
    },
    variantOf: test && (contactId => names[triedOn(split, campaignId, contactId) ?? winner ?? -1] ?? null),
  }
}

export interface RecipientPage extends Paged<RecipientRow>, Pick<AskedRecipients, 'variantOf'> {
  /** Null for contacts without a name, and for those that are gone. */
  nameOf: (contactId: string) => string | null
  /** Asks for the next page; null at the end. */
  cursor: string | null
}

/** In the order in which they are sent. */
export async function listRecipients(
  ctx: Context,
  projectId: string,
  id: string,
  query: RecipientsQuery,
): Promise<RecipientPage> {
  const position = decodeCursor(query.cursor)
  const { listing, variantOf } = await readRecipientFilter(ctx, projectId, id, query)
  const page = pageOf(query)
  const { found, total } = await readPage(ctx, listing, page, position)
  const rows = found.slice(0, page.pageSize)
  const next = found.length > rows.length ? rows.at(-1) : undefined
  const cursor = next ? encodeCursor({ value: total, id: next.contactId }) : null
  const data = await selectDataOf(
    ctx,
    projectId,
    rows.map(row => row.contactId),
  )
  const nameOf = (contactId: string): string | null => personName(data.get(contactId) ?? {})
  return { rows, page, total, variantOf, nameOf, cursor }
}

interface Found {
  /** One more than the page has room for, where there is more. */
  found: RecipientRow[]
  total: number
}

/** Who fits a filter is counted for a page by number alone: that takes longer than reading the page. */
async function readPage(
  ctx: Context,
  listing: RecipientListing,
  { pageSize, offset }: Page,
  position: Cursor | undefined,
): Promise<Found> {
  const from = (place: RecipientPlace) => selectRecipients(ctx, listing, place, pageSize + 1)
  if (position)
    return { total: cursorInteger(position), found: await from({ after: position.id, skipped: 0 }) }
  if (!isFiltered(listing)) {
    const { total, ...place } = await findRecipientPlace(ctx, listing, offset)
    return { total, found: await from(place) }
  }
  const [found, total] = await Promise.all([
    from({ after: null, skipped: offset }),
    countRecipients(ctx, listing),
  ])
  return { total, found }
}

function isFiltered({ projectId: _, campaignId: __, ...filter }: RecipientListing): boolean {
  return Object.values(filter).some(each => each !== undefined)
}
