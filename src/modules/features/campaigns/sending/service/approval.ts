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
  requireApproval,
  selectNameOfProject,
  systemActor,
} from '../../../../accounts/projects'
import { holdNamedLayout, refuseOldVersion } from '../../../../sending/templates'
import { inFilterTurn, reachedSegments } from '../../../segments'
import { countRecipientsOf, segmentsOfAudience } from '../../authoring/service/audience'
import { joinedBodies } from '../../authoring/service/variants'
import { type CampaignRow, changeCampaign, lockCampaign } from '../../queries'
import { campaignNotFound, noteCampaign, requireCampaign } from '../../service'
import { requireAllowed } from '../../state'
import type { CampaignApproval } from '../approval-model'

/**
 * Text, sender, variants, audience and rules of a campaign are its version. Beside it is what is not the campaign's own: the bodies as they
 * are sent, with layout and brand in them, the project's name where the sender has none, and the conditions of the segments that the audience
 * names, however indirectly. Who is in them is a number, which may grow a little.
 */
async function fingerprintOf(ctx: Context, row: CampaignRow): Promise<string> {
  const { projectId, id, version } = row
  const bodies = await joinedBodies(ctx, row)
  const sender = row.fromName || (await selectNameOfProject(ctx, projectId))
  const segments = await reachedSegments(ctx, projectId, segmentsOfAudience(row))
  const parts = JSON.stringify([id, version, bodies, sender, segments])
  return new Bun.CryptoHasher('sha256').update(parts).digest('hex')
}

/** What is to be approved, or was, but for the number of recipients. */
export async function campaignFacts(
  ctx: Context,
  row: CampaignRow,
  scheduledFor: Date | null,
): Promise<Omit<ApprovalFacts, 'recipients'>> {
  return { campaignId: row.id, fingerprint: await fingerprintOf(ctx, row), scheduledFor }
}

/** In a request, within what the project may take of the database. */
const countInTurn = (ctx: Context, row: CampaignRow): Promise<number> =>
  inFilterTurn(ctx, row.projectId, heavy => countRecipientsOf(heavy, row))

/** Of a scheduled campaign the time is its own. Asking again takes the place of what was asked and decided before. */
export async function askForApproval(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  scheduledFor: Date | null,
): Promise<CampaignApproval> {
  const { projectId, by } = actor
  const seen = await requireCampaign(ctx, projectId, id)
  requireAllowed('send', seen)
  const recipients = await countInTurn(ctx, seen)
  await inTransaction(ctx, async tx => {
    const row = await lockOpen(tx, projectId, id)
    // Who was counted is its audience still.
    refuseOldVersion(row.version, seen.version)
    await holdNamedLayout(tx, projectId, row.layoutId)
    const facts = await campaignFacts(tx, row, row.scheduledFor ?? scheduledFor)
    await requestApproval(tx, actor, { ...facts, recipients })
    await noteCampaign(tx, by, 'campaign.approvalRequested', row, { recipients })
  })
  return await showApproval(ctx, projectId, id)
}

export interface GivenDecision {
  isApproved: boolean
  fingerprint: string
  /** Of the campaign, as the decider saw it. */
  expectedVersion?: number | undefined
  reason: string | null
}

export async function decideOnCampaign(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  { isApproved, fingerprint, expectedVersion, reason }: GivenDecision,
): Promise<CampaignApproval> {
  const { projectId, by } = actor
  await inTransaction(ctx, async tx => {
    const row = await lockOpen(tx, projectId, id)
    await holdNamedLayout(tx, projectId, row.layoutId)
    refuseOldVersion(row.version, expectedVersion)
    const facts = await campaignFacts(tx, row, row.scheduledFor)
    const state = isApproved ? 'APPROVED' : 'DECLINED'
    await decideRequest(tx, actor, facts, { state, fingerprint, reason })
    const details: AuditDetails = reason === null ? {} : { reason }
    await noteCampaign(tx, by, isApproved ? 'campaign.approved' : 'campaign.declined', row, details)
  })
  return await showApproval(ctx, projectId, id)
}

/** Where the approval stands now. */
export async function showApproval(ctx: Context, projectId: string, id: string): Promise<CampaignApproval> {
  const row = await requireCampaign(ctx, projectId, id)
  const shown = await describeApproval(ctx, projectId, id, {
    facts: approval => campaignFacts(ctx, row, row.scheduledFor ?? approval.scheduledFor),
    count: () => countInTurn(ctx, row),
  })
  return { ...shown, version: row.version }
}

async function lockOpen(tx: Context, projectId: string, id: string): Promise<CampaignRow> {
  const row = await lockCampaign(tx, projectId, id)
  if (!row) throw campaignNotFound(id)
  requireAllowed('send', row)
  return row
}

/**
 * For a campaign whose time has come. One that is not approved becomes a draft again, and the members get an email; true then. What was
 * approved to be sent at once is sent within the delay that Send was asked for with. Without `recipients`, their number is not judged.
 */
export async function returnUnapproved(tx: Context, row: CampaignRow, recipients?: number): Promise<boolean> {
  const { projectId, name } = row
  const fault = await missingApproval(tx, projectId, row.id, {
    facts: approval => plannedFacts(tx, row, approval),
    ...(recipients === undefined ? {} : { count: async () => recipients }),
  })
  if (fault === undefined) return false
  await changeCampaign(tx, row, 'unschedule', { status: 'DRAFT', scheduledFor: null, totalRecipients: 0 })
  await noteCampaign(tx, systemActor, 'campaign.approvalEnded', row, { reason: fault })
  await notifyMembers(tx, projectId, {
    subject: `The campaign "${name}" was not sent`,
    text: `The campaign "${name}" was due and was not sent, because it needs the approval of a second member: ${approvalWords(fault)}.\n\nIt is a draft again. Ask for approval, and schedule it anew:\n${tx.config.baseUrl}/app/p/${projectId}/campaigns/${row.id}\n`,
  })
  return true
}

/** Of a campaign whose time was chosen, or that was approved to be sent at once. */
function plannedFacts(tx: Context, row: CampaignRow, approval: Approval) {
  return campaignFacts(tx, row, approval.scheduledFor ? row.scheduledFor : null)
}

/**
 * For a campaign that started paused, with no recipient recorded: its audience may not have been counted, and much can change while it waits.
 * 409 without a valid approval.
 */
export async function requireApprovedStart(
  tx: Context,
  row: CampaignRow,
  count: () => Promise<number>,
): Promise<void> {
  await requireApproval(tx, row.projectId, row.id, {
    facts: approval => plannedFacts(tx, row, approval),
    count,
    suggestion:
      'Cancel the campaign, copy it with POST /campaigns/:id/duplicate, and request approval of the copy.',
  })
}
