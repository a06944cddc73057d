// Invitations as accounts see them: whoever proves an invited address joins the projects that wait for it.

import { isEmail, normaliseEmail } from '../../../lib/address'
import { type Context, inTransaction } from '../../../platform/context'
import { hashToken, type InvitationOffer } from '../../users'
import { invitationOf } from '../invitation-link'
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
