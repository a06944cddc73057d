// A few helpers for writing documents: for samples and tests.
import { type Block, documentVersion, type MailDocument, type MailTheme, plainTheme } from './document'

/** Text whose simple placeholders become chips: `Hello {{firstName ?? "there"}}`, `**bold**`, `[a link](https://…)`. */
function words(text: string): Block[] {
  const [mark, at] = firstMark(text)
  const end = mark ? text.indexOf(closings[mark], at + mark.length) : -1
  if (!mark || end === -1) return plain(text)
  const inside = text.slice(at + mark.length, end)
  return [
    ...plain(text.slice(0, at)),
    makers[mark](inside),
    ...words(text.slice(end + closings[mark].length)),
  ]
}

const closings = { '{{': '}}', '**': '**', '[': ')' }
type Opening = keyof typeof closings

function firstMark(text: string): [mark: Opening | undefined, at: number] {
  const found = (Object.keys(closings) as Opening[])
    .map((mark): [Opening, number] => [mark, text.indexOf(mark)])
    .filter(([, at]) => at !== -1)
  return found.sort(([, one], [, other]) => one - other)[0] ?? [undefined, -1]
}

const plain = (text: string): Block[] => (text ? [{ type: 'text', text }] : [])

const makers: Record<Opening, (inside: string) => Block> = {
  '{{'(inside) {
    const [name = '', fallback = ''] = inside.split(' ?? ')
    return { type: 'variable', attrs: { name, fallback: fallback.replaceAll('"', '') } }
  },
  '**': inside => ({ type: 'text', text: inside, marks: [{ type: 'bold' }] }),
  '['(inside) {
    const [text = '', href] = inside.split('](')
    return { type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }
  },
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
export const columns = (...content: Block[][]): Block => ({
  type: 'columns',
  content: content.map(each => ({ type: 'column', content: each })),
})
export const divider: Block = { type: 'divider' }
export const spacer = (height: number): Block => ({ type: 'spacer', attrs: { height } })
export const quote = (text: string): Block => ({ type: 'blockquote', content: [paragraph(text)] })
export const footer = (text: string): Block => ({ type: 'footer', content: words(text) })

export function mail(preheader: string, content: Block[], theme: Partial<MailTheme> = {}): MailDocument {
  return {
    version: documentVersion,
    theme: { ...plainTheme, ...theme },
    preheader,
    doc: { type: 'doc', content },
  }
}
