// Imports and undoing one another: what a later import says of the same contacts counts, so that one is undone first, and none goes on while
// another is undone.
import { conflict } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import {
  holdImportOrder,
  isUndoOpen,
  recordUnchanged,
  sharesWithLater,
  type UndoableImport,
} from '../queries'
import type { ImportedContact } from './import-apply'

/** An import can't go on yet, because another of the project is being undone. */
export class UndoRuns extends Error {}

/** Before a piece of an import: until its end no undo of another begins, and none may be open. */
export async function requireNoUndo(tx: Context, projectId: string, importId: string): Promise<void> {
  await holdImportOrder(tx, projectId)
  if (await isUndoOpen(tx, projectId, importId))
    throw new UndoRuns('an import of the project is being undone')
}

/** Notes those contacts of a piece that were as the file says already, where another import made or changed them. */
export async function holdUnchanged(
  tx: Context,
  projectId: string,
  importId: string,
  contacts: readonly ImportedContact[],
): Promise<void> {
  const ids = contacts.flatMap(({ contact, isWritten }) => (isWritten ? [] : [contact.id]))
  if (ids.length > 0) await recordUnchanged(tx, projectId, importId, ids)
}

/** Before an undo, which holds the order: 409 if a later import has records of the same contacts. */
export async function requireNewest(tx: Context, projectId: string, held: UndoableImport): Promise<void> {
  if (await sharesWithLater(tx, projectId, held))
    throw conflict('A later import holds some of the same contacts: undo that one first', {
      suggestion: 'Undo the later import, or select the contacts in the list and change them.',
    })
}
