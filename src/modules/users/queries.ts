// All SQL of accounts, sign-in limits and set-up tokens. The counting of sign-ins is one statement, so that guesses that arrive
// together can't slip through between a look and a write.
import { eq } from 'drizzle-orm'
import type { Context } from '../../platform/context'
import { users } from './schema'

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

/** Whose sign-ins are counted: an address that is guessed at, or a client that guesses. */
export type AttemptKind = 'address' | 'client'

/** Counts an attempt if fewer than `limit` stand in the open window; false where the window is full. */
export async function takeAttempt(
  ctx: Context,
  attempt: { kind: AttemptKind; subject: string; limit: number; closesAt: Date },
): Promise<boolean> {
  const now = ctx.clock.now()
  const rows = await ctx.sql`
    insert into login_attempts as a (kind, subject, failures, closes_at)
    values (${attempt.kind}, ${attempt.subject}, 1, ${attempt.closesAt})
    on conflict (kind, subject) do update
       set failures = case when a.closes_at <= ${now} then 1 else a.failures + 1 end,
           closes_at = case when a.closes_at <= ${now} then excluded.closes_at else a.closes_at end
     where a.closes_at <= ${now} or a.failures < ${attempt.limit}
    returning 1`
  return rows.length > 0
}

/** When the window of a subject ends. */
export async function selectWindowEnd(
  ctx: Context,
  kind: AttemptKind,
  subject: string,
): Promise<Date | undefined> {
  const [row] = await ctx.sql<{ closesAt: Date }[]>`
    select closes_at as "closesAt" from login_attempts where kind = ${kind} and subject = ${subject}`
  return row?.closesAt
}

/** Takes one counted attempt back. */
export async function giveAttemptBack(ctx: Context, kind: AttemptKind, subject: string): Promise<void> {
  await ctx.sql`
    update login_attempts set failures = failures - 1
     where kind = ${kind} and subject = ${subject} and failures > 0`
}

export async function deleteAttempts(ctx: Context, kind: AttemptKind, subject: string): Promise<void> {
  await ctx.sql`delete from login_attempts where kind = ${kind} and subject = ${subject}`
}

/** Drops some windows that are over. Run with each sign-in, it removes faster than sign-ins can add. */
export async function deleteClosedWindows(ctx: Context): Promise<void> {
  await ctx.sql`
    delete from login_attempts
     where (kind, subject) in (
       select kind, subject from login_attempts where closes_at <= ${ctx.clock.now()}
        order by closes_at limit 20 for update skip locked)`
}

export async function insertSetupToken(ctx: Context, tokenHash: string): Promise<void> {
  await ctx.sql`insert into setup_tokens (token_hash, created_at) values (${tokenHash}, ${ctx.clock.now()})`
}

export async function hasSetupToken(ctx: Context, tokenHash: string): Promise<boolean> {
  const rows = await ctx.sql`select 1 from setup_tokens where token_hash = ${tokenHash}`
  return rows.length > 0
}

/** Deletes the tokens made before `before`; all of them without it. */
export async function deleteSetupTokens(ctx: Context, before?: Date): Promise<void> {
  if (before) await ctx.sql`delete from setup_tokens where created_at < ${before}`
  else await ctx.sql`delete from setup_tokens`
}
