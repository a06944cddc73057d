// Contacts that an import or a bulk job changed which can still be undone: unsubscribing them again must leave a trace, or undoing it would
// subscribe them.
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

/** Common table expressions with the imports, and the first bulk job that unsubscribes, that can be undone; nearly always none. */
export function undoableWork({ sql }: Context, { projectIds, now, except }: Holding): Fragment {
  const since = after(now, -keepImportChangesForMs)
  return sql`
    undoable as materialized (
      select project_id, id from contact_imports
       where project_id = any(${projectIds as string[]}::uuid[])
         and (finished_at is null or finished_at > ${since}::timestamptz)
         and id is distinct from ${except ?? null}::uuid
    ),
    undoable_bulks as materialized (
      select project_id, min(created_at) as since from contact_bulks
       where project_id = any(${projectIds as string[]}::uuid[]) and operation = 'unsubscribe'
         and (finished_at is null or finished_at > ${since}::timestamptz)
       group by project_id
    )`
}

/** Whether undoing an import or a bulk job may subscribe the contact again. With `undoableWork`; `contact` is the name of a row of contacts. */
export function mayBeUndone(ctx: Context, contact: Fragment): Fragment {
  const { sql } = ctx
  return sql`
    (${isOfUndoableImport(ctx, sql`${contact}.project_id`, sql`${contact}.id`)}
     or exists (select from undoable_bulks b where b.project_id = ${contact}.project_id and b.since <= ${contact}.updated_at))`
}

/** Whether one of those made or changed the contact. */
export function isOfUndoableImport({ sql }: Context, projectId: Fragment, contactId: Fragment): Fragment {
  return sql`
    exists (select from undoable u
              join contact_import_changes r on r.project_id = u.project_id and r.import_id = u.id
             where u.project_id = ${projectId} and r.contact_id = ${contactId})`
}
