// SQL of sessions: who is behind one, and those that ended before their time.
import type { Context } from '../../../platform/context'

/** A session that was opened: its own id, and its user at that version. */
export interface SessionName {
  id: string
  userId: string
  version: number
}

/** What a session needs to know of its user. */
export interface SessionUserRow {
  id: string
  email: string
  emailVerified: boolean
  /** May do nothing before the address is proved, whatever the instance asks of others. */
  mustVerify: boolean
}

/** The user while the session's version is the current one, unless the session was signed out. */
export async function selectSessionUser(
  ctx: Context,
  { id, userId, version }: SessionName,
): Promise<SessionUserRow | undefined> {
  const [row] = await ctx.sql<SessionUserRow[]>`
    select id, email, email_verified as "emailVerified", must_verify as "mustVerify" from users
     where id = ${userId} and session_version = ${version}
       and not exists (select 1 from ended_sessions where id = ${id}::uuid)`
  return row
}

export async function insertEndedSession(ctx: Context, id: string, expiresAt: Date): Promise<void> {
  await ctx.sql`
    insert into ended_sessions (id, expires_at) values (${id}, ${expiresAt}) on conflict (id) do nothing`
}

/** Deletes sessions that would be over anyway, at most `limit`; returns how many. */
export async function deleteEndedSessions(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from ended_sessions
     where id in (select id from ended_sessions where expires_at <= ${ctx.clock.now()} order by expires_at limit ${limit})
    returning 1`
  return rows.length
}
