// The blocks that the editor knows. How they look while one writes is in editor.css; what they become is in ../mail.
import { type AnyExtension, Node } from '@tiptap/core'
import Bold from '@tiptap/extension-bold'
import Document from '@tiptap/extension-document'
import HardBreak from '@tiptap/extension-hard-break'
import Heading from '@tiptap/extension-heading'
import Italic from '@tiptap/extension-italic'
import Link from '@tiptap/extension-link'
import { BulletList, ListItem, OrderedList } from '@tiptap/extension-list'
import Paragraph from '@tiptap/extension-paragraph'
import Text from '@tiptap/extension-text'
import { Dropcursor, Gapcursor, Placeholder, TrailingNode } from '@tiptap/extensions'
import { t } from '../../texts'
import { columnShares, socialLinks } from '../mail/blocks'
import { lineColour, pixels } from '../mail/box'
import { colourOf } from '../mail/document'
import { rowColumns } from '../mail/rows'
import { BoxAttributes, json, shown } from './attributes'
import { ButtonBlock, Image, Video } from './media'
import { Slot } from './slot'
import { shownVariable } from './variables'

const AlignedParagraph = Paragraph.extend({
  group: 'block simple',
  addAttributes: () => ({ align: shown('align') }),
})
const AlignedHeading = Heading.extend({
  group: 'block simple',
  addAttributes() {
    return { ...this.parent?.(), align: shown('align') }
  },
})

/** A placeholder as a chip. */
const Variable = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,
  addAttributes: () => ({ name: shown('name', ''), fallback: shown('fallback', '') }),
  parseHTML: () => [{ tag: 'span[data-variable]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    { ...HTMLAttributes, 'data-variable': '', class: 'mail-variable' },
    shownVariable(String(node.attrs['name']), String(node.attrs['fallback'])),
  ],
})

const Divider = Node.create({
  name: 'divider',
  group: 'block simple',
  addAttributes: () => ({ border: shown('border'), borderColor: shown('borderColor') }),
  parseHTML: () => [{ tag: 'hr' }],
  renderHTML({ node, HTMLAttributes }) {
    const { border, borderColor } = node.attrs
    const style = `border-top-width:${pixels(border, 8, 1) ?? 1}px;border-top-color:${colourOf(borderColor, lineColour)}`
    return ['div', { ...HTMLAttributes, class: 'mail-divider' }, ['hr', { style }]]
  },
})

const Spacer = Node.create({
  name: 'spacer',
  group: 'block simple',
  addAttributes: () => ({ height: shown('height', 24) }),
  parseHTML: () => [{ tag: 'div[data-spacer]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, 'data-spacer': '', class: 'mail-spacer' }],
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('div')
      dom.className = 'mail-spacer'
      dom.style.height = `${Number(node.attrs['height']) || 24}px`
      return { dom }
    },
})

const Footer = Node.create({
  name: 'footer',
  group: 'block simple',
  content: 'inline*',
  parseHTML: () => [{ tag: 'div[data-footer]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-footer': '', class: 'mail-footer' },
    0,
  ],
})

const Blockquote = Node.create({
  name: 'blockquote',
  group: 'block simple',
  content: 'paragraph+',
  parseHTML: () => [{ tag: 'blockquote' }],
  renderHTML: ({ HTMLAttributes }) => ['blockquote', HTMLAttributes, 0],
})

/** Blocks on a background of their own. */
const Section = Node.create({
  name: 'section',
  group: 'block',
  content: '(simple | columns)+',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-section]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-section': '', class: 'mail-section' },
    0,
  ],
})

const Social = Node.create({
  name: 'social',
  group: 'block simple',
  addAttributes: () => ({ links: json('links', []), align: shown('align') }),
  parseHTML: () => [{ tag: 'div[data-social]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-social': '', class: 'mail-social' },
    ...shownLinks(node.attrs['links']).map(name => ['span', {}, name] as const),
  ],
})

/** Without links of its own, it shows those of the brand. */
function shownLinks(links: unknown): string[] {
  const own = socialLinks(links)
  return own.length === 0 ? [t.writing.brandLinks] : own.map(({ name }) => name || '…')
}

/** A row for each thing in a list of the data; shown with the names of what stands there. */
const Rows = Node.create({
  name: 'rows',
  group: 'block simple',
  addAttributes: () => ({ list: shown('list', ''), columns: json('columns', []) }),
  parseHTML: () => [{ tag: 'div[data-rows]' }],
  renderHTML({ node, HTMLAttributes }) {
    const columns = rowColumns(node.attrs['columns'])
    const line = (words: string[]) =>
      [
        'tr',
        {},
        ...words.map((each, at) => ['td', { style: `text-align:${columns[at]!.align}` }, each] as const),
      ] as const
    const titles = line(columns.map(({ title }) => title))
    const fields = line(columns.map(({ field }) => `{{${field}}}`))
    return [
      'div',
      { ...HTMLAttributes, 'data-rows': '', class: 'mail-rows' },
      ['table', {}, ['tbody', {}, titles, fields]],
    ]
  },
})

/** The logo of the brand, or the project's name: which of them, the brand says. */
const Logo = Node.create({
  name: 'logo',
  group: 'block simple',
  atom: true,
  addAttributes: () => ({ align: shown('align'), color: shown('color') }),
  parseHTML: () => [{ tag: 'div[data-logo]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-logo': '', class: 'mail-logo' },
    ['span', {}],
  ],
})

const Columns = Node.create({
  name: 'columns',
  group: 'block',
  content: 'column{1,3}',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-columns]' }],
  addAttributes: () => ({ widths: json('widths', []) }),
  renderHTML({ node, HTMLAttributes }) {
    const shares = columnShares(node.attrs['widths'], node.childCount)
    const style = `${HTMLAttributes['style'] ?? ''};--columns:${shares.map(share => `minmax(0,${share}fr)`).join(' ')}`
    return ['div', { ...HTMLAttributes, style, 'data-columns': '', class: 'mail-columns' }, 0]
  },
})

const Column = Node.create({
  name: 'column',
  content: 'simple+',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-column]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, 'data-column': '' }, 0],
})

/** Raw HTML that came with Markdown: kept, and shown as source. */
const Html = Node.create({
  name: 'html',
  group: 'block simple',
  atom: true,
  addAttributes: () => ({ html: { default: '' } }),
  renderHTML: ({ node }) => ['pre', { class: 'mail-raw' }, String(node.attrs['html'])],
})
const Liquid = Node.create({
  name: 'liquid',
  group: 'block simple',
  atom: true,
  addAttributes: () => ({ code: { default: '' } }),
  renderHTML: ({ node }) => ['pre', { class: 'mail-raw' }, String(node.attrs['code'])],
})

export function blockExtensions(): AnyExtension[] {
  return [
    Document,
    Text,
    AlignedParagraph,
    AlignedHeading.configure({ levels: [1, 2, 3] }),
    BulletList.extend({ group: 'block simple list' }),
    OrderedList.extend({ group: 'block simple list' }),
    ListItem,
    HardBreak,
    Bold,
    Italic,
    Link.configure({ openOnClick: false, autolink: true, HTMLAttributes: { rel: null, target: null } }),
    Dropcursor,
    Gapcursor,
    TrailingNode,
    Placeholder.configure({ placeholder: () => t.writing.placeholder }),
    BoxAttributes,
    Variable,
    Image,
    Video,
    ButtonBlock,
    Section,
    Social,
    Logo,
    Slot,
    Rows,
    Divider,
    Spacer,
    Footer,
    Blockquote,
    Columns,
    Column,
    Html,
    Liquid,
  ]
}
