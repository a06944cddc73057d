// Which campaigns use a field in their audience, a topic, a layout or a segment, for those who ask before they delete one.
import { readFilter } from '../../../../../filters/read'
import { fieldReferenceName, filterReferences } from '../../../../../filters/references'
import type { Context } from '../../../../../platform/context'
import type { SegmentUse } from '../../../segments'
import {
  countActiveNaming,
  holdUnexpanded,
  isDue,
  isLayoutScheduled,
  isSegmentInDue,
  namesTopic,
  selectCampaignsMentioning,
  selectLayoutUses,
} from '../queries/usage'

/** `field` with or without the prefix `data.`. Campaigns that were sent count too: they can be duplicated. */
export async function fieldsInCampaigns(
  ctx: Context,
  { projectId, field }: { projectId: string; field: string },
): Promise<{ campaigns: Array<{ id: string; name: string }> }> {
  const wanted = fieldReferenceName(field)
  // As the name is written inside JSON; conditions spell it with different prefixes.
  const text = JSON.stringify(wanted.replace(/^data\./, '')).slice(1, -1)
  const candidates = await selectCampaignsMentioning(ctx, projectId, text)
  const users = candidates.filter(campaign => names(campaign.audienceCondition, wanted))
  return { campaigns: users.map(({ id, name }) => ({ id, name })) }
}

export async function topicInCampaigns(
  ctx: Context,
  { projectId, topicId }: { projectId: string; topicId: string },
): Promise<boolean> {
  return await namesTopic(ctx, projectId, topicId)
}

export async function contentDueInCampaigns(
  ctx: Context,
  { projectId, layoutId }: { projectId: string; layoutId: string | null },
): Promise<boolean> {
  return layoutId !== null && (await isLayoutScheduled(ctx, projectId, layoutId))
}

export async function segmentDueInCampaigns(
  ctx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<boolean> {
  return await isSegmentInDue(ctx, projectId, segmentId.toLowerCase())
}

/** Names of those that are recording their recipients; those that are scheduled don't begin before the transaction ends. */
export async function segmentReadersInCampaigns(
  tx: Context,
  { projectId, segmentIds }: { projectId: string; segmentIds: readonly string[] },
): Promise<string[]> {
  const held = await holdUnexpanded(tx, projectId, segmentIds)
  return held.filter(({ status }) => status === 'SENDING').map(({ name }) => name)
}

/** Whether a campaign will reach people, or reaches them now, without anybody doing something more. */
export async function isCampaignDue(ctx: Context, projectId: string, id: string): Promise<boolean> {
  return await isDue(ctx, projectId, id)
}

function names(condition: unknown, field: string): boolean {
  const reading = readFilter(condition)
  if ('faults' in reading) return false
  return filterReferences(reading.predicate).some(each => each.kind === 'field' && each.name === field)
}

export async function layoutInCampaigns(
  ctx: Context,
  { projectId, layoutId, limit }: { projectId: string; layoutId: string; limit: number },
): Promise<{ count: number; newest: Array<{ id: string; name: string }> }> {
  return selectLayoutUses(ctx, projectId, layoutId, limit)
}

/** Drafts count as active: without the segment they would have nobody to be sent to. */
export async function segmentInCampaigns(
  tx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<SegmentUse> {
  return { noun: 'active campaign(s)', count: await countActiveNaming(tx, projectId, segmentId) }
}
