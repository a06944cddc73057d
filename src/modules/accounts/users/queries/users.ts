// SQL of accounts themselves.
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { users } from '../schema'

export type UserRow = typeof users.$inferSelect
export type NewUserRow = Omit<UserRow, 'sessionVersion' | 'createdAt' | 'updatedAt'>

export async function selectUserByEmail(ctx: Context, email: string): Promise<UserRow | undefined> {
  const [row] = await ctx.db.select().from(users).where(eq(users.email, email))
  return row
}

export async function selectUser(ctx: Context, userId: string): Promise<UserRow | undefined> {
  const [row] = await ctx.db.select().from(users).where(eq(users.id, userId))
  return row
}

/** Returns the new row, or undefined if the address is taken. */
export async function insertUser(ctx: Context, row: NewUserRow): Promise<UserRow | undefined> {
  const now = ctx.clock.now()
  const [inserted] = await ctx.db
    .insert(users)
    .values({ ...row, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning()
  return inserted
}

export async function hasUsers(ctx: Context): Promise<boolean> {
  const rows = await ctx.sql`select 1 from users limit 1`
  return rows.length > 0
}

/** Whether this account was made first: ids are in the order of time. */
export async function isFirstUser(ctx: Context, userId: string): Promise<boolean> {
  const [first] = await ctx.sql<{ id: string }[]>`select id from users order by id limit 1`
  return first?.id === userId
}

const signUpLock = 7_239_118_011

/** Locks sign-ups of all instances until the transaction ends: one at a time, since they are rare and short. */
export async function lockSignUps(tx: Context): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(${signUpLock}::bigint)`
}

/** Notes that the address was proved. */
export async function markVerified(ctx: Context, userId: string): Promise<UserRow | undefined> {
  const [row] = await ctx.db
    .update(users)
    .set({ emailVerified: true, mustVerify: false, updatedAt: ctx.clock.now() })
    .where(eq(users.id, userId))
    .returning()
  return row
}

/** Changes the password and ends all sessions; undefined for an account that has no password. */
export async function updatePassword(
  ctx: Context,
  userId: string,
  passwordHash: string,
): Promise<UserRow | undefined> {
  const [row] = await ctx.db
    .update(users)
    .set({ passwordHash, sessionVersion: sql`session_version + 1`, updatedAt: ctx.clock.now() })
    .where(and(eq(users.id, userId), eq(users.type, 'PASSWORD')))
    .returning()
  return row
}

/** Ends all sessions of a user. */
export async function bumpSessionVersion(ctx: Context, userId: string): Promise<void> {
  await ctx.sql`
    update users set session_version = session_version + 1, updated_at = ${ctx.clock.now()} where id = ${userId}`
}

/** Ends all sessions of one version and returns the next version; undefined if somebody else was first. */
export async function endSessionVersion(
  ctx: Context,
  userId: string,
  version: number,
): Promise<number | undefined> {
  const [row] = await ctx.sql<{ version: number }[]>`
    update users set session_version = session_version + 1, updated_at = ${ctx.clock.now()}
     where id = ${userId} and session_version = ${version}
    returning session_version as version`
  return row?.version
}

/** Accounts in the order in which they were made, a page at a time. */
export async function pageOfUsers(
  ctx: Context,
  after: string | undefined,
  limit: number,
): Promise<UserRow[]> {
  return await ctx.db
    .select()
    .from(users)
    .where(after === undefined ? undefined : gt(users.id, after))
    .orderBy(asc(users.id))
    .limit(limit)
}

/** Accounts whose addresses may have been stored before addresses had one spelling. */
export async function selectStrayUsers(ctx: Context): Promise<Pick<UserRow, 'id' | 'email'>[]> {
  return await ctx.sql<Pick<UserRow, 'id' | 'email'>[]>`
    select id, email from users
     where octet_length(email) <> char_length(email) or strpos(email, 'xn--') > 0
     order by id`
}

/** Whether the address was free. */
export async function respellUser(ctx: Context, userId: string, email: string): Promise<boolean> {
  const { count } = await ctx.sql`
    update users set email = ${email}, updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${userId}::uuid and not exists (select from users where email = ${email})`
  return count > 0
}
