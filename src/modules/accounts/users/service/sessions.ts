// The sessions of a person: listed for them, and ended one by one or all but one. Once the answer is given a session is over in every
// process, because none caches sessions.
import { inBatches } from '../../../../lib/batches'
import { decodeCursor } from '../../../../lib/cursor'
import { notFound, unauthorized } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { after, minute } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import type { UserAnswer } from '../model'
import {
  bumpSessionVersion,
  countSessions,
  deleteEndedSessions,
  deleteOldSessions,
  endListedSession,
  endSessionVersion,
  insertEndedSession,
  insertSession,
  isFirstUser,
  moveSession,
  noteSessionsSeen,
  pageOfSessions,
  type SessionName,
  type SessionRow,
  type SessionUserRow,
  selectSessionUser,
  selectUser,
  type UserRow,
} from '../queries'

/** Notes a session that is being opened. */
export async function noteSession(ctx: Context, session: Omit<SessionRow, 'lastSeenAt'>): Promise<void> {
  await insertSession(ctx, { ...session, lastSeenAt: session.createdAt })
}

export interface SessionPage {
  /** One row more than `limit` where there are more. */
  rows: SessionRow[]
  total: number
}

/** Newest sign-in first. `total` is counted on the first page only. */
export async function listSessions(
  ctx: Context,
  userId: string,
  query: { limit: number; cursor?: string },
): Promise<SessionPage> {
  const before = decodeCursor(query.cursor)?.id
  const rows = await pageOfSessions(ctx, userId, before, query.limit + 1)
  return { rows, total: before ? 0 : await countSessions(ctx, userId) }
}

/** 404 for a session that is over or somebody else's. */
export async function endOneSession(ctx: Context, userId: string, id: string): Promise<void> {
  if (!isUuid(id) || !(await endListedSession(ctx, userId, id))) throw notFound('Session', id)
}

/**
 * Ends all sessions of the user except this one, which continues with the version that is returned; also those that no list shows. If two
 * ask at once, the second finds its own session ended (401).
 */
export async function endOtherSessions(ctx: Context, session: SessionName): Promise<number> {
  return await inTransaction(ctx, async tx => {
    const version = await endSessionVersion(tx, session.userId, session.version)
    if (version === undefined) throw unauthorized('UNAUTHORIZED', 'You are not signed in')
    await moveSession(tx, { ...session, version })
    return version
  })
}

const batchSize = 1_000

/** Deletes rows of sessions that are over; returns how many. */
export async function pruneSessions(ctx: Context, signal?: AbortSignal): Promise<number> {
  return await inBatches(batchSize, limit => deleteOldSessions(ctx, limit), signal)
}

interface Visits {
  /** `lastSeenAt`: as stored in the database; null where the session has no row. */
  note(session: Omit<SessionRow, 'lastSeenAt'>, lastSeenAt: Date | null): void
}

/** One for each process. */
export const sessionVisits = perContext<Visits>(ctx => {
  const underway = new Set<string>()
  return {
    note(session, lastSeenAt) {
      const { id } = session
      if (underway.has(id) || (lastSeenAt !== null && lastSeenAt > aMinuteAgo(ctx))) return
      underway.add(id)
      void writeVisit(ctx, { ...session, lastSeenAt: ctx.clock.now() }).finally(() => underway.delete(id))
    },
  }
})

function aMinuteAgo(ctx: Context): Date {
  return after(ctx.clock.now(), -minute)
}

/** Never rejects: nobody waits for it. */
async function writeVisit(ctx: Context, row: SessionRow): Promise<void> {
  try {
    await noteSessionsSeen(ctx, [row], aMinuteAgo(ctx))
  } catch (error) {
    ctx.log.warn({ error: String(error) }, 'the visit of a session could not be written')
  }
}

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

/** Deletes ended sessions that would have expired by now; returns how many. */
export async function pruneEndedSessions(ctx: Context, signal?: AbortSignal): Promise<number> {
  return await inBatches(batchSize, limit => deleteEndedSessions(ctx, limit), signal)
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
