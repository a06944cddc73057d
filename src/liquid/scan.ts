// Cuts a template into text, outputs ({{ … }}), tags ({% … %}) and raw blocks in one linear pass. Hand-written, because templates are
// untrusted input of up to two million characters and no backtracking pattern may be run on them.
import { forwardFinder } from '../lib/find'

export type SegmentKind = 'text' | 'output' | 'tag' | 'raw'

export interface Segment {
  kind: SegmentKind
  /** Offsets into the source, delimiters included. */
  start: number
  end: number
}

/** Every character of `source` belongs to exactly one segment, in order. Whatever is not closed is text. */
export function scanTemplate(source: string): Segment[] {
  const segments: Segment[] = []
  const quoteEnd = quoteFinder(source)
  const closings = { output: forwardFinder(source, '}}'), tag: forwardFinder(source, '%}') }
  let textStart = 0
  let at = 0
  const close = (kind: SegmentKind, start: number, end: number): void => {
    if (start > textStart) segments.push({ kind: 'text', start: textStart, end: start })
    segments.push({ kind, start, end })
    textStart = at = end
  }
  while (true) {
    const open = source.indexOf('{', at)
    if (open === -1) break
    at = open + 1
    if (source.startsWith('{{', open) && source[open + 2] !== '{') {
      const end = outputEnd(source, open + 2, closings.output, quoteEnd)
      if (end !== -1) close('output', open, end)
      else at = open + 2
    } else if (source[open + 1] === '%') {
      const end = closings.tag(open + 2)
      if (end === -1) continue
      const raw = tagName(source, open, end) === 'raw'
      close(raw ? 'raw' : 'tag', open, raw ? rawEnd(source, end + 2, closings.tag) : end + 2)
    }
  }
  if (textStart < source.length) segments.push({ kind: 'text', start: textStart, end: source.length })
  return segments
}

/**
 * The offset after the `}}` that closes an output whose inside starts at `from`; -1 if there is none before another delimiter opens.
 * Quoted text may contain `}}` and `{{`; a quote that does not close on its line is an apostrophe.
 */
function outputEnd(
  source: string,
  from: number,
  nextClose: (from: number) => number,
  quoteEnd: (open: number) => number,
): number {
  const firstClose = nextClose(from)
  if (firstClose === -1) return -1
  // If nothing outside quotes closes the output, the first `}}` does, quoted or not.
  let behindQuotes = -1
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '"' || char === "'") {
      const end = quoteEnd(at)
      if (end === -1) continue
      if (firstClose < end) behindQuotes = firstClose + 2
      at = end
    } else if (char === '}' && source[at + 1] === '}') return at + 2
    else if (char === '{' && (source[at + 1] === '{' || source[at + 1] === '%')) return behindQuotes
  }
  return behindQuotes
}

/**
 * Returns a function that gives the offset of the quote that closes the one at `open`, or -1 where its line ends first. Behind one that
 * does not close, no other of its kind does up to the end of the line, and the line is not read again for it.
 */
export function quoteFinder(source: string): (open: number) => number {
  const hopeless: Record<string, { from: number; until: number }> = {}
  return open => {
    const quote = source[open]!
    const known = hopeless[quote]
    if (known && open >= known.from && open < known.until) return -1
    let at = open + 1
    for (; at < source.length && source[at] !== '\n'; at++) {
      if (source[at] === quote) return at
      if (source[at] === '\\') at++
    }
    hopeless[quote] = { from: open, until: at }
    return -1
  }
}

/** The word after `{%`, for the tag at `open` whose `%}` is at `close`. */
export function tagName(source: string, open: number, close: number): string {
  let start = open + 2
  if (source[start] === '-') start++
  while (start < close && source.charCodeAt(start) <= 32) start++
  let end = start
  while (end < close && isLetter(source.charCodeAt(end))) end++
  return source.slice(start, end)
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95
}

/** The offset after `{% endraw %}`; the end of the source if there is none. */
function rawEnd(source: string, from: number, nextClose: (from: number) => number): number {
  let open = source.indexOf('{%', from)
  while (open !== -1) {
    const close = nextClose(open + 2)
    if (close === -1) return source.length
    if (tagName(source, open, close) === 'endraw') return close + 2
    open = source.indexOf('{%', open + 2)
  }
  return source.length
}

const entities: Record<string, string> = {
  '&gt;': '>',
  '&lt;': '<',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
  '&apos;': "'",
  '&amp;': '&',
  '&nbsp;': ' ',
  '&#160;': ' ',
}

/** Undoes, once, the escaping that rich-text editors apply between delimiters. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:gt|lt|quot|apos|amp|nbsp|#34|#39|#160);/g, entity => entities[entity] ?? entity)
}
