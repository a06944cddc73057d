// The files of imports, in their parts.
import type { Context } from '../../../../platform/context'

/** Bytes of each part but the last, before they are compressed: a commit that others hardly wait for. */
export const importPartLength = 256 * 1024

/** `content` is compressed. */
export async function insertImportPart(
  ctx: Context,
  projectId: string,
  importId: string,
  part: number,
  content: Uint8Array,
  now: Date,
): Promise<void> {
  await ctx.sql`
    insert into contact_import_parts (project_id, import_id, part, content, created_at)
    values (${projectId}::uuid, ${importId}::uuid, ${part}::int, ${content}::bytea, ${now}::timestamptz)`
}

/** Parts from the first to the last that are asked for, compressed; those that there are. */
export async function selectImportParts(
  ctx: Context,
  projectId: string,
  importId: string,
  first: number,
  last: number,
): Promise<Buffer[]> {
  const rows = await ctx.sql<{ content: Buffer }[]>`
    select content from contact_import_parts
     where project_id = ${projectId}::uuid and import_id = ${importId}::uuid and part between ${first}::int and ${last}::int
     order by part`
  return rows.map(({ content }) => content)
}

export async function deleteImportParts(ctx: Context, projectId: string, importId: string): Promise<void> {
  await ctx.sql`
    delete from contact_import_parts where project_id = ${projectId}::uuid and import_id = ${importId}::uuid`
}

/** Bytes of the whole file of an import that has not ended, and how many of them are in its record: none, but in those of older releases. */
export async function selectImportSize(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<{ size: number; whole: number } | undefined> {
  const [row] = await ctx.sql<{ size: number; whole: number }[]>`
    select size, coalesce(octet_length(content), 0) as whole from contact_imports
     where project_id = ${projectId}::uuid and id = ${id}::uuid and finished_at is null`
  return row
}

/** Of a file that is in the record of its import: bytes from an offset on. */
export async function selectImportBytes(
  ctx: Context,
  projectId: string,
  id: string,
  from: number,
  length: number,
): Promise<Buffer | undefined> {
  const [row] = await ctx.sql<{ bytes: Buffer }[]>`
    select substring(content from ${from + 1}::int for ${length}::int) as bytes from contact_imports
     where project_id = ${projectId}::uuid and id = ${id}::uuid and finished_at is null`
  return row?.bytes
}

/** Deletes parts from before a moment whose import has ended or was never recorded: storing it was cut short. */
export async function deleteStrayParts(ctx: Context, before: Date): Promise<void> {
  await ctx.sql`
    delete from contact_import_parts p
     where created_at < ${before}::timestamptz
       and not exists (select from contact_imports r
                        where r.project_id = p.project_id and r.id = p.import_id and r.finished_at is null)`
}
