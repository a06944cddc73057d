// SQL of the one-time tokens that open a new instance.
import type { Context } from '../../../platform/context'

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
