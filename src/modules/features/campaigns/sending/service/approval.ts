// Approval of campaigns: what is approved, asking, deciding, and what becomes of a scheduled one whose approval does not hold.
import { type Context, inTransaction } from '../../../../../platform/context'
import {
  type Approval,
  type ApprovalFacts,
  type AuditDetails,
  approvalWords,
  decideRequest,
  describeApproval,
  missingApproval,
  notifyMembers,
  type ProjectActor,
  requestApproval,
  type ShownApproval,
  selectAddresses,
  selectOpenRequests,
  systemActor,
} from '../../../../accounts/projects'
import { findLayoutBody, holdNamedLayout } from '../../../../sending/templates'
import { reachedSegments } from '../../../segments'
import { countRecipientsOf, segmentsOfAudience } from '../../authoring/service/audience'
import { type CampaignRow, changeCampaign, lockCampaign, selectNames } from '../../queries'
import { campaignNotFound, noteCampaign, requireCampaign } from '../../service'
import { requireAllowed } from '../../state'
import type { AwaitingApproval } from '../approval-model'

/**
 * Text, sender, variants, audience and rules of a campaign are its version; its layout and the conditions of the segments that its audience
 * names, however indirectly, are beside it. Who is in them is a number, which may grow a little.
 */
async function fingerprintOf(ctx: Context, row: CampaignRow): Promise<string> {
  const { projectId, id, version, layoutId } = row
  const layout = await findLayoutBody(ctx, projectId, layoutId)
  const segments = await reachedSegments(ctx, projectId, segmentsOfAudience(row))
  const parts = JSON.stringify([id, version, layoutId, layout ?? null, segments])
  return new Bun.CryptoHasher('sha256').update(parts).digest('hex')
}

/** A campaign, as approvals name it. */
export function subjectOf(id: string): Pick<ApprovalFacts, 'kind' | 'subjectId'> {
  return { kind: 'CAMPAIGN', subjectId: id.toLowerCase() }
}

interface Given {
  scheduledFor: Date | null
  /** If they are counted already. */
  recipients?: number
}

/** What is to be approved, or was. In a transaction, the layout stays as it is until that ends. */
export async function campaignFacts(
  ctx: Context,
  row: CampaignRow,
  { scheduledFor, recipients }: Given,
): Promise<ApprovalFacts> {
  return {
    ...subjectOf(row.id),
    fingerprint: await fingerprintOf(ctx, row),
    recipients: recipients ?? (await countRecipientsOf(ctx, row)),
    scheduledFor,
  }
}

/** Of a scheduled campaign the time is its own. Asking again takes the place of what was asked and decided before. */
export async function askForApproval(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  scheduledFor: Date | null,
): Promise<ShownApproval> {
  const { projectId, by } = actor
  await inTransaction(ctx, async tx => {
    const row = await lockOpen(tx, projectId, id)
    await holdNamedLayout(tx, projectId, row.layoutId)
    const facts = await campaignFacts(tx, row, { scheduledFor: row.scheduledFor ?? scheduledFor })
    await requestApproval(tx, actor, facts)
    await noteCampaign(tx, by, 'campaign.approvalRequested', row, { recipients: facts.recipients })
  })
  return await showApproval(ctx, projectId, id)
}

export interface GivenDecision {
  isApproved: boolean
  fingerprint: string
  reason: string | null
}

export async function decideOnCampaign(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  { isApproved, fingerprint, reason }: GivenDecision,
): Promise<ShownApproval> {
  const { projectId, by } = actor
  await inTransaction(ctx, async tx => {
    const row = await lockOpen(tx, projectId, id)
    await holdNamedLayout(tx, projectId, row.layoutId)
    const facts = await campaignFacts(tx, row, { scheduledFor: row.scheduledFor, recipients: 0 })
    const state = isApproved ? 'APPROVED' : 'DECLINED'
    await decideRequest(tx, actor, facts, { state, fingerprint, reason })
    const details: AuditDetails = reason === null ? {} : { reason }
    await noteCampaign(tx, by, isApproved ? 'campaign.approved' : 'campaign.declined', row, details)
  })
  return await showApproval(ctx, projectId, id)
}

/** Where the approval stands now. */
export async function showApproval(ctx: Context, projectId: string, id: string): Promise<ShownApproval> {
  const row = await requireCampaign(ctx, projectId, id)
  const facts = (approval: Approval | undefined) =>
    campaignFacts(ctx, row, { scheduledFor: row.scheduledFor ?? approval?.scheduledFor ?? null })
  return await describeApproval(ctx, projectId, subjectOf(id), facts)
}

async function lockOpen(tx: Context, projectId: string, id: string): Promise<CampaignRow> {
  const row = await lockCampaign(tx, projectId, id)
  if (!row) throw campaignNotFound(id)
  requireAllowed('send', row)
  return row
}

/**
 * For a campaign whose time has come. One that is not approved becomes a draft again, and the members get an email; true then. What was
 * approved to be sent at once is sent within the delay that Send was asked for with.
 */
export async function returnUnapproved(tx: Context, row: CampaignRow): Promise<boolean> {
  const { projectId, name } = row
  const fault = await missingApproval(tx, projectId, subjectOf(row.id), approval =>
    campaignFacts(tx, row, { scheduledFor: approval?.scheduledFor ? row.scheduledFor : null }),
  )
  if (fault === undefined) return false
  await changeCampaign(tx, row, 'unschedule', { status: 'DRAFT', scheduledFor: null, totalRecipients: 0 })
  await noteCampaign(tx, systemActor, 'campaign.approvalEnded', row, { reason: fault })
  await notifyMembers(tx, projectId, {
    subject: `The campaign "${name}" was not sent`,
    text: `The campaign "${name}" was due and was not sent, because it needs the approval of a second member: ${approvalWords(fault)}.\n\nIt is a draft again. Ask for approval, and schedule it anew:\n${tx.config.baseUrl}/app/p/${projectId}/campaigns/${row.id}\n`,
  })
  return true
}

/** Campaigns that somebody has asked approval for, oldest first. */
export async function listAwaiting(ctx: Context, projectId: string): Promise<AwaitingApproval[]> {
  const requests = await selectOpenRequests(ctx, projectId, 'CAMPAIGN')
  const names = await selectNames(
    ctx,
    projectId,
    requests.map(({ subjectId }) => subjectId),
  )
  return requests.flatMap(({ subjectId: id, ...request }) => {
    const name = names.get(id)
    return name === undefined ? [] : [{ id, name, ...request }]
  })
}

/** Whoever asked and decided, by their addresses. */
export async function approvalAddresses(
  ctx: Context,
  { approval }: ShownApproval,
): Promise<ReadonlyMap<string, string>> {
  const ids = [approval?.requestedBy, approval?.decidedBy].flatMap(id => id ?? [])
  return ids.length === 0 ? new Map() : await selectAddresses(ctx, ids)
}
