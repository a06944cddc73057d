// What the instance asks its database about itself.
import type { Context } from '../../../platform/context'

export async function pingDatabase(ctx: Context): Promise<void> {
  await ctx.sql`select 1`
}

export async function describeDatabase(ctx: Context): Promise<{ version: string; bytes: number }> {
  const [row] = await ctx.sql<{ version: string; bytes: string | null }[]>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes`
  return { version: row?.version ?? '', bytes: Number(row?.bytes ?? 0) }
}
