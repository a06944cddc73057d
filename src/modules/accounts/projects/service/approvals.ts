// Approval by a second person: asking for it, giving or declining it, and requiring it before something reaches people.
import { type AppError, conflict, forbidden } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { selectUser } from '../../users'
import {
  type Approval,
  type ApprovalFacts,
  type ApprovalFault,
  approvalFault,
  approvalWords,
} from '../approval'
import {
  type ApprovalDecision,
  countProvedMembers,
  decideApproval,
  isApprovalRequired,
  putApprovalRequest,
  selectApproval,
} from '../queries'
import { may, requireRight } from '../roles'
import { roles } from '../schema'
import type { ProjectActor } from './settings'

type Facts = Omit<ApprovalFacts, 'recipients'>

/** What is so now, beside what was approved. */
export interface Present {
  facts: (approval: Approval) => Promise<Facts>
  /** Asked last, and only if it decides: it may read all contacts. Left out where the number is judged later. */
  count?: () => Promise<number>
}

async function presentFault(
  approval: Approval | undefined,
  { facts, count }: Present,
): Promise<ApprovalFault | undefined> {
  if (!approval) return 'missing'
  const uncounted = { ...(await facts(approval)), recipients: null }
  const fault = approvalFault(approval, uncounted)
  if (fault !== undefined || !count || approval.recipients === null) return fault
  return approvalFault(approval, { ...uncounted, recipients: await count() })
}

/** Throws 409 if the project requires no approval. */
export async function requestApproval(tx: Context, actor: ProjectActor, facts: ApprovalFacts): Promise<void> {
  if (!(await isApprovalRequired(tx, actor.projectId)))
    throw conflict('This project does not require approval', {
      suggestion: 'Send it, or turn approval on in the settings of the project.',
    })
  await putApprovalRequest(tx, actor.projectId, facts, actor.by)
}

/** Approves or declines the version that was looked at. 403 for the member who requested it, 409 if it is decided already or has changed. */
export async function decideRequest(
  tx: Context,
  actor: ProjectActor,
  facts: Facts,
  given: Omit<ApprovalDecision, 'by'>,
): Promise<void> {
  const { projectId, by } = actor
  const stored = await selectApproval(tx, projectId, facts.campaignId)
  if (stored?.requestedBy === by)
    throw forbidden('FORBIDDEN', 'You requested this approval, so another member has to decide', {
      suggestion: 'Ask another member who may send.',
    })
  if (given.state === 'APPROVED') await requireProvedPerson(tx, actor)
  const isSeen = facts.fingerprint === given.fingerprint
  if (isSeen && (await decideApproval(tx, projectId, facts.campaignId, { ...given, by }))) return
  throw undecidable(stored, facts, given.fingerprint)
}

/**
 * An admin can copy an invitation link and open a second account with it. A verified address shows that the account is another person's. The
 * owner needs no proof: an invitation makes no one an owner, and an owner may turn the rule off anyway.
 */
async function requireProvedPerson(tx: Context, { role, by }: ProjectActor): Promise<void> {
  if (role === 'OWNER' || (await selectUser(tx, by))?.emailVerified) return
  throw forbidden('EMAIL_VERIFICATION_REQUIRED', 'To approve, verify your own e-mail address first', {
    suggestion:
      'Follow the link in the email from POST /auth/request-verification, or from "Send again" in your profile.',
  })
}

function undecidable(stored: Approval | undefined, facts: Facts, seen: string): AppError {
  if (!stored) return conflict('Approval was not requested')
  const isChanged = facts.fingerprint !== seen || stored.fingerprint !== seen
  if (isChanged)
    return conflict('This changed since you looked at it, or since approval was requested', {
      suggestion: 'Load it again. If it changed after the request, approval has to be requested again.',
    })
  return conflict(stored.state === 'APPROVED' ? 'This is approved already' : 'This was declined already')
}

/** Why it may not be sent yet; undefined if it is approved, or if the project requires no approval. */
export async function missingApproval(
  tx: Context,
  projectId: string,
  campaignId: string,
  present: Present,
): Promise<ApprovalFault | undefined> {
  if (!(await isApprovalRequired(tx, projectId))) return undefined
  return await presentFault(await selectApproval(tx, projectId, campaignId), present)
}

const askAgain = 'Request it with POST …/request-approval; another member who may send approves.'

/** Throws 409 where approval is required and missing. */
export async function requireApproval(
  tx: Context,
  projectId: string,
  campaignId: string,
  { suggestion = askAgain, ...present }: Present & { suggestion?: string },
): Promise<void> {
  const fault = await missingApproval(tx, projectId, campaignId, present)
  if (fault === undefined) return
  throw conflict(`This needs the approval of a second member: ${approvalWords(fault)}`, {
    details: { approval: fault },
    suggestion,
  })
}

export interface ShownApproval {
  isRequired: boolean
  approval: Approval | undefined
  fault: ApprovalFault | undefined
}

/** The request, its decision, and whether it is still valid. Recipients are counted only if the project requires approval. */
export async function describeApproval(
  ctx: Context,
  projectId: string,
  campaignId: string,
  { facts, count }: Present,
): Promise<ShownApproval> {
  const isRequired = await isApprovalRequired(ctx, projectId)
  const approval = await selectApproval(ctx, projectId, campaignId)
  const fault = await presentFault(approval, { facts, ...(isRequired && count ? { count } : {}) })
  return { isRequired, approval, fault }
}

const senders = roles.filter(role => may(role, 'content.send'))

/** For the transaction that turns the rule on or off. */
export async function requireApprovalRule(tx: Context, actor: ProjectActor, isOn: boolean): Promise<void> {
  if (!isOn) return requireRight(actor.role, 'approval.waive')
  if ((await countProvedMembers(tx, actor.projectId, senders)) > 1) return
  throw conflict('Approval needs a second member who may send and whose e-mail address is verified', {
    suggestion:
      'Invite a member or an admin, change the role of a member, or ask a member to verify their address in their profile.',
  })
}
