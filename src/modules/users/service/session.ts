// Who a session belongs to. Sessions themselves (cookies) are the business of http/; here they are a user id and a version.
import type { Context } from '../../../platform/context'
import type { UserAnswer } from '../model'
import {
  bumpSessionVersion,
  type SessionUserRow,
  selectSessionUser,
  selectUser,
  type UserRow,
} from '../queries'

/** What the caller needs to open a session. */
export interface SignedIn {
  id: string
  email: string
  sessionVersion: number
}

/** The user of a session; undefined where it was ended by a newer version. */
export async function findSessionUser(
  ctx: Context,
  session: { userId: string; version: number },
): Promise<SessionUserRow | undefined> {
  return await selectSessionUser(ctx, session.userId, session.version)
}

/** The account as its owner sees it; undefined where it is gone. */
export async function findUser(ctx: Context, userId: string): Promise<UserAnswer | undefined> {
  const user = await selectUser(ctx, userId)
  if (!user) return undefined
  const { id, email, type, emailVerified, createdAt } = user
  return { id, email, type, emailVerified, createdAt: createdAt.toISOString() }
}

export function signedIn(user: UserRow): SignedIn {
  return { id: user.id, email: user.email, sessionVersion: user.sessionVersion }
}

/** Ends every session of the user, this one included. */
export async function endSessions(ctx: Context, userId: string): Promise<void> {
  await bumpSessionVersion(ctx, userId)
}
