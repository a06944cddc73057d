// The end of a message's body, where a footer and marks go.
import { type HtmlMark, htmlMarks } from './html-marks'

/**
 * The offset of the last `</body>` that is a tag, and not in a comment, a script or a style. Without one it is the end, or the start of
 * a comment or a script that is never closed, as nobody would see what comes behind that.
 */
export function bodyEnd(html: string): number {
  let close = -1
  let last: HtmlMark | undefined
  for (const mark of htmlMarks(html)) {
    if (mark.kind === 'close' && mark.name === 'body') close = mark.start
    last = mark
  }
  if (close !== -1) return close
  return last && last.end === html.length && !isClosed(html, last) ? last.start : html.length
}

function isClosed(html: string, { kind, name, start, end }: HtmlMark): boolean {
  if (kind === 'comment') return html.endsWith('-->')
  if (kind === 'raw') {
    const tail = html.slice(Math.max(start, end - 100)).toLowerCase()
    return tail.endsWith('>') && tail.includes(`</${name}`)
  }
  return html.endsWith('>')
}

/** Puts the footer at the end of the body. */
export function appendFooter(html: string, footerHtml: string): string {
  const end = bodyEnd(html)
  return `${html.slice(0, end)}${footerHtml}${html.slice(end)}`
}

/** The footer of the plain-text part, an empty line below the text. */
export function appendFooterText(text: string, footerText: string): string {
  return text === '' ? footerText : `${text}\n\n${footerText}`
}
