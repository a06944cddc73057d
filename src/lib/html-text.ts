// Plain text from HTML by the rules of a mail's text part: links as `text (url)`, a line for each block, a tab between cells, no
// markup. One linear pass without a tree, because the HTML is foreign, may be large, and is converted while a request waits.
import { decodeHtmlAttribute, decodeHtmlEntities } from './entities'
import { forwardFinder } from './find'
import { htmlMarks } from './html-marks'
import { type TextWriter, textWriter } from './text-writer'

export interface HtmlTextOptions {
  /** Which link targets are worth showing. */
  showsLink(href: string): boolean
}

const blocks = new Set(
  (
    'address article aside body center dd details div dl dt fieldset figcaption figure footer form header hr html main nav section ' +
    'summary table tbody tfoot thead tr'
  ).split(' '),
)
const paragraphs = new Set('p ul ol blockquote pre h1 h2 h3 h4 h5 h6'.split(' '))
/** Elements with content that nobody reads. */
const unread = new Set('script style title template head noframes'.split(' '))

/** One tag; `end` is the offset after its `>`. */
interface Tag {
  name: string
  isClosing: boolean
  start: number
  end: number
}

export function htmlToText(html: string, options: HtmlTextOptions): string {
  // Only ASCII letters: the full conversion would shift offsets.
  const lower = html.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  const tagAt = tagReader(lower)
  const behind = skipper(lower)
  const behindElement = hiddenSkipper(lower)
  const writer = textWriter()
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open !== at) writer.write(decodeHtmlEntities(html.slice(at, open === -1 ? html.length : open)))
    if (open === -1) break
    const tag = tagAt(open)
    if (tag === undefined) {
      // A lone `<` is text, a comment or declaration is nothing.
      at = behind.markup(open)
      if (at === open + 1) writer.write('<')
      continue
    }
    const source = html.slice(tag.start, tag.end)
    const hiddenEnd = !tag.isClosing && isHidden(source) ? behindElement(tag) : undefined
    if (hiddenEnd !== undefined) {
      at = hiddenEnd
      continue
    }
    at = unread.has(tag.name) && !tag.isClosing ? behind.element(tag) : tag.end
    writeTag(writer, tag, source, options)
  }
  return writer.end()
}

function writeTag(
  writer: TextWriter,
  { name, isClosing }: Tag,
  text: string,
  { showsLink }: HtmlTextOptions,
): void {
  if (blocks.has(name)) writer.breakLine(1)
  else if (paragraphs.has(name)) writer.breakLine(2)
  if (name === 'br') writer.addLine()
  else if (name === 'pre') writer.preserve(!isClosing)
  else if (name === 'li' && isClosing) writer.endItem()
  else if (name === 'li') writer.startItem()
  else if ((name === 'td' || name === 'th') && isClosing) writer.addTab()
  else if (name === 'img' && !isClosing) writer.write(decodeHtmlAttribute(attribute(text, 'alt')))
  else if (name === 'a') {
    writer.endLink()
    const href = isClosing ? '' : addressOf(decodeHtmlAttribute(attribute(text, 'href')))
    if (href !== '' && showsLink(href)) writer.startLink(href)
  }
}

const equals = 61
const greaterThan = 62

/** As browsers read it: line breaks within an address are dropped (WHATWG URL, basic parser). */
function addressOf(href: string): string {
  return href.replace(/[\t\n\r]/g, '').trim()
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122
}

/** Letters, digits, `:` and `-`. */
function isNameCharacter(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 58) || code === 45
}

/** Reads the tag at an offset that only rises; undefined if no tag starts there. */
function tagReader(lower: string): (open: number) => Tag | undefined {
  const nextClose = forwardFinder(lower, '>')
  const quoteFinders: Record<string, (from: number) => number> = {
    '"': forwardFinder(lower, '"'),
    "'": forwardFinder(lower, "'"),
  }
  return open => {
    const isClosing = lower[open + 1] === '/'
    const start = open + (isClosing ? 2 : 1)
    let nameEnd = start
    while (isNameCharacter(lower.charCodeAt(nameEnd))) nameEnd++
    if (!isLetter(lower.charCodeAt(start))) return undefined
    const name = lower.slice(start, nameEnd)
    const firstClose = nextClose(nameEnd)
    if (firstClose === -1) return { name, isClosing, start: open, end: lower.length }
    // A `>` inside a quoted value does not end the tag; quotes count only after an equals sign.
    for (let at = nameEnd; at < lower.length; at++) {
      const code = lower.charCodeAt(at)
      if (code === greaterThan) return { name, isClosing, start: open, end: at + 1 }
      const close = code === equals ? quoteFinders[lower[at + 1] ?? '']?.(at + 2) : undefined
      if (close === -1) break
      if (close !== undefined) at = close
    }
    return { name, isClosing, start: open, end: firstClose + 1 }
  }
}

/** Offsets after what is not text, for offsets asked for in rising order. */
function skipper(lower: string): { markup(open: number): number; element(tag: Tag): number } {
  const nextClose = forwardFinder(lower, '>')
  const commentEnd = forwardFinder(lower, '-->')
  const bodyStart = forwardFinder(lower, '<body')
  const closings = new Map(
    [...unread].map(name => [name, forwardFinder(lower, name === 'head' ? '</head>' : `</${name}`)]),
  )
  const orEnd = (at: number): number => (at === -1 ? lower.length : at)
  return {
    markup(open) {
      if (lower.startsWith('<!--', open))
        return orEnd(commentEnd(open + 2) === -1 ? -1 : commentEnd(open + 2) + 3)
      if (!/[!?/]/.test(lower[open + 1] ?? '')) return open + 1
      return orEnd(nextClose(open) === -1 ? -1 : nextClose(open) + 1)
    },
    element({ name, end }) {
      const close = closings.get(name)!(end)
      if (name !== 'head') return orEnd(close)
      // A head that nobody closed ends where the body starts; without one it is ignored.
      const body = bodyStart(end)
      return close === -1 ? (body === -1 ? end : body) : close
    },
  }
}

/** Hidden from everybody who reads the HTML, such as a line for the preview of an inbox. A style that Liquid decides about is none. */
function isHidden(tag: string): boolean {
  if (!tag.includes('style') && !tag.includes('STYLE')) return false
  const style = attribute(tag, 'style')
  return !/[\ue000\ue001]/.test(style) && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}

/** The offset after the end of an element, counting those of its name inside; undefined if it is not closed. */
function hiddenSkipper(lower: string): (tag: Tag) => number | undefined {
  // An element that is not closed was looked for to the end: no other of its name is looked for again.
  const unclosed = new Set<string>()
  return ({ name, end }) => {
    if (unclosed.has(name)) return undefined
    let depth = 1
    for (const mark of htmlMarks(lower, end)) {
      if (mark.name !== name) continue
      if (mark.kind === 'open') depth++
      else if (mark.kind === 'close' && --depth === 0) return mark.end
    }
    unclosed.add(name)
    return undefined
  }
}

/** The value of an attribute in the text of a tag, as written; empty if it is missing. */
function attribute(tag: string, wanted: string): string {
  const pattern = /([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/g
  pattern.lastIndex = tag.search(/\s|$/)
  for (const [, name, double, single, bare] of tag.matchAll(pattern))
    if (name?.toLowerCase() === wanted) return double ?? single ?? bare ?? ''
  return ''
}
