// The one statement that shows whether the database answers.
import type { Context } from '../../platform/context'

export async function pingDatabase(ctx: Context): Promise<void> {
  await ctx.sql`select 1`
}
