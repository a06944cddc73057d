// A body in its layout: the mail as it is sent. The layout owns the document; of a body that is a document itself the content and the styles are
// taken. Pure.
import { type HtmlMark, htmlMarks } from '../../../lib/html-marks'
import { type Segment, scanTemplate } from '../../../liquid/scan'
import { contentPlace, masked } from './layout'

/** Readable wherever both of them are: the Liquid of each is closed in itself, and stays in one piece. */
export function joinLayout(layout: string, body: string): string {
  const place = contentPlace(layout)
  if (!place) return body
  const { first, styles, inside } = opened(body)
  const top = layout.slice(0, place.start)
  const { headEnd, bodyStart } = seamsOf(top)
  // Line breaks, so that what ends with a brace forms no tag with what follows.
  return [
    ...[top.slice(0, headEnd), styles, top.slice(headEnd, bodyStart), first],
    `${top.slice(bodyStart)}\n${inside}\n${layout.slice(place.end)}`,
  ].join('')
}

/** Where styles and what comes first go: into the head and to the beginning of the body, or before the content where there is none. */
function seamsOf(top: string): { headEnd: number; bodyStart: number } {
  let headEnd: number | undefined
  let bodyStart: number | undefined
  for (const { kind, name, start, end } of htmlMarks(masked(top, scanTemplate(top)))) {
    if (kind === 'close' && name === 'head') headEnd ??= start
    if (kind === 'open' && name === 'body') bodyStart ??= end
  }
  bodyStart ??= top.length
  return { headEnd: headEnd === undefined || headEnd > bodyStart ? bodyStart : headEnd, bodyStart }
}

interface Opened {
  /** Comes first in the mail, wherever the content goes: what mail clients show after the subject. */
  first: string
  styles: string
  inside: string
}

const isDocument = /<(?:!doctype|html|head|body)\b/i
/** How a document says which part of it is its content: without the page around it, which a layout has too. */
const contentMarks = ['<!-- content -->', '<!-- /content -->'] as const
const firstMarks = ['<!-- preheader -->', '<!-- /preheader -->'] as const

function opened(body: string): Opened {
  if (!isDocument.test(body)) return { first: '', styles: '', inside: body }
  const segments = scanTemplate(body)
  const { head, start, end } = partsOf(masked(body, segments))
  const styles = head.map(mark => `${body.slice(mark.start, mark.end)}\n`).join('')
  const inside = body.slice(start, end)
  const [before, after] = [tagsWithin(body, segments, 0, start), tagsWithin(body, segments, end, body.length)]
  // Where Liquid runs through head and body, both stay together and in order.
  if (before + after !== '') return { first: '', styles: '', inside: `${before}${styles}${inside}${after}` }
  const content = between(inside, contentMarks)
  // Tags that are not in the content would be lost.
  if (!content || content.around.includes('{%')) return { first: '', styles, inside }
  return { first: between(content.around, firstMarks)?.inner ?? '', styles, inside: content.inner }
}

function tagsWithin(body: string, segments: readonly Segment[], from: number, to: number): string {
  return segments
    .filter(({ kind, start, end }) => kind === 'tag' && start >= from && end <= to)
    .map(({ start, end }) => body.slice(start, end))
    .join('')
}

function between(
  text: string,
  [open, close]: readonly [string, string],
): { inner: string; around: string } | undefined {
  const start = text.indexOf(open)
  const end = start === -1 ? -1 : text.lastIndexOf(close)
  if (end < start + open.length) return undefined
  return { inner: text.slice(start + open.length, end), around: text.slice(0, start) + text.slice(end) }
}

interface Parts {
  /** What is kept of the head. */
  head: HtmlMark[]
  /** The inside of the body. */
  start: number
  end: number
}

function partsOf(html: string): Parts {
  const head: HtmlMark[] = []
  let [bodyStart, headEnd, end] = [-1, 0, html.length]
  for (const mark of htmlMarks(html)) {
    const { kind, name } = mark
    if (bodyStart === -1) {
      if (kind === 'open' && name === 'body') bodyStart = mark.end
      else if (isKept(mark, html)) head.push(mark)
      if (beginsBody(mark)) headEnd = mark.end
    }
    if (kind === 'close' && (name === 'body' || (name === 'html' && end === html.length))) end = mark.start
  }
  const start = bodyStart === -1 ? headEnd : bodyStart
  return { head: head.filter(mark => mark.end <= start), start, end: Math.max(start, end) }
}

/** Without a body tag, what follows these is the body. */
function beginsBody({ kind, name }: HtmlMark): boolean {
  return kind === 'close' ? name === 'head' : name === '!doctype' || name === 'html' || name === 'head'
}

/** Styles, links to them, and what is meant for Outlook alone or for all but it. */
function isKept({ kind, name, start }: HtmlMark, html: string): boolean {
  if (kind === 'comment') return html.startsWith('<!--[if', start) || html.startsWith('<!--<![endif]', start)
  return name === 'style' || (kind === 'open' && name === 'link')
}
