// Drafts: creating, changing and deleting them; copying is in duplicate.ts. Everything that can be refused is refused before anything is written.
import { normaliseEmail } from '../../../../../lib/address'
import { differing, isEmpty } from '../../../../../lib/differing'
import { invalid } from '../../../../../lib/errors'
import { type Context, inTransaction, newId, Overtaken } from '../../../../../platform/context'
import { anyChange, type LiveRule } from '../../../../accounts/projects'
import { requireOffered } from '../../../../audience/topics'
import { requireVerifiedSender } from '../../../../sending/domains'
import {
  editorAfter,
  editorFaults,
  holdNamedLayout,
  messageFaults,
  refuseNoRoom,
  refuseOldVersion,
} from '../../../../sending/templates'
import { type CountedCampaign, type CreateBody, toCampaign, type UpdateBody } from '../../model'
import {
  type CampaignChanges,
  type CampaignRow,
  changeCampaign,
  deleteCampaign,
  insertCampaign,
  lockCampaign,
  selectCampaign,
} from '../../queries'
import { campaignNotFound, counted, requireCampaign } from '../../service'
import { requireAllowed } from '../../state'
import type { Audience } from '../queries/audience'
import { type GivenTiming, readTiming, type Timing, timingFault } from '../timing'
import { checkAbTest, storeAbTest } from './ab-tests'
import { checkAudience, countRecipientsOf, holdAudience, requireComparableAudience } from './audience'
import { brokenMessage } from './syntax'
import { isCampaignDue } from './usage'

/** 422 for faulty members, 400 for a missing companion, 403 for the sender, 404 for a segment. A draft may be broken until it is sent. */
export async function createCampaign(
  ctx: Context,
  projectId: string,
  body: CreateBody,
): Promise<CountedCampaign> {
  const { fromEmail, replyTo } = checkMessage(body)
  const timing = checkTiming(body.timing ?? null)
  const audience = checkAudience({
    projectId,
    type: body.type ?? 'MARKETING',
    audienceType: body.audienceType,
    segmentId: body.segmentId ?? null,
    audienceCondition: body.audienceCondition ?? null,
    topicId: body.topicId ?? null,
  })
  await requireComparableAudience(ctx, audience)
  checkAbTest(body.abTest)
  refuseNoRoom(body.body, body.layoutId)
  await requireVerifiedSender(ctx, projectId, fromEmail!)
  return inTransaction(ctx, async tx => {
    await holdAudience(tx, audience)
    if (body.topicId) await requireOffered(tx, projectId, body.topicId)
    await holdNamedLayout(tx, projectId, body.layoutId)
    const row = newDraft(tx, {
      ...audience,
      name: body.name,
      description: body.description ?? null,
      subject: body.subject,
      body: body.body,
      editor: body.editor ?? null,
      layoutId: body.layoutId ?? null,
      fromEmail: fromEmail!,
      fromName: body.fromName ?? null,
      replyTo: replyTo ?? null,
      timing,
      totalRecipients: await countRecipientsOf(tx, audience),
    })
    await insertCampaign(tx, row)
    await storeAbTest(tx, row, body.abTest)
    return counted(tx, row)
  })
}

type DraftMembers = Audience &
  Pick<
    CampaignRow,
    | 'name'
    | 'description'
    | 'subject'
    | 'body'
    | 'editor'
    | 'layoutId'
    | 'fromEmail'
    | 'fromName'
    | 'replyTo'
    | 'timing'
    | 'totalRecipients'
  >

