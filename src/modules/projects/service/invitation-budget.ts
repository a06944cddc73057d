// How many invitations may be sent a day, so that nobody can flood mailboxes in our name.

import { tooMany } from '../../../lib/errors'
import { day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { spendMail } from '../../users'

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
