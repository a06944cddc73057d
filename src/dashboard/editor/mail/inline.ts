// The contents of a line: text with its marks, placeholders, breaks.
import type { Block, TextMark } from './document'
import { escapeAttribute, escapeText, placeholder, safeAddress } from './escape'

/** `isFixed` on a background of its own, which is the same on a dark screen. */
export function inlineHtml(content: readonly Block[] | undefined, accent: string, isFixed = false): string {
  return (content ?? [])
    .map(each =>
      (each.marks ?? []).reduce((inner, mark) => markHtml(inner, mark, accent, isFixed), leafHtml(each)),
    )
    .join('')
}

/** Words of a setting, such as those on a button. */
export const textHtml = (words: unknown): string => escapeText(String(words ?? ''))

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

function markHtml(inner: string, { type, attrs = {} }: TextMark, accent: string, isFixed: boolean): string {
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
        ? `<a href="${escapeAttribute(address)}"${isFixed ? '' : ' class="link"'} target="_blank" style="${style}">${inner}</a>`
        : inner
    }
    default:
      return inner
  }
}
