// What can be put into a mail: for the menu above it, and for the one that a slash opens.
import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import {
  AlignJustify,
  Columns2,
  Heading1,
  Heading2,
  Image,
  List,
  ListOrdered,
  Mail,
  Minus,
  MousePointerClick,
  Quote,
  Space,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../texts'
import type { Block } from '../mail/document'

export interface Insertable {
  id: keyof typeof t.writing.blocks
  icon: ReactNode
  insert: (editor: Editor) => void
}

const paragraph: Block = { type: 'paragraph' }

const block = (content: Block) => (editor: Editor) => void editor.chain().focus().insertContent(content).run()

/** A picture comes from outside the editor: `choose` opens the browser's file dialog. */
export function insertables(choose: () => void): Insertable[] {
  const { writing } = t
  return [
    { id: 'text', icon: <AlignJustify aria-hidden />, insert: block(paragraph) },
    {
      id: 'heading',
      icon: <Heading1 aria-hidden />,
      insert: block({ type: 'heading', attrs: { level: 1 } }),
    },
    {
      id: 'subheading',
      icon: <Heading2 aria-hidden />,
      insert: block({ type: 'heading', attrs: { level: 2 } }),
    },
    {
      id: 'button',
      icon: <MousePointerClick aria-hidden />,
      insert: block({ type: 'button', attrs: { text: writing.button, href: 'https://' } }),
    },
    { id: 'image', icon: <Image aria-hidden />, insert: choose },
    {
      id: 'list',
      icon: <List aria-hidden />,
      insert: editor => void editor.chain().focus().toggleBulletList().run(),
    },
    {
      id: 'numbers',
      icon: <ListOrdered aria-hidden />,
      insert: editor => void editor.chain().focus().toggleOrderedList().run(),
    },
    {
      id: 'columns',
      icon: <Columns2 aria-hidden />,
      insert: block({
        type: 'columns',
        content: [
          { type: 'column', content: [paragraph] },
          { type: 'column', content: [paragraph] },
        ],
      }),
    },
    { id: 'quote', icon: <Quote aria-hidden />, insert: block({ type: 'blockquote', content: [paragraph] }) },
    { id: 'divider', icon: <Minus aria-hidden />, insert: block({ type: 'divider' }) },
    { id: 'spacer', icon: <Space aria-hidden />, insert: block({ type: 'spacer', attrs: { height: 24 } }) },
    {
      id: 'footer',
      icon: <Mail aria-hidden />,
      insert: block({ type: 'footer', content: [{ type: 'text', text: writing.footerText }] }),
    },
  ]
}

/** What a block is called. */
export function nameOf({ type, attrs }: Node): string {
  const { blocks, textKinds } = t.writing
  if (type.name === 'heading') return textKinds[Number(attrs['level'])] ?? blocks.heading
  return blocks[names[type.name] ?? 'text']
}

const names: Record<string, keyof typeof t.writing.blocks> = {
  button: 'button',
  image: 'image',
  bulletList: 'list',
  orderedList: 'numbers',
  columns: 'columns',
  blockquote: 'quote',
  divider: 'divider',
  spacer: 'spacer',
  footer: 'footer',
  html: 'html',
  liquid: 'liquid',
}
