// Imports of one project and undoing them, in their order.
import type { Context } from '../../../../platform/context'
import { isOfUndoableImport, undoableWork } from './held'
import type { UndoableImport } from './import-undo'

/** For a piece of an import: no undo begins until the transaction ends. */
export async function holdImportOrder(tx: Context, projectId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock_shared(hashtextextended(${`import order ${projectId}`}::text, 0))`
}

/** For the request to undo one: waits for pieces that are being applied, and has further ones wait until the transaction ends. */
export async function lockImportOrder(tx: Context, projectId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended(${`import order ${projectId}`}::text, 0))`
}

/** Whether another import is being undone; one whose job was given up is not. */
export async function isUndoOpen(tx: Context, projectId: string, importId: string): Promise<boolean> {
  const [row] = await tx.sql<[{ some: boolean }]>`
    select exists (select from contact_imports i join jobs j on j.id = (i.undo ->> 'jobId')::uuid
                    where i.project_id = ${projectId}::uuid and i.id <> ${importId}::uuid and i.undo is not null
                      and i.undo ->> 'finishedAt' is null and j.state in ('queued', 'running')) as some`
  return row.some
}

/** Notes contacts that an import left as they were, where another import that may be undone made or changed them. */
export async function recordUnchanged(
  tx: Context,
  projectId: string,
  importId: string,
  contactIds: readonly string[],
): Promise<void> {
  const now = tx.clock.now()
  await tx.sql`
    with ${undoableWork(tx, { projectIds: [projectId], now, except: importId })}
    insert into contact_import_changes (project_id, import_id, contact_id, created, version)
    select c.project_id, ${importId}::uuid, c.id, false, c.version from contacts c
     where c.project_id = ${projectId}::uuid and c.id = any(${contactIds as string[]}::uuid[])
       and ${isOfUndoableImport(tx, tx.sql`c.project_id`, tx.sql`c.id`)}
    on conflict do nothing`
}

/** Whether a later import has a record of a contact that this one has a record of, too. Reads the records of later imports, up to the first shared one. */
export async function sharesWithLater(
  tx: Context,
  projectId: string,
  { id, createdAt }: Pick<UndoableImport, 'id' | 'createdAt'>,
): Promise<boolean> {
  const [row] = await tx.sql<[{ some: boolean }]>`
    select exists (
      select from contact_imports i
        join contact_import_changes later on later.project_id = i.project_id and later.import_id = i.id
        join contact_import_changes own on own.project_id = later.project_id and own.import_id = ${id}::uuid
             and own.contact_id = later.contact_id
       where i.project_id = ${projectId}::uuid and i.id <> ${id}::uuid
         and (i.created_at, i.id) > (${createdAt}::timestamptz, ${id}::uuid)) as some`
  return row.some
}
