// Who belongs to a project: adding and inviting, changing roles, removing. Nobody touches the owner. Only people may call these, never
// a key; the routes see to that.
import { normaliseEmail } from '../../../../lib/address'
import { conflict, forbidden, notFound, tooMany } from '../../../../lib/errors'
import { after, day } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { type ComposedEmail, composeEmail, sendSystemMail } from '../../system-emails'
import {
  deleteTokensOf,
  hashToken,
  makeToken,
  requireAddress,
  selectUser,
  selectUserByEmail,
  spendMail,
  tokenLink,
} from '../../users'
import type { AddedAnswer, AddMemberBody, MemberAnswer } from '../member-model'
import { quotedName } from '../name'
import {
  deleteInvitation,
  deleteMembership,
  type InvitationRow,
  type InvitedRole,
  insertInvitation,
  insertMember,
  type MemberRow,
  selectInvitations,
  selectMemberAddresses,
  selectMembers,
  selectMembership,
  updateRole,
} from '../queries'
import { may, requireRight, roleWords } from '../roles'
import { recordAudit } from './audit'
import { sharedLink } from './invitations'
import type { ProjectActor } from './settings'

type SeenMember = Omit<MemberRow, 'secondFactor'> & Partial<MemberRow>

/** Everybody in the project, oldest first; administrators see who has a second factor as well. */
export async function listMembers(ctx: Context, { projectId, role }: ProjectActor): Promise<SeenMember[]> {
  const rows = await selectMembers(ctx, projectId)
  if (may(role, 'members.manage')) return rows
  return rows.map(({ secondFactor: _, ...member }) => member)
}

/** Invitations that are open, oldest first. */
export async function listInvitations(ctx: Context, actor: ProjectActor): Promise<InvitationRow[]> {
  return await selectInvitations(ctx, actor.projectId)
}

/**
 * Adds an account to the project, or invites an address that has none. An account whose address is not proved counts as none, because
 * anybody may have made it: the invitation goes to whoever reads the mail. 409 where it is there or invited already.
 */
export async function addMember(
  ctx: Context,
  actor: ProjectActor,
  body: AddMemberBody,
): Promise<AddedAnswer> {
  const email = requireAddress(body.email)
  const role = body.role ?? 'MEMBER'
  return await inTransaction(ctx, async tx => {
    const user = await selectUserByEmail(tx, email)
    if (user?.emailVerified) return await letIn(tx, actor, user, role)
    if (user && (await selectMembership(tx, user.id, actor.projectId))) throw memberAlready()
    return await invite(tx, actor, { email, role, unproved: user?.id })
  })
}

async function letIn(
  tx: Context,
  { projectId, by }: ProjectActor,
  { id: userId, email }: { id: string; email: string },
  role: InvitedRole,
): Promise<AddedAnswer> {
  if (!(await insertMember(tx, { projectId, userId, role }))) throw memberAlready()
  await recordAudit(tx, { projectId, actor: by, action: 'member.added', subject: email, details: { role } })
  return { userId, email, role, pending: false }
}

function memberAlready(): Error {
  return conflict('This person is a member of the project already')
}

interface Invited {
  email: string
  role: InvitedRole
  /** The account that has the address, when nobody has proved it. */
  unproved: string | undefined
}

const invitationLifeMs = 7 * day

async function invite(
  tx: Context,
  { projectId, by }: ProjectActor,
  { email, role, unproved }: Invited,
): Promise<AddedAnswer> {
  await requireProvedInviter(tx, by)
  const token = makeToken(tx.random)
  const expiresAt = after(tx.clock.now(), invitationLifeMs)
  const row = { id: newId(tx), email, role, tokenHash: hashToken(token), expiresAt }
  const invitation = await insertInvitation(tx, projectId, row)
  if (!invitation) throw invitedAlready()
  await spendInvitation(tx, { projectId, userId: by })
  // One that was mailed before would let in whoever made the account, by a click of the address's owner.
  if (unproved !== undefined) await deleteTokensOf(tx, 'verify', unproved)
  const url = tokenLink(tx.config.baseUrl, 'invitation', token)
  const offer = { projectName: invitation.projectName, role, hasAccount: unproved !== undefined }
  // The link in the mail proves the address, so nobody but its reader may hold it: others see the one that may be handed on.
  const { text, html } = invitationEmail(sharedLink(tx, invitation.id), offer)
  const shown = { projectId, audience: 'admins', kind: 'INVITATION', text, html } as const
  await sendSystemMail(tx, { to: email, ...invitationEmail(url, offer), shown })
  await recordAudit(tx, { projectId, actor: by, action: 'member.invited', subject: email, details: { role } })
  return { userId: null, email, role, pending: true, invitationId: invitation.id }
}

/** Where anybody may have an account, only somebody who can be traced may send mails to strangers. */
async function requireProvedInviter(tx: Context, userId: string): Promise<void> {
  if (tx.config.disableSignups || (await selectUser(tx, userId))?.emailVerified) return
  throw forbidden('EMAIL_VERIFICATION_REQUIRED', 'To invite people, verify your own e-mail address first', {
    suggestion: 'Follow the link in the mail that you get for POST /auth/request-verification.',
  })
}

