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
import { Dropcursor, Gapcursor, Placeholder, TrailingNode, UndoRedo } from '@tiptap/extensions'
import { t } from '../../texts'
import { inkOn } from '../mail/box'
import { shownVariable } from './variables'

/** An attribute that style sheets see; inline styles are not allowed in the page. */
const shown = (name: string, otherwise: unknown = null) => ({
  default: otherwise,
  parseHTML: (element: HTMLElement) => element.getAttribute(`data-${name}`) ?? otherwise,
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === null || attributes[name] === '' ? {} : { [`data-${name}`]: attributes[name] },
})

const AlignedParagraph = Paragraph.extend({
  addAttributes: () => ({ align: shown('align') }),
})
const AlignedHeading = Heading.extend({
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

const Image = Node.create({
  name: 'image',
  group: 'block',
  draggable: true,
  addAttributes: () => ({
    src: shown('src', ''),
    alt: shown('alt', ''),
    width: shown('width'),
    href: shown('href', ''),
    align: shown('align'),
  }),
  parseHTML: () => [{ tag: 'div[data-image]' }],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-image': '', class: 'mail-image' },
    [
      'img',
      { src: attrs['src'], alt: attrs['alt'], ...(attrs['width'] ? { width: String(attrs['width']) } : {}) },
    ],
  ],
})

const Button = Node.create({
  name: 'button',
  group: 'block',
  draggable: true,
  addAttributes: () => ({
    text: shown('text', ''),
    href: shown('href', ''),
    color: shown('color'),
    align: shown('align'),
  }),
  parseHTML: () => [{ tag: 'div[data-button]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-button': '', class: 'mail-button' },
    ['span', {}, node.attrs['text'] || t.writing.button],
  ],
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('div')
      const inner = document.createElement('span')
      dom.className = 'mail-button'
      dom.dataset['align'] = node.attrs['align'] ?? 'left'
      inner.textContent = node.attrs['text'] || t.writing.button
      // Set through the DOM, which the page's Content-Security-Policy allows.
      if (node.attrs['color'])
        Object.assign(inner.style, { background: node.attrs['color'], color: inkOn(node.attrs['color']) })
      dom.append(inner)
      return { dom }
    },
})

const Divider = Node.create({
  name: 'divider',
  group: 'block',
  parseHTML: () => [{ tag: 'hr' }],
  renderHTML: () => ['div', { class: 'mail-divider' }, ['hr']],
})

const Spacer = Node.create({
  name: 'spacer',
  group: 'block',
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
  group: 'block',
  content: 'inline*',
  addAttributes: () => ({ unsubscribe: shown('unsubscribe', '') }),
  parseHTML: () => [{ tag: 'div[data-footer]' }],
  renderHTML: ({ HTMLAttributes }) => [
    'div',
    { ...HTMLAttributes, 'data-footer': '', class: 'mail-footer' },
    0,
  ],
})

const Blockquote = Node.create({
  name: 'blockquote',
  group: 'block',
  content: 'paragraph+',
  parseHTML: () => [{ tag: 'blockquote' }],
  renderHTML: () => ['blockquote', 0],
})

const Columns = Node.create({
  name: 'columns',
  group: 'block',
  content: 'column{1,3}',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-columns]' }],
  renderHTML: () => ['div', { 'data-columns': '', class: 'mail-columns' }, 0],
})

const Column = Node.create({
  name: 'column',
  content: '(paragraph | heading | bulletList | orderedList | image | button | divider | spacer)+',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-column]' }],
  renderHTML: () => ['div', { 'data-column': '' }, 0],
})

/** Raw HTML that came with Markdown: kept, and shown as source. */
const Html = Node.create({
  name: 'html',
  group: 'block',
  atom: true,
  addAttributes: () => ({ html: { default: '' } }),
  renderHTML: ({ node }) => ['pre', { class: 'mail-raw' }, String(node.attrs['html'])],
})
const Liquid = Node.create({
  name: 'liquid',
  group: 'block',
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
    BulletList,
    OrderedList,
    ListItem,
    HardBreak,
    Bold,
    Italic,
    Link.configure({ openOnClick: false, autolink: true, HTMLAttributes: { rel: null, target: null } }),
    UndoRedo,
    Dropcursor,
    Gapcursor,
    TrailingNode,
    Placeholder.configure({ placeholder: () => t.writing.placeholder }),
    Variable,
    Image,
    Button,
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
