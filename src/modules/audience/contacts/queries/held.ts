// Contacts that an import holds which can still be undone: a repeated no about them must leave a trace, or undoing the import would take it back.
import { after, hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import type { Fragment } from '../../../../platform/db/cte'

/** How long an import can be undone once it has ended. */
export const undoImportForMs = hour
/** What it did is kept for an hour more, so that an undo that begins at the last moment finds it. */
export const keepImportChangesForMs = 2 * undoImportForMs

interface Holding {
  projectIds: readonly string[]
  now: Date
  /** An import that is asked on behalf of itself. */
  except?: string | undefined
}

/** A common table expression with the imports that may be undone; nearly always none. It is read only where `isOfUndoableImport` is. */
export function undoableImports({ sql }: Context, { projectIds, now, except }: Holding): Fragment {
  return sql`
    undoable as materialized (
      select project_id, id from contact_imports
       where project_id = any(${projectIds as string[]}::uuid[])
         and (finished_at is null or finished_at > ${after(now, -keepImportChangesForMs)}::timestamptz)
         and id is distinct from ${except ?? null}::uuid
    )`
}

/** Whether one of those made or changed the contact. */
export function isOfUndoableImport({ sql }: Context, projectId: Fragment, contactId: Fragment): Fragment {
  return sql`
    exists (select from undoable u
              join contact_import_changes r on r.project_id = u.project_id and r.import_id = u.id
             where u.project_id = ${projectId} and r.contact_id = ${contactId})`
}
