// The results of a campaign in detail: links, hours, and its recipients as a file or as a segment.
import { csvLine, guardCell } from '../../../../../lib/csv'
import { badRequest } from '../../../../../lib/errors'
import { after, day } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { sentenceOf } from '../../../../../platform/transports/reason'
import { addContacts, createSegment, type SegmentRow } from '../../../segments'
import { requireCampaign } from '../../service'
import { type Hour, type LinkClicks, selectHours, selectLinkClicks } from '../queries/clicks'
import {
  countRecipients,
  type RecipientListing,
  type RecipientRow,
  selectRecipients,
} from '../queries/recipients'
import type { RecipientFilter } from '../recipient-filter'
import { readRecipientFilter, type VariantOf } from './recipients'

const maxLinks = 200
const watchedMs = 30 * day

export async function campaignLinks(ctx: Context, projectId: string, id: string): Promise<LinkClicks[]> {
  await requireCampaign(ctx, projectId, id)
  return selectLinkClicks(ctx, projectId, id, maxLinks)
}

export async function campaignTimeline(ctx: Context, projectId: string, id: string): Promise<Hour[]> {
  const { sentAt } = await requireCampaign(ctx, projectId, id)
  return sentAt ? selectHours(ctx, projectId, id, after(sentAt, watchedMs)) : []
}

const pageSize = 1_000

const titles = ['email', 'status', 'sentAt', 'deliveredAt', 'openedAt', 'clickedAt', 'bouncedAt', 'lastError']

/** The name of the campaign, and the lines of a CSV file, a page at a time. Refusals come before the first line. */
export async function exportRecipients(
  ctx: Context,
  projectId: string,
  id: string,
  filter: RecipientFilter,
): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  const { name } = await requireCampaign(ctx, projectId, id)
  const { listing, variantOf } = await readRecipientFilter(ctx, projectId, id, filter)
  return { name, lines: linesOf(ctx, listing, variantOf) }
}

async function* linesOf(
  ctx: Context,
  listing: RecipientListing,
  variantOf: VariantOf | undefined,
): AsyncGenerator<string> {
  yield csvLine([...titles, ...(variantOf ? ['variant'] : [])])
  for await (const rows of pagesOf(ctx, listing)) yield rows.map(row => lineOf(row, variantOf)).join('')
}

async function* pagesOf(ctx: Context, listing: RecipientListing): AsyncGenerator<RecipientRow[]> {
  let last: string | null = null
  for (;;) {
    const rows: RecipientRow[] = await selectRecipients(ctx, listing, { after: last, skipped: 0 }, pageSize)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    last = rows.at(-1)!.contactId
  }
}

function lineOf(row: RecipientRow, variantOf: VariantOf | undefined): string {
  const moments = [row.sentAt, row.deliveredAt, row.openedAt, row.clickedAt, row.bouncedAt]
  return csvLine([
    guardCell(row.toEmail),
    row.status,
    ...moments.map(moment => moment?.toISOString() ?? ''),
    guardCell(sentenceOf(row) ?? ''),
    ...(variantOf ? [variantOf(row.contactId) ?? ''] : []),
  ])
}

const maxMembers = 100_000

/** A static segment of the recipients that match the filter; 400 where there are too many for one transaction. */
export async function segmentOfRecipients(
  ctx: Context,
  projectId: string,
  id: string,
  { name, ...filter }: RecipientFilter & { name: string },
): Promise<SegmentRow> {
  const { listing } = await readRecipientFilter(ctx, projectId, id, filter)
  const total = await countRecipients(ctx, listing)
  if (total > maxMembers)
    throw badRequest(`A segment is made of at most ${maxMembers} recipients, and these are ${total}`)
  return inTransaction(ctx, async tx => {
    const segment = await createSegment(tx, projectId, { name, type: 'STATIC' })
    let memberCount = 0
    for await (const rows of pagesOf(tx, listing))
      memberCount += await addContacts(
        tx,
        projectId,
        segment.id,
        rows.map(row => row.contactId),
      )
    return { ...segment, memberCount }
  })
}
