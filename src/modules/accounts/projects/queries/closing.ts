// Closing a project and clearing what it owns. Every page of a clearing proves first that the project is still closed for the
// same reason, so a clearing that comes late can't touch what was written after the project was opened again. This is the one place that
// writes tables of other modules: by the list in `owned-tables.ts`, which a test checks against the catalogue, so that no table is
// forgotten and all are cleared in one order, with one statement per page.
import type { Context } from '../../../../platform/context'
import type { Fragment } from '../../../../platform/db/cte'
import type { OwnedTable } from '../owned-tables'
import type { Closing } from '../schema'

/** Why and since when a project is closed. */
export interface ClosedMark {
  closing: Closing
  closedAt: Date
}

/** False if it is already closed for the same reason, or for being deleted, or disabled, or gone. */
export async function closeProject(ctx: Context, projectId: string, closing: Closing): Promise<boolean> {
  const now = ctx.clock.now()
  const closed = await ctx.sql`
    update projects set closing = ${closing}, closed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
     where id = ${projectId}::uuid and not disabled
       and (closing is null or closing = 'RESET' and ${closing} = 'DELETE')`
  return closed.count === 1
}

/** Undefined for a project that is gone; null for one that is open. */
export async function selectClosedMark(
  ctx: Context,
  projectId: string,
): Promise<ClosedMark | null | undefined> {
  const [row] = await ctx.sql<{ closing: Closing | null; closedAt: Date | null }[]>`
    select closing, closed_at as "closedAt" from projects where id = ${projectId}::uuid`
  if (!row) return undefined
  return row.closing && row.closedAt ? { closing: row.closing, closedAt: row.closedAt } : null
}

/** Locks the mark as it is until the transaction ends; false if it has changed. */
export async function holdClosed(ctx: Context, projectId: string, mark: ClosedMark): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from projects
     where id = ${projectId}::uuid and closing = ${mark.closing} and closed_at = ${mark.closedAt}::timestamptz
       for share`
  return rows.length > 0
}

/** The same, excluding everybody else, for the end. */
export async function lockClosed(ctx: Context, projectId: string, mark: ClosedMark): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from projects
     where id = ${projectId}::uuid and closing = ${mark.closing} and closed_at = ${mark.closedAt}::timestamptz
       for update`
  return rows.length > 0
}

/** Its files are gone, so its brand has no logo. */
export async function reopenProject(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`
    update projects set closing = null, closed_at = null, brand = brand - 'logo', updated_at = ${ctx.clock.now()}::timestamptz
     where id = ${projectId}::uuid`
}

export async function deleteProjectRow(ctx: Context, projectId: string): Promise<void> {
  await ctx.sql`delete from projects where id = ${projectId}::uuid`
}

/** Projects whose clearing has not come to its end. */
export async function selectClosedProjects(ctx: Context, limit: number): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from projects where closing is not null order by id limit ${limit}`
  return rows.map(row => row.id)
}

/** The key of the last row of a page. */
export type PageEnd = Record<string, unknown>

/**
 * Deletes a page of a table past `after`, in the order of an index that the project leads. Going on from the last page rather
 * than from the start avoids reading again what is deleted and not vacuumed yet. Returns the last row's key, undefined at the end.
 */
export async function deletePage(
  ctx: Context,
  { table, by, batch, falls }: OwnedTable,
  projectId: string,
  after: PageEnd | undefined,
): Promise<PageEnd | undefined> {
  const { sql } = ctx
  const name = sql(table)
  const bound = (column: string) =>
    sql`(select r.${sql(column)} from jsonb_populate_record(null::${name}, ${JSON.stringify(after)}::jsonb) r)`
  const columns = by.length > 0 ? sql`, ${sql([...by])}` : sql``
  const sorted = by.map(column => (falls ? sql`${sql(column)} desc` : sql`${sql(column)}`))
  const order = by.length > 0 ? sql`order by ${listOf(ctx, sorted)}` : sql``
  const comes = falls ? sql`<` : sql`>`
  const behind =
    after && by.length > 0 ? sql`and (${sql([...by])}) ${comes} (${listOf(ctx, by.map(bound))})` : sql``
  const [page] = await sql<[{ found: number; last: PageEnd | null }]>`
    with page as materialized (
      select ctid as tid, row_number() over (${order}) as number ${columns} from ${name}
       where project_id = ${projectId}::uuid ${behind} ${order} limit ${batch}
    ), gone as (
      -- A ctid is unique within a partition only, and the next one may hold another project's row at it.
      delete from ${name} where ctid = any(array(select tid from page)) and project_id = ${projectId}::uuid
    )
    select count(*) as found,
           (select to_jsonb(p) - 'tid' - 'number' from page p order by number desc limit 1) as last
      from page`
  return page.found < batch ? undefined : (page.last ?? undefined)
}

/** Fragments with commas between them. */
function listOf({ sql }: Context, parts: Fragment[]): Fragment {
  return parts.reduce((list, part) => sql`${list}, ${part}`)
}

/** Whether these tables hold nothing of a project: one index probe each. */
export async function ownsNothing(
  ctx: Context,
  projectId: string,
  tables: readonly OwnedTable[],
): Promise<boolean> {
  const { sql } = ctx
  const probes = tables
    .map(({ table }) => sql`exists (select from ${sql(table)} where project_id = ${projectId}::uuid)`)
    .reduce((all, one) => sql`${all} or ${one}`)
  const [row] = await sql<[{ owns: boolean }]>`
    select ${probes} or exists (select from jobs where project_id = ${projectId}::uuid and state <> 'running') as owns`
  return !row.owns
}

/** Runs at this moment of the project's jobs, and of those of no project but for the kinds in `except`. */
export async function selectRunsOf(
  ctx: Context,
  projectId: string,
  except: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql<{ run: string }[]>`
    select id || ':' || attempt as run from jobs
     where state = 'running' and (project_id = ${projectId}::uuid or project_id is null)
       and kind <> all(${[...except]}::text[])`
  return rows.map(row => row.run)
}
