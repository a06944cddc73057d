// Turns the template language of the interface document into plain Liquid: names with spaces become bracket look-ups, `??` gets a literal
// on its right, entities inside delimiters are decoded, empty outputs are dropped and unclosed ones become text.
import { isWord, type Placeholder, pathOf, readPlaceholder } from './placeholder'
import { decodeEntities, type Segment, scanTemplate } from './scan'

export interface Rewritten {
  liquid: string
  /** The offset in the author's text for an offset in `liquid`. */
  originalOffset(offset: number): number
}

export function rewriteToLiquid(source: string): Rewritten {
  const parts: string[] = []
  const starts: number[] = []
  const segments = scanTemplate(source)
  let length = 0
  for (const segment of segments) {
    const text = rewriteSegment(source, segment)
    starts.push(length)
    parts.push(text)
    length += text.length
  }
  const originalOffset = (offset: number): number => locate(segments, starts, offset)
  return { liquid: parts.join(''), originalOffset }
}

/** Exact inside text, the segment's own start inside delimiters. */
function locate(segments: Segment[], starts: number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  const segment = segments[low]
  if (!segment) return 0
  if (segment.kind === 'output' || segment.kind === 'tag') return segment.start
  return Math.min(segment.start + offset - starts[low]!, segment.end)
}

function rewriteSegment(source: string, { kind, start, end }: Segment): string {
  const text = source.slice(start, end)
  switch (kind) {
    case 'raw':
      return text
    case 'text':
      return rewriteText(text)
    case 'tag':
      return text.includes('&') ? `{%${decodeEntities(text.slice(2, -2))}%}` : text
    case 'output':
      return rewriteOutput(readPlaceholder(text.slice(2, -2)))
  }
}

/** Braces that open nothing are each written by an output; otherwise the last one would join the braces that follow. */
function rewriteText(text: string): string {
  const doubled = text.includes('{{') ? text.replaceAll('{{', "{{'{{'}}") : text
  return doubled.endsWith('{') ? `${doubled.slice(0, -1)}{{'{'}}` : doubled
}

function rewriteOutput(placeholder: Placeholder): string {
  const { trimLeft, trimRight, subject, fallback, filters } = placeholder
  if (subject === '' && fallback === undefined && !filters?.trim() && !trimLeft && !trimRight) return ''
  const value = subject === '' ? (fallback === undefined ? "''" : 'nil') : rewriteSubject(subject)
  const withFallback = fallback === undefined ? value : `${value} ?? ${quote(fallback)}`
  const filtered = filters === undefined ? withFallback : `${withFallback} |${filters}`
  return `{{${trimLeft ? '-' : ''} ${filtered} ${trimRight ? '-' : ''}}}`
}

function rewriteSubject(subject: string): string {
  const path = pathOf(subject)
  if (!path) return subject
  return path.map((name, index) => (isWord(name) ? (index ? `.${name}` : name) : `[${quote(name)}]`)).join('')
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
