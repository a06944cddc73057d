// Marks the block with words that can't be read, while they are there.
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { escapeText } from '../mail/escape'

export function markBroken(wordsOf: () => string | undefined): Extension {
  return Extension.create({
    name: 'markBroken',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          decorations({ doc }) {
            const words = wordsOf()
            if (!words) return null
            const marks: Decoration[] = []
            doc.forEach((block, at) => {
              // The words are those of the HTML.
              if (escapeText(block.textContent).includes(words))
                marks.push(Decoration.node(at, at + block.nodeSize, { class: 'mail-broken' }))
            })
            return DecorationSet.create(doc, marks)
          },
        },
      }),
    ],
  })
}
