// Changing the settings of a project and replacing its secrets.
import { addressFault, normaliseEmail } from '../../../../lib/address'
import { differing, isEmpty } from '../../../../lib/differing'
import {
  type AppError,
  conflict,
  type FieldError,
  forbidden,
  invalid,
  notFound,
} from '../../../../lib/errors'
import { instantAdvice, readInstant } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { holdSecondFactor, selectUser } from '../../users'
import type { AuditAction, AuditDetails } from '../audit'
import { newWebhookSecret } from '../keys'
import { mailRulesDetails, requireMailRules } from '../mail-rules'
import { type ProjectAnswer, toProjectAnswer, type UpdateBody } from '../model'
import { requireName } from '../name'
import {
  type ProjectChanges,
  selectProject,
  selectProjectsOfUser,
  selectRequiringProjects,
  updateProject,
} from '../queries'
import { type Role, requireRight } from '../roles'
import type { DefaultSender } from '../schema'
import { requireApprovalRule } from './approvals'
import { recordAudit } from './audit'

/** Who asks for a change: the project comes from a guard, so it exists and the role is the caller's. */
export interface ProjectActor {
  projectId: string
  role: Role
  /** Who that is, as the audit log names it: a user's id or the beginning of a key. */
  by: string
}

/** Changes name, tracking, language, default sender, the rules about marketing mail or about second factors; what the body leaves out stays. */
export async function updateSettings(
  ctx: Context,
  actor: ProjectActor,
  { expectedUpdatedAt, ...given }: UpdateBody,
): Promise<ProjectAnswer> {
  const expected = expectedUpdatedAt === undefined ? undefined : requireInstant(expectedUpdatedAt)
  const stored = await selectProject(ctx, actor.projectId)
  if (!stored) throw notFound('Project', actor.projectId)
  const answer = toProjectAnswer(ctx.vault, stored, actor.role)
  const body = differing(given, answer)
  if (isEmpty(body)) return answer
  if (body.name !== undefined) requireName(body.name)
  const {
    defaultSender: sender,
    secondFactorRequired,
    approvalRequired,
    timeZone,
    timeZoneField,
    quietHours,
    mailCap,
    ...plain
  } = body
  const defaultSender = sender && requireSender(sender)
  const mailRules = requireMailRules({ timeZone, timeZoneField, quietHours, mailCap })
  const details: AuditDetails = { ...plain, ...mailRulesDetails(mailRules) }
  if (defaultSender !== undefined) details['defaultSender'] = defaultSender?.email ?? null
  const changes = { ...plain, ...mailRules, defaultSender, secondFactorRequired, approvalRequired }
  if (secondFactorRequired === undefined && approvalRequired === undefined)
    return await change(ctx, actor, changes, { action: 'project.updated', details, expected })
  return await inTransaction(ctx, async tx => {
    if (secondFactorRequired !== undefined) await requireRule(tx, actor, secondFactorRequired)
    if (approvalRequired !== undefined) await requireApprovalRule(tx, actor, approvalRequired)
    const actions = ruleActions({ secondFactorRequired, approvalRequired })
    if (Object.keys(details).length > 0) actions.unshift('project.updated')
    for (const action of actions.slice(0, -1)) await record(tx, actor, action, details)
    return await change(tx, actor, changes, { action: actions.at(-1)!, expected })
  })
}

function ruleActions(rules: {
  secondFactorRequired: boolean | undefined
  approvalRequired: boolean | undefined
}): AuditAction[] {
  const { secondFactorRequired: factor, approvalRequired: approval } = rules
  return [
    ...(factor === undefined ? [] : [`project.secondFactor${factor ? 'Required' : 'Optional'}` as const]),
    ...(approval === undefined ? [] : [`project.approval${approval ? 'Required' : 'Optional'}` as const]),
  ]
}

async function record(
  tx: Context,
  { projectId, by }: ProjectActor,
  action: AuditAction,
  all: AuditDetails,
): Promise<void> {
  const details = action === 'project.updated' ? { details: all } : {}
  await recordAudit(tx, { projectId, actor: by, action, ...details })
}

