// The contents of a line: text with its marks, placeholders, breaks.
import type { Block, TextMark } from './document'
import { escapeAttribute, escapeText, placeholder, safeAddress } from './escape'

export function inlineHtml(content: readonly Block[] | undefined, accent: string): string {
  return (content ?? []).map(each => marked(leafHtml(each), each.marks ?? [], accent)).join('')
}

function leafHtml({ type, text = '', attrs = {} }: Block): string {
  switch (type) {
    case 'hardBreak':
      return '<br>'
    case 'variable':
      return escapeText(placeholder(String(attrs['name'] ?? ''), String(attrs['fallback'] ?? '')))
    default:
      return escapeText(text)
  }
}

function marked(html: string, marks: readonly TextMark[], accent: string): string {
  return marks.reduce((inner, mark) => markHtml(inner, mark, accent), html)
}

function markHtml(inner: string, { type, attrs = {} }: TextMark, accent: string): string {
  switch (type) {
    case 'bold':
      return `<strong>${inner}</strong>`
    case 'italic':
      return `<em>${inner}</em>`
    case 'code':
      return `<span style="font-family:Menlo,Consolas,monospace;font-size:90%;">${inner}</span>`
    case 'link': {
      const address = safeAddress(attrs['href'])
      const style = `color:${accent};text-decoration:underline;`
      return address
        ? `<a href="${escapeAttribute(address)}" class="link" target="_blank" style="${style}">${inner}</a>`
        : inner
    }
    default:
      return inner
  }
}
