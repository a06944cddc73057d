// Who a session belongs to. The cookies are the business of guard/; here a session is a user id and a version.
import type { Context } from '../../../platform/context'
import type { UserAnswer } from '../model'
import {
  bumpSessionVersion,
  deleteEndedSessions,
  insertEndedSession,
  isFirstUser,
  type SessionName,
  type SessionUserRow,
  selectSessionUser,
  selectUser,
  type UserRow,
} from '../queries'

/** What is needed to open a session. */
export interface SignedIn {
  id: string
  email: string
  sessionVersion: number
}

/** The user of a session; undefined if it was signed out, or ended by a newer version. */
export async function findSessionUser(
  ctx: Context,
  session: SessionName,
): Promise<SessionUserRow | undefined> {
  return await selectSessionUser(ctx, session)
}

/** Ends this one session, wherever its cookie was copied to. */
export async function endSession(ctx: Context, session: { id: string; expiresAt: Date }): Promise<void> {
  await insertEndedSession(ctx, session.id, session.expiresAt)
}

const batchSize = 1_000

/** Deletes ended sessions that would have expired by now; returns how many. */
export async function pruneEndedSessions(ctx: Context, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const deleted = await deleteEndedSessions(ctx, batchSize)
    total += deleted
    if (deleted < batchSize) break
  }
  return total
}

/** The account as its owner sees it; undefined if it is gone. */
export async function findUser(ctx: Context, userId: string): Promise<UserAnswer | undefined> {
  const user = await selectUser(ctx, userId)
  if (!user) return undefined
  const { id, email, type, emailVerified, createdAt } = user
  const operator = await isOperator(ctx, id)
  return { id, email, type, emailVerified, operator, createdAt: createdAt.toISOString() }
}

/** Whether the user runs the instance: that is whoever made its first account, which took the setup token or the machine itself. */
export async function isOperator(ctx: Context, userId: string): Promise<boolean> {
  return await isFirstUser(ctx, userId)
}

export function signedIn(user: UserRow): SignedIn {
  return { id: user.id, email: user.email, sessionVersion: user.sessionVersion }
}

/** Ends every session of the user, this one included. */
export async function endSessions(ctx: Context, userId: string): Promise<void> {
  await bumpSessionVersion(ctx, userId)
}
