// The record of imports: the progress, the results. The file is in its parts.
import type { Context } from '../../../../platform/context'
import type { ConsentOrigin, ImportFault, LeftOutRow } from '../schema'

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
}

/** Imports of the project that have not ended. */
export async function countOpenImports(ctx: Context, projectId: string): Promise<number> {
  const [row] = await ctx.sql<{ open: number }[]>`
    select count(*) as open from contact_imports where project_id = ${projectId}::uuid and finished_at is null`
  return row?.open ?? 0
}

export async function insertImport(ctx: Context, given: NewImport, now: Date): Promise<void> {
  const { id, projectId, jobId, filename, size, origin = null, topics, warnings } = given
  await ctx.sql`
    insert into contact_imports
           (id, project_id, job_id, filename, origin, topics, content, size, position, rows, created, updated, failed, faults, left_out,
            left_out_rows, warnings, created_at)
    values (${id}::uuid, ${projectId}::uuid, ${jobId}::uuid, ${filename}, ${origin && JSON.stringify(origin)}::jsonb,
            ${topics.length > 0 ? JSON.stringify(topics) : null}::jsonb, '', ${size}, 0, 0, 0, 0, 0,
            '[]', 0, '[]', ${JSON.stringify(warnings)}::jsonb, ${now}::timestamptz)`
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
           left_out as "leftOut", left_out_rows as "leftOutRows", warnings, failed_reason as "failedReason", finished_at as "finishedAt", position > 0 as "hasBegun"
      from contact_imports where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

export interface HeldImport {
  position: number
  lines: number
  rows: number
  origin: ConsentOrigin | null
  topics: string[] | null
  /** How many of each are listed already. */
  faults: number
  leftOutRows: number
}

/** How far an import has got; its row stays locked, so that a second run of the job waits. */
export async function lockImport(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<HeldImport | undefined> {
  const [row] = await ctx.sql<HeldImport[]>`
    select position, lines, rows, origin, topics, jsonb_array_length(faults) as faults, jsonb_array_length(left_out_rows) as "leftOutRows"
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
}

/** Notes what was done, in the transaction that did it. */
export async function advanceImport(
  ctx: Context,
  projectId: string,
  id: string,
  step: ImportStep,
): Promise<void> {
  const { position, lines, created, updated, failed, faults, leftOut, leftOutRows } = step
  const done = created + updated + failed
  await ctx.sql`
    update contact_imports
       set position = ${position}::int, lines = ${lines}::int, rows = rows + ${done}::int, created = created + ${created}::int,
           updated = updated + ${updated}::int, failed = failed + ${failed}::int,
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
export async function forgetImportedRows(ctx: Context, projectId: string, email: string): Promise<void> {
  const { sql } = ctx
  const isTheirs = sql`lower(btrim(each ->> 'email')) = ${email}`
  const others = (list: 'faults' | 'left_out_rows') => sql`
    (select coalesce(jsonb_agg(each order by place), '[]')
       from jsonb_array_elements(${sql(list)}) with ordinality as listed(each, place) where not (${isTheirs}))`
  await sql`
    update contact_imports set faults = ${others('faults')}, left_out_rows = ${others('left_out_rows')}
     where project_id = ${projectId}::uuid
       and exists (select from jsonb_array_elements(faults || left_out_rows) as each where ${isTheirs})`
}
