// The editor has no history of its own: it shows what the page's history says, and its buttons go through that.
import { type Editor, Extension } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import type { Block } from '../mail/document'
import type { DraftHistory } from '../use-draft'

/** The commands of an editor's own history, which the toolbar runs. */
export const pageHistory = (history: () => DraftHistory | undefined) =>
  Extension.create({
    name: 'pageHistory',
    addCommands: () => ({
      undo:
        () =>
        ({ dispatch }) => {
          const { canUndo = false, undo } = history() ?? {}
          if (dispatch && canUndo) undo?.()
          return canUndo
        },
      redo:
        () =>
        ({ dispatch }) => {
          const { canRedo = false, redo } = history() ?? {}
          if (dispatch && canRedo) redo?.()
          return canRedo
        },
    }),
  })

/** Shows a document that did not come from the editor: only what differs is replaced, and the cursor is put there. */
export function showDocument(editor: Editor, given: Block): void {
  const next = editor.schema.nodeFromJSON(given)
  const { doc, tr } = editor.state
  const start = doc.content.findDiffStart(next.content)
  const ends = doc.content.findDiffEnd(next.content)
  if (start === null || !ends) return
  // What both have at either end may overlap.
  const more = Math.max(start - Math.min(ends.a, ends.b), 0)
  const to = ends.b + more
  tr.replace(start, ends.a + more, next.slice(start, to))
  if (!tr.doc.eq(next)) {
    editor.commands.setContent(given, { emitUpdate: false })
    return
  }
  tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(to, tr.doc.content.size)), -1))
  editor.view.dispatch((editor.isFocused ? tr.scrollIntoView() : tr).setMeta('preventUpdate', true))
}
