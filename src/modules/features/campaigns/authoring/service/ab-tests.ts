// A/B tests as they are written: checked, kept with their draft, and copied with it.
import { type FieldError, invalid } from '../../../../../lib/errors'
import { type Context, newId } from '../../../../../platform/context'
import { editorFaults, messageFaults, refuseNoRoom } from '../../../../sending/templates'
import type { CampaignRow } from '../../queries'
import { countedEnds, evenEnds, mostCounted, tooFewFor } from '../ab-test'
import type { GivenAbTest, GivenVariant } from '../ab-test-model'
import {
  keepEnds,
  replaceAbTest,
  type StoredAbTest,
  selectAbTest,
  selectPlaces,
  selectVariants,
} from '../queries/ab-tests'
import { audienceQuery } from './audience'

/** 422 where a variant is faulty or says nothing of its own. */
export function checkAbTest(given: GivenAbTest | null | undefined): void {
  const faults = (given?.variants ?? []).flatMap(faultsOf)
  if (faults.length > 0) throw invalid(faults)
}

function faultsOf(variant: GivenVariant, index: number): FieldError[] {
  const at = `abTest.variants.${index}`
  const { subject, fromName, body, editor } = variant
  if (!subject && !fromName && !body)
    return [{ field: at, message: 'must have a subject, fromName or body of its own', code: 'custom' }]
  const message = { subject: subject ?? undefined, fromName }
  return [...messageFaults(message), ...editorFaults(editor)].map(fault => ({
    ...fault,
    field: `${at}.${fault.field}`,
  }))
}

type Owner = Pick<CampaignRow, 'id' | 'projectId' | 'layoutId'>

/** Writes what a request gives: undefined leaves what is there, null removes it. The caller has locked the draft. */
export async function storeAbTest(
  tx: Context,
  owner: Owner,
  given: GivenAbTest | null | undefined,
): Promise<void> {
  const key = { projectId: owner.projectId, campaignId: owner.id }
  if (given === undefined) return await refuseNoRoomFor(tx, owner)
  if (given === null) return await replaceAbTest(tx, key, undefined)
  for (const { body } of given.variants) refuseNoRoom(body ?? undefined, owner.layoutId)
  const { variants, share, metric = 'CLICKS', afterHours, confidence = 95, otherwise = 'A' } = given
  const ends = evenEnds({ variants: variants.length + 1, share })
  const row = { ...key, ...undecided, share, ends, metric, afterHours, confidence, otherwise }
  const rows = [{}, ...variants].map((variant: GivenVariant, number) => ({
    id: newId(tx),
    ...key,
    number,
    subject: variant.subject || null,
    fromName: variant.fromName || null,
    body: variant.body || null,
    joinedBody: null,
    editor: variant.body ? (variant.editor ?? null) : null,
  }))
  await replaceAbTest(tx, key, { ...row, variants: rows })
}

/** When the campaign's layout changes, the variants have to fit into it as well. */
async function refuseNoRoomFor(tx: Context, { id, projectId, layoutId }: Owner): Promise<void> {
  if (!layoutId) return
  for (const { body } of await selectVariants(tx, projectId, id)) refuseNoRoom(body ?? undefined, layoutId)
}

const undecided = {
  dueAt: null,
  judgedAt: null,
  figures: null,
  winner: null,
  decidedAt: null,
  decidedBy: null,
}

/** The same test for a copy of the campaign. `isJoined`: its layout is gone, and its bodies are as they left. */
export async function copyAbTest(
  tx: Context,
  original: Pick<CampaignRow, 'id' | 'projectId'>,
  copyId: string,
  isJoined: boolean,
): Promise<void> {
  const test = await selectAbTest(tx, original.projectId, original.id)
  if (!test) return
  const key = { projectId: original.projectId, campaignId: copyId }
  const variants = test.variants.map(variant => {
    const kept = isJoined ? variant.joinedBody : null
    const content = kept === null ? {} : { body: kept, editor: null }
    return { ...variant, ...key, ...content, id: newId(tx), joinedBody: null }
  })
  const ends = evenEnds(planOf(test))
  await replaceAbTest(tx, key, { ...test, ...undecided, ...key, ends, variants } satisfies StoredAbTest)
}

const planOf = ({ variants, share }: StoredAbTest) => ({ variants: variants.length, share })

/** 422 where a variant would be sent to no recipient of so many. */
export async function refuseTooFew(tx: Context, campaign: CampaignRow, recipients: number): Promise<void> {
  const test = await selectAbTest(tx, campaign.projectId, campaign.id)
  const message = test && tooFewFor(planOf(test), recipients)
  if (message) throw invalid([{ field: 'abTest.share', message, code: 'too_small' }])
}

/** Settles who gets which variant, when sending begins to so many: exactly as many as the share says, where they can be counted. */
export async function divideAudience(tx: Context, campaign: CampaignRow, recipients: number): Promise<void> {
  const { projectId, id } = campaign
  const test = await selectAbTest(tx, projectId, id)
  if (!test || recipients > mostCounted) return
  const places = await selectPlaces(tx, await audienceQuery(tx, campaign), id)
  await keepEnds(tx, { projectId, campaignId: id }, countedEnds(planOf(test), places))
}
