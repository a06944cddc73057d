// A few words to write documents with: for samples and tests.
import { type Block, type MailDocument, plainTheme, type Theme } from './document'

const pieces = /\{\{(\w+)(?: \?\? "([^"]*)")?\}\}|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)]+)\)|[^{*[]+|[{*[]/g

/** Text whose simple placeholders become chips: `Hello {{firstName ?? "there"}}`, `**bold**`, `[a link](https://…)`. */
function words(text: string): Block[] {
  return [...text.matchAll(pieces)].map(([whole, name, fallback, bold, link, href]): Block => {
    if (name) return { type: 'variable', attrs: { name, fallback: fallback ?? '' } }
    if (bold) return { type: 'text', text: bold, marks: [{ type: 'bold' }] }
    if (link) return { type: 'text', text: link, marks: [{ type: 'link', attrs: { href } }] }
    return { type: 'text', text: whole }
  })
}

type Attributes = Record<string, unknown>

export const heading = (text: string, level = 1, attrs: Attributes = {}): Block => ({
  type: 'heading',
  attrs: { level, ...attrs },
  content: words(text),
})
export const paragraph = (text: string, attrs: Attributes = {}): Block => ({
  type: 'paragraph',
  attrs,
  content: words(text),
})
export const list = (...items: string[]): Block => ({
  type: 'bulletList',
  content: items.map(item => ({ type: 'listItem', content: [paragraph(item)] })),
})
export const button = (text: string, href: string, attrs: Attributes = {}): Block => ({
  type: 'button',
  attrs: { text, href, ...attrs },
})
export const image = (src: string, alt: string, attrs: Attributes = {}): Block => ({
  type: 'image',
  attrs: { src, alt, ...attrs },
})
export const columns = (...content: Block[][]): Block => ({
  type: 'columns',
  content: content.map(each => ({ type: 'column', content: each })),
})
export const divider: Block = { type: 'divider' }
export const spacer = (height: number): Block => ({ type: 'spacer', attrs: { height } })
export const quote = (text: string): Block => ({ type: 'blockquote', content: [paragraph(text)] })
export const footer = (text: string, unsubscribe = ''): Block => ({
  type: 'footer',
  attrs: { unsubscribe },
  content: words(text),
})

export function mail(preheader: string, content: Block[], theme: Partial<Theme> = {}): MailDocument {
  return { theme: { ...plainTheme, ...theme }, preheader, doc: { type: 'doc', content } }
}
