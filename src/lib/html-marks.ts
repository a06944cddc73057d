// Walks HTML that strangers wrote, mark by mark, in one linear pass: to see where something is, and to cut a document open. It
// decides nothing about what the marks mean.

export interface HtmlMark {
  /** `raw` is an element whose content is not HTML, with that content. */
  kind: 'comment' | 'open' | 'close' | 'raw'
  /** In small letters; empty for a comment. */
  name: string
  /** Offsets into the source, delimiters included. What is not closed reaches to the end. */
  start: number
  end: number
}

/** Elements whose content is not HTML, by what ends them. */
const rawEnds: Readonly<Record<string, RegExp>> = {
  style: /<\/style/gi,
  script: /<\/script/gi,
  title: /<\/title/gi,
  textarea: /<\/textarea/gi,
}

export function* htmlMarks(html: string, from = 0): Generator<HtmlMark> {
  for (let at = html.indexOf('<', from); at !== -1; ) {
    const mark = markAt(html, at)
    if (mark) yield mark
    at = html.indexOf('<', mark?.end ?? at + 1)
  }
}

function markAt(html: string, start: number): HtmlMark | undefined {
  // `<!-->` is a whole comment.
  if (html.startsWith('<!--', start))
    return { kind: 'comment', name: '', start, end: behind(html, '-->', start + 2) }
  const isClosing = html[start + 1] === '/'
  const name = nameAt(html, start + (isClosing ? 2 : 1))
  if (name === '') return undefined
  if (isClosing) return { kind: 'close', name, start, end: behind(html, '>', start) }
  const end = tagEnd(html, start + 1 + name.length)
  const rawEnd = Object.hasOwn(rawEnds, name) ? rawEnds[name] : undefined
  if (!rawEnd) return { kind: 'open', name, start, end }
  rawEnd.lastIndex = end
  return { kind: 'raw', name, start, end: behind(html, '>', rawEnd.exec(html)?.index ?? html.length) }
}

/** `!doctype` is one too. */
function nameAt(html: string, from: number): string {
  const found = /[a-z!][a-z\d:-]*/iy
  found.lastIndex = from
  return found.exec(html)?.[0].toLowerCase() ?? ''
}

function behind(html: string, wanted: string, from: number): number {
  const found = html.indexOf(wanted, from)
  return found === -1 ? html.length : found + wanted.length
}

/** The offset after the `>` of a tag. A quote counts where a value begins, and hides what it holds. */
function tagEnd(html: string, from: number): number {
  let before = ''
  for (let at = from; at < html.length; at++) {
    const char = html[at]!
    if (char === '>') return at + 1
    if (before === '=' && (char === '"' || char === "'")) {
      at = html.indexOf(char, at + 1)
      if (at === -1) return html.length
      before = char
    } else if (char > ' ') before = char
  }
  return html.length
}
