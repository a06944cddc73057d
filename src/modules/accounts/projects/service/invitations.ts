// Invitations as accounts see them: whoever proves an invited address joins the projects that wait for it.

import { timingSafeEqual } from 'node:crypto'
import { isEmail, normaliseEmail } from '../../../../lib/address'
import { type Context, inTransaction } from '../../../../platform/context'
import { hashToken, type InvitationOffer, tokenLink } from '../../users'
import {
  deleteExpiredInvitations,
  hasInvitation,
  joinInvited,
  respellInvitation,
  selectOffer,
  selectStrayInvitations,
} from '../queries'
import { roleWords } from '../roles'
import { recordAudit } from './audit'

/** Lets a user whose address is proved into all projects that invited it. Does nothing where none did. */
export async function acceptInvitations(ctx: Context, user: { id: string; email: string }): Promise<void> {
  if (!(await hasInvitation(ctx, user.email))) return
  await inTransaction(ctx, async tx => {
    for (const { projectId, role } of await joinInvited(tx, user))
      await recordAudit(tx, {
        projectId,
        actor: user.id,
        action: 'member.added',
        subject: user.email,
        details: { role, invited: true },
      })
  })
}

/** Whether any project waits for the address. */
export async function isInvited(ctx: Context, email: string): Promise<boolean> {
  return await hasInvitation(ctx, email)
}

/** What the link of an invitation offers; undefined if it is not valid. */
export async function findInvitationOffer(ctx: Context, token: string): Promise<InvitationOffer | undefined> {
  const id = invitationOf(ctx.vault, token)
  const row = await selectOffer(ctx, id === undefined ? { tokenHash: hashToken(token) } : { id })
  return row && { ...row, role: roleWords[row.role] }
}

/** Lets a new account into the project of the link that it came with, and into no other: its address is not proved. */
export async function takeInvitation(
  tx: Context,
  { token, user }: { token: string; user: { id: string; email: string } },
): Promise<void> {
  const id = invitationOf(tx.vault, token)
  const joined = id === undefined ? [] : await joinInvited(tx, user, id)
  for (const { projectId, role } of joined)
    await recordAudit(tx, {
      projectId,
      actor: user.id,
      action: 'member.added',
      subject: user.email,
      details: { role, invited: true },
    })
}

/** Deletes invitations that nobody accepted in time; returns how many. */
export async function pruneInvitations(ctx: Context): Promise<number> {
  return await deleteExpiredInvitations(ctx)
}

/** Gives open invitations of older data the one spelling of their address; done again, it finds nothing left to do. */
export async function respellInvitations(ctx: Context): Promise<void> {
  for (const { id, projectId, email } of await selectStrayInvitations(ctx)) {
    const spelled = normaliseEmail(email)
    if (spelled !== email && isEmail(spelled)) await respellInvitation(ctx, projectId, id, spelled)
  }
}

const purpose = 'invitation-link'

type Tools = Pick<Context, 'vault' | 'config'>

export function sharedLink({ vault, config }: Tools, invitationId: string): string {
  const token = idDigits(invitationId) + proofOf(vault, invitationId).toString('hex')
  return tokenLink(config.baseUrl, 'invitation', token)
}

/** The invitation that a token of ours names; undefined for any other text. */
export function invitationOf(vault: Tools['vault'], token: string): string | undefined {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined
  const id = token.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return timingSafeEqual(proofOf(vault, id), Buffer.from(token.slice(32), 'hex')) ? id : undefined
}

const idDigits = (id: string): string => id.replaceAll('-', '')

const proofOf = (vault: Tools['vault'], id: string): Buffer =>
  Buffer.from(vault.sign(purpose, id), 'base64url').subarray(0, 16)
