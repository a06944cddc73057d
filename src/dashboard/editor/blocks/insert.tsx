// What can be put into a mail: for the menu above it, and for the one that a slash opens.
import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import {
  BadgeCheck,
  Code,
  Columns2,
  Columns3,
  Heading1,
  Heading2,
  Image,
  List,
  ListOrdered,
  Mail,
  MailX,
  Minus,
  MousePointerClick,
  Quote,
  Rows3,
  Share2,
  Space,
  Square,
  SquarePlay,
  TextInitial,
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

const columns = (count: number): Block => ({
  type: 'columns',
  content: Array.from({ length: count }, () => ({ type: 'column', content: [paragraph] })),
})

const link = (text: string, name: string): Block => ({
  type: 'text',
  text,
  marks: [{ type: 'link', attrs: { href: `{{${name}}}` } }],
})

const grey = '#f4f3f1'

/** A picture comes from outside the editor: `choose` opens the browser's file dialog. */
export function insertables(choose: (type: 'image' | 'video') => void): Insertable[] {
  const { writing } = t
  const { linkWords } = writing
  const between: Block = { type: 'text', text: ' · ' }
  return [
    { id: 'text', icon: <TextInitial aria-hidden />, insert: block(paragraph) },
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
      id: 'list',
      icon: <List aria-hidden />,
      insert: editor => void editor.chain().focus().toggleBulletList().run(),
    },
    {
      id: 'numbers',
      icon: <ListOrdered aria-hidden />,
      insert: editor => void editor.chain().focus().toggleOrderedList().run(),
    },
    { id: 'quote', icon: <Quote aria-hidden />, insert: block({ type: 'blockquote', content: [paragraph] }) },
    {
      id: 'button',
      icon: <MousePointerClick aria-hidden />,
      insert: block({ type: 'button', attrs: { text: writing.button, href: 'https://' } }),
    },
    { id: 'image', icon: <Image aria-hidden />, insert: () => choose('image') },
    { id: 'video', icon: <SquarePlay aria-hidden />, insert: () => choose('video') },
    { id: 'logo', icon: <BadgeCheck aria-hidden />, insert: block({ type: 'logo' }) },
    {
      id: 'social',
      icon: <Share2 aria-hidden />,
      insert: block({
        type: 'social',
        attrs: {
          align: 'center',
          links: ['LinkedIn', 'Instagram', 'YouTube'].map(name => ({ name, href: 'https://' })),
        },
      }),
    },
    { id: 'columns', icon: <Columns2 aria-hidden />, insert: block(columns(2)) },
    { id: 'columns3', icon: <Columns3 aria-hidden />, insert: block(columns(3)) },
    {
      id: 'section',
      icon: <Square aria-hidden />,
      insert: block({ type: 'section', attrs: { background: grey, radius: 8 }, content: [paragraph] }),
    },
    { id: 'divider', icon: <Minus aria-hidden />, insert: block({ type: 'divider' }) },
    { id: 'spacer', icon: <Space aria-hidden />, insert: block({ type: 'spacer', attrs: { height: 24 } }) },
    {
      id: 'rows',
      icon: <Rows3 aria-hidden />,
      insert: block({
        type: 'rows',
        attrs: {
          list: 'items',
          columns: [
            { title: writing.rowName, field: 'name', align: 'left' },
            { title: writing.rowPrice, field: 'price', align: 'right' },
          ],
        },
      }),
    },
    { id: 'html', icon: <Code aria-hidden />, insert: block({ type: 'html', attrs: { html: '' } }) },
    {
      id: 'unsubscribe',
      icon: <MailX aria-hidden />,
      insert: block({
        type: 'footer',
        content: [
          link(linkWords.unsubscribeUrl, 'unsubscribeUrl'),
          between,
          link(linkWords.manageUrl, 'manageUrl'),
          between,
          link(linkWords.browserUrl, 'browserUrl'),
        ],
      }),
    },
    {
      id: 'footer',
      icon: <Mail aria-hidden />,
      insert: block({ type: 'footer', content: [{ type: 'text', text: writing.footerText }] }),
    },
  ]
}

/** What a block is called. */
export function nameOf({ type, attrs, childCount }: Node): string {
  const { blocks, textKinds } = t.writing
  if (type.name === 'heading') return textKinds[Number(attrs['level'])] ?? blocks.heading
  if (type.name === 'columns' && childCount === 3) return blocks.columns3
  return blocks[names[type.name] ?? (type.name as 'text')] ?? blocks.text
}

/** Where the name of the type is another one. */
const names: Record<string, keyof typeof t.writing.blocks> = {
  paragraph: 'text',
  bulletList: 'list',
  orderedList: 'numbers',
  blockquote: 'quote',
}