function invitedAlready(): Error {
  return conflict('This address is invited already', { suggestion: 'Take the invitation back first.' })
}

/** The link of an open invitation for whoever may invite, to be handed on: it lets in, and proves no address. */
export async function shareInvitation(
  ctx: Context,
  actor: ProjectActor,
  invitationId: string,
): Promise<{ url: string }> {
  const open = await listInvitations(ctx, actor)
  const invitation = open.find(({ id }) => id === invitationId.toLowerCase())
  if (!invitation) throw notFound('Invitation', invitationId)
  return { url: sharedLink(ctx, invitation.id) }
}

/** Revokes an open invitation. */
export async function revokeInvitation(
  ctx: Context,
  actor: ProjectActor,
  invitationId: string,
): Promise<void> {
  const { projectId, by } = actor
  await inTransaction(ctx, async tx => {
    const gone = await deleteInvitation(tx, projectId, invitationId)
    if (!gone) throw notFound('Invitation', invitationId)
    await recordAudit(tx, { projectId, actor: by, action: 'invitation.revoked', subject: gone.email })
  })
}

/** Makes somebody ADMIN or MEMBER; 403 for the owner. */
export async function changeRole(
  ctx: Context,
  actor: ProjectActor,
  userId: string,
  role: InvitedRole,
): Promise<MemberAnswer> {
  const { projectId, by } = actor
  return await inTransaction(ctx, async tx => {
    const before = (await selectMembers(tx, projectId)).find(member => member.userId === userId)
    if (before?.role === role) return { userId, email: before.email, role }
    const member = await updateRole(tx, projectId, userId, role)
    if (!member) throw await untouched(tx, projectId, userId)
    const { email } = member
    await recordAudit(tx, {
      projectId,
      actor: by,
      action: 'member.roleChanged',
      subject: email,
      details: { role },
    })
    return { userId, email, role }
  })
}

/** Removes somebody from the project; anybody but the owner may remove themselves. */
export async function removeMember(ctx: Context, actor: ProjectActor, userId: string): Promise<void> {
  const { projectId, by } = actor
  if (by !== userId) requireRight(actor.role, 'members.manage')
  await inTransaction(ctx, async tx => {
    const member = await deleteMembership(tx, projectId, userId)
    if (!member) throw await untouched(tx, projectId, userId)
    await recordAudit(tx, { projectId, actor: by, action: 'member.removed', subject: member.email })
  })
}

/** Why nothing was changed: it is the owner, or not a member at all. */
async function untouched(tx: Context, projectId: string, userId: string): Promise<Error> {
  const member = await selectMembership(tx, userId, projectId)
  return member?.role === 'OWNER'
    ? forbidden('FORBIDDEN', 'The owner of a project can be neither changed nor removed')
    : notFound('Member', userId)
}

export interface InvitationWords {
  projectName: string
  role: keyof typeof roleWords
  /** Somebody made an account with the address, and nobody has proved whose it is. */
  hasAccount: boolean
}

export function invitationEmail(
  url: string,
  { projectName, role, hasAccount }: InvitationWords,
): ComposedEmail {
  return composeEmail({
    subject: `You are invited to the project ${quotedName(projectName)}`,
    opening: [
      `You are invited to join the project ${quotedName(projectName)} on Waxwing as ${roleWords[role]}.`,
      hasAccount
        ? 'There is an account for your address, but the address was never confirmed. Choose a password to confirm it: it takes the place of the one that the account was made with, and ends its sessions.'
        : 'There is no account for your address yet.',
    ],
    link: { words: 'Accept the invitation', url },
    closing: ['The link works for seven days.', 'If you expected no invitation, you can ignore this mail.'],
  })
}

/** Of one project, and of one user. */
const invitationsPerDay = 100

/** Counts an invitation; 429 beyond a limit. Projects are quickly created, and so are accounts: hence the user's and the instance's. */
export async function spendInvitation(
  tx: Context,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<void> {
  const counted = [
    { who: 'This project', whose: `project ${projectId}`, limit: invitationsPerDay },
    { who: 'You', whose: `user ${userId}`, limit: invitationsPerDay },
    { who: 'This instance', whose: 'instance', limit: tx.config.maxInvitationsPerDay },
  ]
  for (const { who, whose, limit } of counted) {
    const seconds = await spendMail(tx, 'invitation', whose, { limit, windowMs: day })
    if (seconds !== undefined) throw tooMany(`${who} sent too many invitations today`, seconds)
  }
}

/** For people who may not send: throws 403 unless the address is a member's. */
export async function requireMemberAddress(ctx: Context, projectId: string, email: string): Promise<void> {
  if ((await selectMemberAddresses(ctx, projectId)).includes(normaliseEmail(email))) return
  throw forbidden('FORBIDDEN', 'Your role sends tests to members of the project only', {
    details: { right: 'content.send' },
    suggestion: 'Send the test to your own address or to that of another member.',
  })
}

/** Sends an email of the instance to each member of the project. */
export async function notifyMembers(
  tx: Context,
  projectId: string,
  email: { subject: string; text: string },
): Promise<void> {
  const shown = { projectId, audience: 'members', kind: 'NOTICE' } as const
  for (const to of await selectMemberAddresses(tx, projectId))
    await sendSystemMail(tx, { to, ...email, shown })
}
