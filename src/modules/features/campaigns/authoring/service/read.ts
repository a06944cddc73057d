// Reading campaigns: one and many.
import { badRequest } from '../../../../../lib/errors'
import { direction, namedSortKeys, type Page, pageOf, sortKey } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import type { CountedCampaign, ListQuery } from '../../model'
import { type CampaignListing, countCampaigns, selectCampaigns } from '../../queries'
import { selectCampaignCounts } from '../../results/queries/counts'
import { campaignStatuses } from '../../schema'
import { counted, requireCampaign } from '../../service'

export async function getCampaign(ctx: Context, projectId: string, id: string): Promise<CountedCampaign> {
  return counted(ctx, await requireCampaign(ctx, projectId, id))
}

export interface Paged<T> {
  rows: T[]
  page: Page
  total: number
}

/** Unknown sort keys and directions count as the default; an unknown status is 400. */
export async function listCampaigns(
  ctx: Context,
  projectId: string,
  query: ListQuery,
): Promise<Paged<CountedCampaign>> {
  const page = pageOf(query)
  const listing: CampaignListing = {
    status: readWord('status', query.status, campaignStatuses),
    search: query.search?.trim() || undefined,
    sort: sortKey(query.sort, namedSortKeys, 'createdAt'),
    dir: direction(query.dir),
  }
  const [rows, total] = await Promise.all([
    selectCampaigns(ctx, projectId, listing, page),
    countCampaigns(ctx, projectId, listing),
  ])
  const counts = await selectCampaignCounts(
    ctx,
    projectId,
    rows.map(row => row.id),
  )
  return { rows: rows.map(row => ({ row, counts: counts.get(row.id)! })), page, total }
}

export function readWord<S extends string>(
  member: string,
  asked: string | undefined,
  known: readonly S[],
): S | undefined {
  if (!asked) return undefined
  const word = known.find(each => each === asked)
  if (!word) throw badRequest(`Invalid ${member} value`, { details: { [member]: asked, allowed: known } })
  return word
}
