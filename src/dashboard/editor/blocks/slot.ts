// The place of a layout where the content of emails goes. It can be moved, and is always there once.
import { Node } from '@tiptap/core'
import type { Node as Model } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { t } from '../../texts'

const slotsIn = (doc: Model): number => {
  let count = 0
  doc.forEach(({ type }) => {
    if (type.name === 'slot') count++
  })
  return count
}

export const Slot = Node.create({
  name: 'slot',
  group: 'block',
  atom: true,
  parseHTML: () => [{ tag: 'div[data-slot]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-slot': '', class: 'mail-slot' },
    ['strong', {}, t.writing.slotTitle],
    ['span', {}, t.writing.slotHint],
  ],
  /** What would delete or double it, however, does not happen; nor does one get into an email that is no layout. */
  addProseMirrorPlugins: () => [
    new Plugin({
      filterTransaction: (tr, { doc }) => !tr.docChanged || slotsIn(tr.doc) === slotsIn(doc),
    }),
  ],
})
