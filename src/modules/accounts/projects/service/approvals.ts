// Approval by a second person: asking for it, giving or declining it, and requiring it before something reaches people.
import { type AppError, conflict, forbidden } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import {
  type Approval,
  type ApprovalFacts,
  type ApprovalFault,
  approvalFault,
  approvalWords,
} from '../approval'
import {
  type ApprovalDecision,
  countMembersWith,
  decideApproval,
  isApprovalRequired,
  putApprovalRequest,
  selectApproval,
} from '../queries'
import { may, requireRight } from '../roles'
import { roles } from '../schema'
import type { ProjectActor } from './settings'

type Subject = Pick<ApprovalFacts, 'kind' | 'subjectId'>
/** What is so now, beside what was approved. */
type FactsOf = (approval: Approval | undefined) => Promise<ApprovalFacts>

/** Throws 409 where the project asks for no approval. */
export async function requestApproval(tx: Context, actor: ProjectActor, facts: ApprovalFacts): Promise<void> {
  if (!(await isApprovalRequired(tx, actor.projectId)))
    throw conflict('This project does not require approval', {
      suggestion: 'Send it, or turn approval on in the settings of the project.',
    })
  await putApprovalRequest(tx, actor.projectId, facts, actor.by)
}

/** Approves or declines what was looked at. 403 for whoever asked, 409 once it is decided, or no longer what it was. */
export async function decideRequest(
  tx: Context,
  actor: ProjectActor,
  facts: ApprovalFacts,
  given: Omit<ApprovalDecision, 'by'>,
): Promise<void> {
  const { projectId, by } = actor
  const stored = await selectApproval(tx, projectId, facts)
  if (stored?.requestedBy === by)
    throw forbidden('FORBIDDEN', 'You asked for this approval, so another member has to decide', {
      suggestion: 'Ask another member who may send.',
    })
  const isSeen = facts.fingerprint === given.fingerprint
  if (isSeen && (await decideApproval(tx, projectId, facts, { ...given, by }))) return
  throw undecidable(stored, facts, given.fingerprint)
}

function undecidable(stored: Approval | undefined, facts: ApprovalFacts, seen: string): AppError {
  if (!stored) return conflict('Nobody has asked for approval')
  const isChanged = facts.fingerprint !== seen || stored.fingerprint !== seen
  if (isChanged)
    return conflict('This changed since you looked at it, or since approval was requested', {
      suggestion: 'Load it again. If it changed after the request, approval has to be requested again.',
    })
  return conflict(stored.state === 'APPROVED' ? 'This is approved already' : 'This was declined already')
}

/** Why it may not reach people yet; undefined where the project asks for nothing, or it is approved. */
export async function missingApproval(
  tx: Context,
  projectId: string,
  subject: Subject,
  facts: FactsOf,
): Promise<ApprovalFault | undefined> {
  if (!(await isApprovalRequired(tx, projectId))) return undefined
  const approval = await selectApproval(tx, projectId, subject)
  return approvalFault(approval, await facts(approval))
}

/** Throws 409 where approval is required and missing. */
export async function requireApproval(
  tx: Context,
  projectId: string,
  subject: Subject,
  facts: FactsOf,
): Promise<void> {
  const fault = await missingApproval(tx, projectId, subject, facts)
  if (fault === undefined) return
  throw conflict(`This needs the approval of a second member: ${approvalWords(fault)}`, {
    details: { approval: fault },
    suggestion: 'Ask with POST …/request-approval; another member who may send approves.',
  })
}

export interface ShownApproval {
  isRequired: boolean
  approval: Approval | undefined
  fault: ApprovalFault | undefined
}

/** Where it stands; the time is the one that was asked for. */
export async function describeApproval(
  ctx: Context,
  projectId: string,
  subject: Subject,
  facts: FactsOf,
): Promise<ShownApproval> {
  const approval = await selectApproval(ctx, projectId, subject)
  const fault = approvalFault(approval, await facts(approval))
  return { isRequired: await isApprovalRequired(ctx, projectId), approval, fault }
}

const senders = roles.filter(role => may(role, 'content.send'))

/** For the transaction that turns the rule on or off. */
export async function requireApprovalRule(tx: Context, actor: ProjectActor, isOn: boolean): Promise<void> {
  if (!isOn) return requireRight(actor.role, 'approval.waive')
  if ((await countMembersWith(tx, actor.projectId, senders)) > 1) return
  throw conflict('Approval needs a second member who may send', {
    suggestion: 'Invite a member, an admin, or change the role of one who is here.',
  })
}
