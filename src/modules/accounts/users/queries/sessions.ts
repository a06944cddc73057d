// SQL of sessions: whose they are, which are open, and which ended before their time.
import type { Context } from '../../../../platform/context'
import type { sessions } from '../schema'

export type SessionRow = typeof sessions.$inferSelect

/** A session that was opened: its own id, and its user at that version. */
export interface SessionName {
  id: string
  userId: string
  version: number
}

/** What a session needs to know about its user. */
export interface SessionUserRow {
  id: string
  email: string
  emailVerified: boolean
  /** May do nothing before the address is proved, whatever the instance asks of others. */
  mustVerify: boolean
  /** When the session was last seen; null if it has no row, because an older version opened it. */
  lastSeenAt: Date | null
}

/** The user while the session's version is the current one, unless the session was signed out. */
export async function selectSessionUser(
  ctx: Context,
  { id, userId, version }: SessionName,
): Promise<SessionUserRow | undefined> {
  const [row] = await ctx.sql<SessionUserRow[]>`
    select u.id, u.email, u.email_verified as "emailVerified", u.must_verify as "mustVerify",
           s.last_seen_at as "lastSeenAt"
      from users u
      left join sessions s on s.id = ${id}::uuid and s.user_id = u.id
     where u.id = ${userId} and u.session_version = ${version}
       and not exists (select 1 from ended_sessions where id = ${id}::uuid)`
  return row
}

export async function insertSession(ctx: Context, row: SessionRow): Promise<void> {
  await ctx.sql`
    insert into sessions (id, user_id, version, agent, address, created_at, last_seen_at, expires_at)
    values (${row.id}::uuid, ${row.userId}::uuid, ${row.version}, ${row.agent}, ${row.address},
            ${row.createdAt}::timestamptz, ${row.lastSeenAt}::timestamptz, ${row.expiresAt}::timestamptz)`
}

/** Notes that sessions were seen, unless that was noted a moment ago. A session without a row gets one. */
export async function noteSessionsSeen(
  ctx: Context,
  rows: readonly SessionRow[],
  olderThan: Date,
): Promise<void> {
  await ctx.sql`
    insert into sessions as s (id, user_id, version, agent, address, created_at, last_seen_at, expires_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows.map(recordOf))}::jsonb)
        as seen(id uuid, user_id uuid, version int, agent text, address text, created_at timestamptz,
                last_seen_at timestamptz, expires_at timestamptz)
     where exists (select 1 from users u where u.id = seen.user_id and u.session_version = seen.version)
     order by id
    on conflict (id) do update set last_seen_at = excluded.last_seen_at
     where s.last_seen_at <= ${olderThan}::timestamptz`
}

function recordOf(row: SessionRow): Record<string, unknown> {
  const { id, userId, version, agent, address, createdAt, lastSeenAt, expiresAt } = row
  return {
    ...{ id, version, agent, address },
    ...{ user_id: userId, created_at: createdAt, last_seen_at: lastSeenAt, expires_at: expiresAt },
  }
}

/** The user's open sessions, newest sign-in first, past `before` where it is given. */
export async function pageOfSessions(
  ctx: Context,
  userId: string,
  before: string | undefined,
  limit: number,
): Promise<SessionRow[]> {
  const position = before ? ctx.sql`and s.id < ${before}::uuid` : ctx.sql``
  return await ctx.sql<SessionRow[]>`
    select s.id, s.user_id as "userId", s.version, s.agent, s.address, s.created_at as "createdAt",
           s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
      from sessions s
      join users u on u.id = s.user_id and u.session_version = s.version
     where s.user_id = ${userId}::uuid and s.expires_at > ${ctx.clock.now()}::timestamptz
       and not exists (select from ended_sessions e where e.id = s.id) ${position}
     order by s.id desc limit ${limit}`
}

/** Counted up to this: nobody reads the number of a longer list to the last digit. */
const maxCounted = 1_000

export async function countSessions(ctx: Context, userId: string): Promise<number> {
  const [row] = await ctx.sql<[{ total: number }]>`
    select count(*)::int as total
      from (select
              from sessions s
              join users u on u.id = s.user_id and u.session_version = s.version
             where s.user_id = ${userId}::uuid and s.expires_at > ${ctx.clock.now()}::timestamptz
               and not exists (select from ended_sessions e where e.id = s.id)
             limit ${maxCounted}) as counted`
  return row.total
}

/** Ends one listed session of the user; false if there is no such session, or it is over. */
export async function endListedSession(ctx: Context, userId: string, id: string): Promise<boolean> {
  const rows = await ctx.sql`
    with gone as (
      delete from sessions
       where id = ${id}::uuid and user_id = ${userId}::uuid and expires_at > ${ctx.clock.now()}::timestamptz
      returning id, expires_at)
    insert into ended_sessions (id, expires_at) select id, expires_at from gone
    on conflict (id) do nothing
    returning 1`
  return rows.length > 0
}

/** Ends a session, listed or not. */
export async function insertEndedSession(ctx: Context, id: string, expiresAt: Date): Promise<void> {
  await ctx.sql`
    with gone as (delete from sessions where id = ${id}::uuid)
    insert into ended_sessions (id, expires_at) values (${id}::uuid, ${expiresAt}::timestamptz)
    on conflict (id) do nothing`
}

/** Gives the session that continues the new version. */
export async function moveSession(ctx: Context, { id, userId, version }: SessionName): Promise<void> {
  await ctx.sql`
    update sessions set version = ${version} where id = ${id}::uuid and user_id = ${userId}::uuid`
}

/** Deletes the rows of at most `limit` sessions that are over, by time or by a newer version of their user; returns how many. */
export async function deleteOldSessions(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from sessions
     where id in (select id from sessions where expires_at <= ${ctx.clock.now()} order by expires_at limit ${limit})
        or id in (select s.id from sessions s join users u on u.id = s.user_id
                   where s.version < u.session_version limit ${limit})
    returning 1`
  return rows.length
}

/** Deletes sessions that would be over anyway, at most `limit`; returns how many. */
export async function deleteEndedSessions(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from ended_sessions
     where id in (select id from ended_sessions where expires_at <= ${ctx.clock.now()} order by expires_at limit ${limit})
    returning 1`
  return rows.length
}
