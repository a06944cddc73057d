// Marks the block of the cursor, which the panel shows.
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { blocksAt } from './moving'

export const MarkSelected = Extension.create({
  name: 'markSelected',
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        decorations(state) {
          const block = blocksAt(state).at(-1)
          if (!block) return null
          const { pos, node } = block
          return DecorationSet.create(state.doc, [
            Decoration.node(pos, pos + node.nodeSize, { class: 'mail-selected' }),
          ])
        },
      },
    }),
  ],
})
