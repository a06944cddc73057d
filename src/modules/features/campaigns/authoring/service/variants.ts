// The variants of an A/B test as messages: which one a recipient gets, and what it says.
import { badRequest } from '../../../../../lib/errors'
import type { Context } from '../../../../../platform/context'
import { inLayout } from '../../../../sending/templates'
import type { CampaignRow } from '../../queries'
import type { SliceFacts } from '../../sending/queries/slices'
import { triedOn, type VariantName, variantNames } from '../ab-test'
import { keepJoinedBody, selectVariants, type VariantRow } from '../queries/ab-tests'

/** What a variant can have of its own. */
type Words = Pick<CampaignRow, 'subject' | 'fromName'>

/** The words of a variant; whatever it has none of its own for is the campaign's. */
export function inWordsOf<T extends Words>(own: T, variant: VariantRow): T {
  return { ...own, subject: variant.subject ?? own.subject, fromName: variant.fromName || own.fromName }
}

/** The slice as each of its recipients gets it: the variant that is tried on them, or the winner. */
export async function variantsOfSlice(
  ctx: Context,
  slice: SliceFacts,
): Promise<(contactId: string) => SliceFacts> {
  const { abTest, projectId, campaignId } = slice
  if (!abTest) return () => slice
  const variants = await selectVariants(ctx, projectId, campaignId)
  const slices = variants.map(variant => ({
    ...inWordsOf(slice, variant),
    body: variant.joinedBody ?? variant.body ?? slice.body,
  }))
  return contactId => slices[triedOn(abTest, campaignId, contactId) ?? abTest.winner ?? 0]!
}

/** The campaign as if it were one of its variants; 400 for one that it does not have. */
export async function asVariant(
  ctx: Context,
  campaign: CampaignRow,
  name: VariantName | undefined,
): Promise<CampaignRow> {
  if (name === undefined || name === 'A') return campaign
  const variants = await selectVariants(ctx, campaign.projectId, campaign.id)
  const variant = variants[variantNames.indexOf(name)]
  if (!variant) throw noVariant(name)
  const words = inWordsOf(campaign, variant)
  return variant.body === null ? words : { ...words, body: variant.body, joinedBody: variant.joinedBody }
}

export function noVariant(name: VariantName) {
  return badRequest(`The campaign has no variant ${name}`, { details: { variant: name } })
}

/** When sending begins: from then on neither layout nor brand is looked up. Null where the body is sent as it is. */
export async function keepJoinedBodies(tx: Context, campaign: CampaignRow): Promise<string | null> {
  const { projectId, id, layoutId } = campaign
  for (const variant of await selectVariants(tx, projectId, id)) {
    const joined = variant.body === null ? null : await inLayout(tx, projectId, layoutId, variant.body)
    if (joined !== null && joined !== variant.body) await keepJoinedBody(tx, variant, joined)
  }
  const joined = await joinedBody(tx, campaign)
  return joined === campaign.body ? null : joined
}

/** All bodies as `keepJoinedBodies` would keep them now, A first; once sending has begun, as they were kept. Null for a variant that has none of its own. */
export async function joinedBodies(ctx: Context, campaign: CampaignRow): Promise<Array<string | null>> {
  const { projectId, id, layoutId } = campaign
  const bodies: Array<string | null> = [await joinedBody(ctx, campaign)]
  for (const { body, joinedBody: kept } of await selectVariants(ctx, projectId, id))
    bodies.push(body === null ? null : (kept ?? (await inLayout(ctx, projectId, layoutId, body))))
  return bodies
}

/** The body as it would be sent now; once sending has begun, as it was then. */
export async function joinedBody(
  ctx: Context,
  { projectId, layoutId, body, joinedBody: kept }: CampaignRow,
): Promise<string> {
  return kept ?? (await inLayout(ctx, projectId, layoutId, body))
}
