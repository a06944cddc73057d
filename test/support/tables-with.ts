// Where a text is kept.
import type { World } from './world'

/** Tables with a row that has the text anywhere. */
export async function tablesWith({ ctx, database }: World, text: string): Promise<string[]> {
  const tables = await ctx.sql<{ name: string }[]>`
    select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.sql.unsafe(
      `select 1 from "${name}" t where t::text ilike '%${text}%' limit 1`,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}
