// SQL of one-time links. Using one is deleting it: whoever deletes the row has used the token, and nobody else can.
import type { Context } from '../../../../platform/context'
import type { AccountTokenKind } from '../schema'

export interface NewTokenRow {
  tokenHash: string
  kind: AccountTokenKind
  userId: string
  mailed: boolean
  expiresAt: Date
}

export async function insertToken(ctx: Context, row: NewTokenRow): Promise<void> {
  await ctx.sql`
    insert into account_tokens (token_hash, kind, user_id, mailed, expires_at, created_at)
    values (${row.tokenHash}, ${row.kind}, ${row.userId}, ${row.mailed}, ${row.expiresAt}, ${ctx.clock.now()})`
}

export async function hasAccountToken(
  ctx: Context,
  kind: AccountTokenKind,
  tokenHash: string,
): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from account_tokens
     where token_hash = ${tokenHash} and kind = ${kind} and expires_at > ${ctx.clock.now()}`
  return rows.length > 0
}

/** Uses the token and returns whose it was; undefined if it is unknown, used or expired. */
export async function takeToken(
  ctx: Context,
  kind: AccountTokenKind,
  tokenHash: string,
): Promise<{ userId: string; mailed: boolean } | undefined> {
  const [row] = await ctx.sql<{ userId: string; mailed: boolean }[]>`
    delete from account_tokens
     where token_hash = ${tokenHash} and kind = ${kind} and expires_at > ${ctx.clock.now()}
    returning user_id as "userId", mailed`
  return row
}

/** Voids the other links of a user. */
export async function deleteTokensOf(ctx: Context, kind: AccountTokenKind, userId: string): Promise<void> {
  await ctx.sql`delete from account_tokens where user_id = ${userId} and kind = ${kind}`
}

/** Deletes expired links, at most `limit`; returns how many. */
export async function deleteExpiredTokens(ctx: Context, limit: number): Promise<number> {
  const rows = await ctx.sql`
    delete from account_tokens
     where token_hash in (
       select token_hash from account_tokens where expires_at <= ${ctx.clock.now()} order by expires_at limit ${limit})
    returning 1`
  return rows.length
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
