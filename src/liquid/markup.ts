// HTML in values: what `| raw` inserts, as it reads in a text part.
import { decodeHtmlEntities } from '../lib/entities'
import { forwardFinder } from '../lib/find'

/** Drops `<tag …>` in one pass and leaves a lone `<` alone; values are short, so no line structure is rebuilt. */
export function textOfMarkup(html: string): string {
  return decodeHtmlEntities(withoutTags(html))
}

function withoutTags(html: string): string {
  if (!html.includes('<')) return html
  const nextClose = forwardFinder(html, '>')
  let kept = ''
  let from = 0
  while (true) {
    const open = html.indexOf('<', from)
    const close = open === -1 ? -1 : nextClose(open)
    if (close === -1) return kept + html.slice(from)
    const isTag = /[a-z/!]/i.test(html[open + 1] ?? '')
    kept += isTag ? html.slice(from, open) : html.slice(from, open + 1)
    from = isTag ? close + 1 : open + 1
  }
}
