// SQL of accounts themselves.
import { eq } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
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

/** What a session needs to know of its user. */
export interface SessionUserRow {
  id: string
  email: string
  emailVerified: boolean
}

/** The user while the session's version is the current one. */
export async function selectSessionUser(
  ctx: Context,
  userId: string,
  version: number,
): Promise<SessionUserRow | undefined> {
  const [row] = await ctx.sql<SessionUserRow[]>`
    select id, email, email_verified as "emailVerified" from users
     where id = ${userId} and session_version = ${version}`
  return row
}

/** The new row, or undefined where the address is taken. */
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

const signUpLock = 7_239_118_011

/** Lets sign-ups of all instances pass one at a time until the transaction ends; they are rare and short. */
export async function lockSignUps(tx: Context): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(${signUpLock}::bigint)`
}