export function newDraft(ctx: Context, members: DraftMembers): CampaignRow {
  const now = ctx.clock.now()
  return {
    ...members,
    joinedBody: null,
    id: newId(ctx),
    status: 'DRAFT',
    scheduledFor: null,
    sentAt: null,
    finishedAt: null,
    pausedAt: null,
    pausedReason: null,
    probeAt: null,
    probes: 0,
    boundary: null,
    expandedTo: null,
    isExpanded: false,
    inArchive: false,
    measuredFrom: null,
    measuredBase: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** Returns the addresses in their stored spelling; undefined if they were not given. */
function checkMessage(body: UpdateBody): { fromEmail?: string; replyTo?: string | null } {
  const from = body.from === undefined ? undefined : normaliseEmail(body.from)
  const replyTo = body.replyTo ? normaliseEmail(body.replyTo) : body.replyTo === '' ? null : body.replyTo
  const faults = [...messageFaults({ ...body, from, replyTo }), ...editorFaults(body.editor)]
  if (faults.length > 0) throw invalid(faults)
  return {
    ...(from === undefined ? {} : { fromEmail: from }),
    ...(replyTo === undefined ? {} : { replyTo }),
  }
}

/** 422 where its parts contradict each other. */
function checkTiming(given: GivenTiming | null): Timing | null {
  const timing = readTiming(given)
  const fault = timing && timingFault(timing)
  if (fault) throw invalid([{ field: `timing.${fault[0]}`, message: fault[1], code: 'custom' }])
  return timing
}

type Members = Omit<UpdateBody, 'expectedVersion'>

/** Members that say something together: one that differs is read beside the others. */
const together: ReadonlyArray<ReadonlyArray<keyof Members>> = [
  ['body', 'editor'],
  ['audienceType', 'audienceCondition'],
]

/** What differs from the campaign as it is answered. An audience type without what it needs is refused, also the present one. */
function changesOf({ expectedVersion: _, ...members }: UpdateBody, stored: CountedCampaign): Members {
  const { audienceType, audienceCondition, segmentId } = members
  const isAlone =
    (audienceType === 'FILTERED' && audienceCondition === undefined) ||
    (audienceType === 'SEGMENT' && segmentId === undefined)
  const changes = differing(members, toCampaign(stored), together)
  return isAlone ? { ...changes, audienceType } : changes
}

/** Absent members keep their value, null clears. A scheduled campaign stays scheduled and readable, and its segment stays what it is. */
export async function updateCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  given: UpdateBody,
  rule: LiveRule = anyChange,
): Promise<CountedCampaign> {
  checkMessage(given)
  checkAbTest(given.abTest)
  const broken = await brokenMessage(projectId, [given, ...(given.abTest?.variants ?? [])])
  return inTransaction(ctx, async tx => {
    // A scheduled campaign may come to name another layout or segment. A draft reaches nobody, and stores itself every few seconds: it keeps
    // nobody else of the project waiting.
    const turnsOn = (await selectCampaign(tx, projectId, id))?.status !== 'DRAFT'
    await rule(tx, { isLive: () => isCampaignDue(tx, projectId, id), turnsOn })
    const row = await lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    if (!turnsOn && row.status !== 'DRAFT') throw new Overtaken('the draft was scheduled meanwhile')
    const stored = await counted(tx, row)
    const body = changesOf(given, stored)
    if (!isEmpty(body)) requireAllowed('update', row)
    refuseOldVersion(row.version, given.expectedVersion)
    if (isEmpty(body)) return stored
    const addresses = checkMessage(body)
    if (body.segmentId !== undefined) requireAllowed('changeSegment', row)
    const audience = changedAudience(row, body)
    if (broken && row.status !== 'DRAFT') throw broken
    refuseNoRoom(body.body ?? row.body, body.layoutId === undefined ? row.layoutId : body.layoutId)
    await holdNamedLayout(tx, projectId, body.layoutId)
    if (addresses.fromEmail !== undefined) await requireVerifiedSender(tx, projectId, addresses.fromEmail)
    const changes: CampaignChanges = { ...plainChanges(body), ...editorAfter(body), ...addresses }
    if (body.timing !== undefined) changes.timing = checkTiming(body.timing)
    if (body.topicId && body.topicId !== row.topicId) await requireOffered(tx, projectId, body.topicId)
    if (audience && !Bun.deepEquals(audience.audienceCondition, row.audienceCondition))
      await requireComparableAudience(tx, audience)
    if (audience) {
      await holdAudience(tx, audience)
      Object.assign(changes, audience)
      // Also of a scheduled one: what its owner sees is how many it will reach.
      changes.totalRecipients = await countRecipientsOf(tx, audience)
    }
    const changed = await changeCampaign(tx, row, 'update', changes)
    await storeAbTest(tx, changed!, body.abTest)
    return counted(tx, changed!)
  })
}

function plainChanges(given: UpdateBody): CampaignChanges {
  const { name, description, subject, body, layoutId, fromName, type } = given
  const named = Object.entries({ name, description, subject, body, layoutId, fromName, type })
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

/** The new audience, or undefined if the body does not touch it. A type that needs a companion has to bring it along. */
function changedAudience(row: CampaignRow, body: UpdateBody): Audience | undefined {
  const { type, audienceType, segmentId, audienceCondition, topicId } = body
  if ([type, audienceType, segmentId, audienceCondition, topicId].every(member => member === undefined))
    return undefined
  // A type that is given again needs its companion given with it.
  const keeps = audienceType === undefined
  return checkAudience({
    projectId: row.projectId,
    type: type ?? row.type,
    audienceType: audienceType ?? row.audienceType,
    segmentId: segmentId === undefined ? (keeps ? row.segmentId : null) : segmentId,
    audienceCondition:
      audienceCondition === undefined ? (keeps ? row.audienceCondition : null) : audienceCondition,
    topicId: topicId === undefined ? row.topicId : topicId,
  })
}

/** Drafts only. */
export async function removeCampaign(ctx: Context, projectId: string, id: string): Promise<void> {
  if (await deleteCampaign(ctx, projectId, id)) return
  requireAllowed('delete', await requireCampaign(ctx, projectId, id))
  // It changed between the two statements; its state allows it now.
  await removeCampaign(ctx, projectId, id)
}