/** Replaces the secret that signs webhook steps. */
export async function rotateWebhookSecret(ctx: Context, actor: ProjectActor): Promise<ProjectAnswer> {
  return await change(ctx, actor, newWebhookSecret(ctx), { action: 'project.webhookSecretRotated' })
}

interface Recorded {
  action: AuditAction
  details?: AuditDetails
  /** When the project was last changed, as far as the caller knows; 409 if that is not so. */
  expected?: Date
}

/** One change with its record; `tx` may be a transaction already. */
export async function change(
  ctx: Context,
  { projectId, role, by }: ProjectActor,
  changes: ProjectChanges,
  { action, details, expected }: Recorded,
): Promise<ProjectAnswer> {
  return await inTransaction(ctx, async tx => {
    const project = await updateProject(tx, projectId, changes, expected)
    if (!project) throw expected ? changedMeanwhile() : notFound('Project', projectId)
    await recordAudit(tx, { projectId, actor: by, action, details })
    return toProjectAnswer(tx.vault, project, role)
  })
}

export function changedMeanwhile(): Error {
  return conflict('This project was changed since you loaded it', {
    suggestion: 'Load the project again, and send its current updatedAt as expectedUpdatedAt.',
  })
}

export function requireInstant(text: string): Date {
  const instant = readInstant(text)
  if (instant) return instant
  const fault = { field: 'expectedUpdatedAt', message: instantAdvice, code: 'invalid_string', received: text }
  throw invalid([fault])
}

type Given = NonNullable<UpdateBody['defaultSender']>

/** Throws 422 for anything that is not an address. */
export function requireSender({ email, name, replyTo }: Given): DefaultSender {
  const sender = {
    email: normaliseEmail(email),
    name: name?.replace(/\p{Cc}+/gu, ' ').trim() || null,
    replyTo: replyTo ? normaliseEmail(replyTo) : null,
  }
  const faults = [
    ...faultOf('defaultSender.email', email),
    ...(replyTo ? faultOf('defaultSender.replyTo', replyTo) : []),
  ]
  if (faults.length > 0) throw invalid(faults)
  return sender
}

function faultOf(field: string, address: string): FieldError[] {
  const message = addressFault(address)
  return message === undefined ? [] : [{ field, message, code: 'invalid_string', received: address }]
}

export async function noteSecondFactor(
  tx: Context,
  { userId, by, isOn }: { userId: string; by: string; isOn: boolean },
): Promise<void> {
  const user = await selectUser(tx, userId)
  const action = isOn ? 'member.secondFactorAdded' : 'member.secondFactorRemoved'
  for (const { project } of await selectProjectsOfUser(tx, userId))
    await recordAudit(tx, { projectId: project.id, actor: by, action, subject: user?.email })
}

/** The projects that a user would be turned away from without a second factor, by name. */
export async function projectsAskingFor(ctx: Context, userId: string): Promise<string[]> {
  return await selectRequiringProjects(ctx, userId)
}

/**
 * For the transaction that switches the rule. Whoever sets it must comply until that commits: an owner who locked everybody out, and
 * themselves, would have nobody to ask.
 */
export async function requireRule(tx: Context, actor: ProjectActor, isOn: boolean): Promise<void> {
  requireRight(actor.role, 'secondFactor.require')
  if (!isOn || (await holdSecondFactor(tx, actor.by))) return
  throw conflict('Whoever asks others for a second factor needs one', { suggestion: setUpOwn(tx) })
}

export function turnedAway(ctx: Context): AppError {
  return forbidden(
    'SECOND_FACTOR_MISSING',
    'This project asks its members for a second factor, and you have none',
    {
      suggestion: setUpOwn(ctx),
    },
  )
}

function setUpOwn(ctx: Context): string {
  return `Set one up on the page of your account, ${ctx.config.baseUrl}/app/account, or with POST /users/@me/second-factor.`
}
