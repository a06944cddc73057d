// Moving, duplicating and deleting whole blocks: as one step each, so that one Undo takes it back.
import { type Editor, Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'

/** A block and where it begins. */
export interface Placed {
  node: Node
  pos: number
}

/** What holds blocks that can be moved; the paragraphs of a quote or a list are parts of it. */
const holders = new Set(['doc', 'column', 'section'])

export const holdsBlocks = (node: Node): boolean => holders.has(node.type.name)

/** The blocks around the cursor, the outermost first. */
export function blocksAt({ selection }: EditorState): Placed[] {
  const { $from } = selection
  const found: Placed[] = []
  for (let depth = 0; depth < $from.depth; depth++)
    if (holdsBlocks($from.node(depth)))
      found.push({ node: $from.node(depth + 1), pos: $from.before(depth + 1) })
  if (selection instanceof NodeSelection && holdsBlocks($from.parent))
    found.push({ node: selection.node, pos: selection.from })
  return found
}

/** Where it would be after a step up or down; undefined at the end. */
function targetOf(doc: Node, { node, pos }: Placed, step: -1 | 1): number | undefined {
  const $pos = doc.resolve(pos)
  const next = $pos.parent.maybeChild($pos.index() + step)
  if (!next) return undefined
  if (step === -1) return pos - next.nodeSize
  // The last line is there to write in, and stays the last.
  const isLastLine = $pos.depth === 0 && $pos.index() + 2 === doc.childCount && next.content.size === 0
  return isLastLine && next.isTextblock ? undefined : pos + node.nodeSize + next.nodeSize
}

export const canMove = (editor: Editor, block: Placed, step: -1 | 1): boolean =>
  targetOf(editor.state.doc, block, step) !== undefined

export function moveBlock(editor: Editor, block: Placed, step: -1 | 1): boolean {
  const target = targetOf(editor.state.doc, block, step)
  return target !== undefined && moveBlockTo(editor, block, target)
}

/** Whether the block may stand at this position of the document. */
export function fitsAt(doc: Node, { node, pos }: Placed, target: number): boolean {
  if (target >= pos && target <= pos + node.nodeSize) return false
  const $target = doc.resolve(target)
  return $target.parent.canReplaceWith($target.index(), $target.index(), node.type)
}

export function moveBlockTo(editor: Editor, block: Placed, target: number): boolean {
  const { state, view } = editor
  const { node, pos } = block
  if (!fitsAt(state.doc, block, target)) return false
  const { from, to } = state.selection
  const { tr } = state
  tr.delete(pos, pos + node.nodeSize)
  const at = tr.mapping.map(target)
  tr.insert(at, node)
  const isInside = from > pos && to < pos + node.nodeSize
  if (isInside && state.selection instanceof TextSelection)
    tr.setSelection(TextSelection.create(tr.doc, at + from - pos, at + to - pos))
  else select(tr, at)
  view.dispatch(tr.scrollIntoView())
  view.focus()
  return true
}

export function duplicateBlock(editor: Editor, { node, pos }: Placed): void {
  const { tr } = editor.state
  tr.insert(pos + node.nodeSize, node.copy(node.content))
  select(tr, pos + node.nodeSize)
  editor.view.dispatch(tr.scrollIntoView())
}

export function deleteBlock(editor: Editor, { node, pos }: Placed): void {
  const { tr } = editor.state
  tr.delete(pos, pos + node.nodeSize)
  tr.setSelection(Selection.near(tr.doc.resolve(Math.min(tr.mapping.map(pos), tr.doc.content.size))))
  editor.view.dispatch(tr)
}

/** Selects the whole block, so that the panel shows it. */
export function selectBlock(editor: Editor, { pos }: Placed): void {
  const { tr } = editor.state
  select(tr, pos)
  editor.view.dispatch(tr)
}

/** A text by its cursor, anything else as a whole. */
function select(tr: Transaction, at: number): void {
  const node = tr.doc.nodeAt(at)
  const isText = node?.isTextblock ?? false
  tr.setSelection(
    node && !isText && NodeSelection.isSelectable(node)
      ? NodeSelection.create(tr.doc, at)
      : Selection.near(tr.doc.resolve(at + (isText ? (node?.nodeSize ?? 2) - 1 : 0)), isText ? -1 : 1),
  )
}

/** Alt with the arrows moves the block of the cursor, Ctrl+D duplicates it, Escape selects what is around it. */
export const BlockKeys = Extension.create({
  name: 'blockKeys',
  addKeyboardShortcuts() {
    const withBlock = (act: (block: Placed) => unknown) => (): boolean => {
      const block = blocksAt(this.editor.state).at(-1)
      if (block) act(block)
      return block !== undefined
    }
    return {
      'Alt-ArrowUp': withBlock(block => moveBlock(this.editor, block, -1)),
      'Alt-ArrowDown': withBlock(block => moveBlock(this.editor, block, 1)),
      'Mod-d': withBlock(block => duplicateBlock(this.editor, block)),
      Escape: () => {
        const { selection } = this.editor.state
        const path = blocksAt(this.editor.state)
        const isWhole = selection instanceof NodeSelection && path.at(-1)?.pos === selection.from
        const outer = isWhole ? path.at(-2) : path.at(-1)
        if (!outer || !NodeSelection.isSelectable(outer.node)) return false
        this.editor.view.dispatch(
          this.editor.state.tr.setSelection(NodeSelection.create(this.editor.state.doc, outer.pos)),
        )
        return true
      },
    }
  },
})
