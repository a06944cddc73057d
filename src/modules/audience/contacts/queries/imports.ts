// The record of imports: the progress, the results. The file is in its parts.
import type { Context } from '../../../../platform/context'
import type { ConsentOrigin, ImportFault, ImportOptions, ImportUndo, LeftOutRow, MisfitCell } from '../schema'

export interface NewImport {
  id: string
  projectId: string
  jobId: string
  filename: string
  /** Bytes of the file. */
  size: number
  origin?: ConsentOrigin | undefined
  /** Ids of topics. */
  topics: readonly string[]
  warnings: readonly string[]
  options: ImportOptions
}

/** Imports of the project that have not ended. */
export async function countOpenImports(ctx: Context, projectId: string): Promise<number> {
  const [row] = await ctx.sql<{ open: number }[]>`
    select count(*) as open from contact_imports where project_id = ${projectId}::uuid and finished_at is null`
  return row?.open ?? 0
}

export async function insertImport(ctx: Context, given: NewImport, now: Date): Promise<void> {
  const { id, projectId, jobId, filename, size, origin = null, topics, warnings, options } = given
  await ctx.sql`
    insert into contact_imports
           (id, project_id, job_id, filename, origin, topics, content, size, position, rows, created, updated, failed, faults, left_out,
            left_out_rows, warnings, options, created_at)
    values (${id}::uuid, ${projectId}::uuid, ${jobId}::uuid, ${filename}, ${origin && JSON.stringify(origin)}::jsonb,
            ${topics.length > 0 ? JSON.stringify(topics) : null}::jsonb, '', ${size}, 0, 0, 0, 0, 0,
            '[]', 0, '[]', ${JSON.stringify(warnings)}::jsonb,
            ${JSON.stringify(options)}::jsonb, ${now}::timestamptz)`
}

export interface ImportView {
  id: string
  projectId: string
  jobId: string
  filename: string
  size: number
  position: number
  rows: number
  created: number
  updated: number
  failed: number
  faults: ImportFault[]
  leftOut: number
  leftOutRows: LeftOutRow[]
  warnings: string[]
  unchanged: number
  misfits: number
  misfitCells: MisfitCell[]
  keepsChanges: boolean
  undo: ImportUndo | null
  failedReason: string | null
  finishedAt: Date | null
  hasBegun: boolean
}

export async function selectImport(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<ImportView | undefined> {
  const [row] = await ctx.sql<ImportView[]>`
    select id, project_id as "projectId", job_id as "jobId", filename, size, position, rows, created, updated, failed, faults,
           left_out as "leftOut", left_out_rows as "leftOutRows", warnings, unchanged, misfits, misfit_cells as "misfitCells",
           options is not null as "keepsChanges", undo, failed_reason as "failedReason", finished_at as "finishedAt",
           position > 0 as "hasBegun"
      from contact_imports where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

export interface HeldImport {
  position: number
  lines: number
  rows: number
  origin: ConsentOrigin | null
  topics: string[] | null
  options: ImportOptions | null
  filename: string
  /** How many of each are listed already. */
  faults: number
  leftOutRows: number
  misfitCells: number
}

/** How far an import has got; its row stays locked, so that a second run of the job waits. */
export async function lockImport(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<HeldImport | undefined> {
  const [row] = await ctx.sql<HeldImport[]>`
    select position, lines, rows, origin, topics, options, filename, jsonb_array_length(faults) as faults,
           jsonb_array_length(left_out_rows) as "leftOutRows", jsonb_array_length(misfit_cells) as "misfitCells"
      from contact_imports
     where project_id = ${projectId}::uuid and id = ${id}::uuid and finished_at is null
       for update`
  return row
}

export interface ImportStep {
  position: number
  /** Line ends before that. */
  lines: number
  created: number
  updated: number
  failed: number
  faults: ImportFault[]
  leftOut: number
  leftOutRows: LeftOutRow[]
  unchanged: number
  misfits: number
  misfitCells: MisfitCell[]
  /** Those that are new are added. */
  warnings: readonly string[]
}

/** Notes what was done, in the transaction that did it. */
export async function advanceImport(
  ctx: Context,
  projectId: string,
  id: string,
  step: ImportStep,
): Promise<void> {
  const { position, lines, created, updated, failed, faults, leftOut, leftOutRows } = step
  const { unchanged, misfits, misfitCells, warnings } = step
  const done = created + updated + failed
  await ctx.sql`
    update contact_imports
       set position = ${position}::int, lines = ${lines}::int, rows = rows + ${done}::int, created = created + ${created}::int,
           updated = updated + ${updated}::int, failed = failed + ${failed}::int,
           unchanged = unchanged + ${unchanged}::int, misfits = misfits + ${misfits}::int,
           misfit_cells = case when ${misfitCells.length}::int = 0 then misfit_cells
                               else misfit_cells || ${JSON.stringify(misfitCells)}::jsonb end,
           warnings = case when ${warnings.length}::int = 0 or warnings @> ${JSON.stringify(warnings)}::jsonb then warnings
                           else warnings || ${JSON.stringify(warnings)}::jsonb end,
           faults = case when ${faults.length}::int = 0 then faults else faults || ${JSON.stringify(faults)}::jsonb end,
           left_out = left_out + ${leftOut}::int,
           left_out_rows = case when ${leftOutRows.length}::int = 0 then left_out_rows
                                else left_out_rows || ${JSON.stringify(leftOutRows)}::jsonb end
     where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/** Ends an import, well or with the reason why not, and drops what older releases have stored of the file. */
export async function finishImport(
  ctx: Context,
  projectId: string,
  id: string,
  failedReason: string | null,
  now: Date,
): Promise<void> {
  await ctx.sql`
    update contact_imports set finished_at = ${now}::timestamptz, content = null, failed_reason = ${failedReason}
     where project_id = ${projectId}::uuid and id = ${id}::uuid and finished_at is null`
}

/** Takes an address out of the lists of rows that were refused or left out; how many there were stays. */
export async function deleteImportedRows(ctx: Context, projectId: string, email: string): Promise<void> {
  const { sql } = ctx
  const isTheirs = sql`lower(btrim(each ->> 'email')) = ${email}`
  const others = (list: 'faults' | 'left_out_rows' | 'misfit_cells') => sql`
    (select coalesce(jsonb_agg(each order by place), '[]')
       from jsonb_array_elements(${sql(list)}) with ordinality as listed(each, place) where not (${isTheirs}))`
  await sql`
    update contact_imports set faults = ${others('faults')}, left_out_rows = ${others('left_out_rows')},
           misfit_cells = ${others('misfit_cells')}
     where project_id = ${projectId}::uuid
       and exists (select from jsonb_array_elements(faults || left_out_rows || misfit_cells) as each where ${isTheirs})`
}
