// The plain-text alternative. It is derived from the TEMPLATE, once, with its Liquid kept, and then rendered beside the HTML for each
// recipient: converting finished HTML a million times would cost more than everything else about a campaign.
import { htmlToText } from '../../../lib/html-text'
import { hasTime, madeByThread } from '../../../liquid/costly'
import { type Segment, scanTemplate } from '../../../liquid/scan'
import { isHeavy } from '../../../liquid/syntax'
import {
  type CompiledTemplate,
  compileTemplate,
  renderedByThread,
  type Scope,
} from '../../../liquid/template'
import { mendPlaceholders } from './placeholders'

/** Longer HTML is cut before it is converted; the HTML part itself is not. */
const maxInputLength = 2_000_000

/** Where a piece of Liquid stood: two private characters around its number, which no converter touches. */
const markOpen = '\ue000'
const markClose = '\ue001'
const marks = /\ue000(\d+)\ue001/g

/** Web addresses, and those that a variable will make. */
const showsLink = (href: string): boolean => /^(?:https?:\/\/|\ue000)/i.test(href)

/** Longer HTML becomes text by a thread: a tenth of that takes a hundredth of a second, whatever stands in it. */
const maxInlineLength = 100_000
/** So does text of more lines or braces, each time it is rendered. */
const maxInlineMarks = 20_000

/** The text form of an HTML template, compiled. Rendering it costs about as much as rendering the HTML. */
export function compileText(given: string): CompiledTemplate {
  const html = mendPlaceholders(given)
  const byThread = (): CompiledTemplate => renderedByThread({ kind: 'text', source: html, mode: 'text' })
  if (!hasTime() && isHeavy(scanTemplate(html))) return byThread()
  const source = madeByThread('textSource', html, html.length <= maxInlineLength, textSourceOf)
  if (!hasTime() && source.length > maxInlineLength && hasManyMarks(source)) return byThread()
  const template = compileTemplate(source, 'text')
  const render = (scope: Scope): string => normaliseText(template.render(scope))
  const tidied = normaliseLayout(template)
  return { ...template, render, pieces: scope => tidied?.(scope) ?? [render(scope)] }
}

/** The template of the text: converted HTML with its Liquid kept. */
export function textSourceOf(html: string): string {
  const segments = scanTemplate(html)
  const converted = htmlToText(withMarks(html, segments).slice(0, maxInputLength), { showsLink })
  const source = restore(html, segments, converted, true)
  // A tag that the conversion cut in two would spoil the whole text; without tags it is still readable.
  const isSpoiled = compileTemplate(source, 'text').isPlain && !compileTemplate(html).isPlain
  return isSpoiled ? restore(html, segments, converted, false) : source
}

function hasManyMarks(source: string): boolean {
  const marked = /[\n{]/g
  for (let count = 0; count <= maxInlineMarks; count++) if (!marked.test(source)) return false
  return true
}

/**
 * Tidies once what is the same for all recipients. Returns undefined for values that would change the lines around them (empty ones, and
 * those with line breaks or with blanks at their ends): then the whole text is tidied.
 */
function normaliseLayout(template: CompiledTemplate): ((scope: Scope) => string[] | undefined) | undefined {
  const { layout } = template
  if (!layout || layout.some(piece => piece?.includes(markOpen))) return undefined
  const texts = normaliseText(layout.map(piece => piece ?? markOpen).join('')).split(markOpen)
  return scope => {
    const pieces = template.pieces(scope)
    if (pieces.length !== layout.length) return undefined
    const values = pieces.filter((_, index) => layout[index] === null)
    if (values.some(value => !/^\S(?:[^\r\n]*\S)?$/.test(value))) return undefined
    return texts.flatMap((text, index) => (index === 0 ? [text] : [values[index - 1]!, text]))
  }
}

/** The text of HTML that is finished: braces in it mean nothing. None for HTML that takes long to read. */
export function plainTextOf(html: string): string {
  return html.length > maxInlineLength ? '' : normaliseText(htmlToText(html, { showsLink }))
}

function withMarks(html: string, segments: Segment[]): string {
  return segments
    .map(({ kind, start, end }, index) =>
      kind === 'text'
        ? html.slice(start, end).replace(/[\ue000\ue001]/g, '')
        : `${markOpen}${index}${markClose}`,
    )
    .join('')
}

/**
 * Puts the Liquid back. Tags that stood where text has no place (a style block, an attribute, between rows) write nothing by themselves,
 * so all of them are put back, in order: that keeps every block closed.
 */
function restore(html: string, segments: Segment[], converted: string, keepsTags: boolean): string {
  let next = 0
  const tagsUpTo = (end: number): string => {
    let tags = ''
    for (; next < end; next++) {
      const { kind, start, end: behind } = segments[next]!
      if (keepsTags && kind === 'tag') tags += html.slice(start, behind)
    }
    return tags
  }
  const parts: string[] = []
  let from = 0
  for (const match of converted.matchAll(marks)) {
    const { kind, start, end } = segments[Number(match[1])]!
    parts.push(literal(converted.slice(from, match.index)), tagsUpTo(Number(match[1])))
    next = Math.max(next, Number(match[1]) + 1)
    if (kind !== 'tag' || keepsTags) parts.push(html.slice(start, end))
    from = match.index + match[0].length
  }
  return [...parts, literal(converted.slice(from)), tagsUpTo(segments.length)].join('')
}

/** Braces that were entities in the HTML are text; they must not become Liquid now. */
function literal(text: string): string {
  return /\{[{%]/.test(text) ? text.replace(/\{(?=[{%])/g, "{{'{'}}") : text
}

/** Removes blanks at line ends and stray cell ends, and keeps at most one empty line between two others. */
export function normaliseText(text: string): string {
  const lines: string[] = []
  let empty = 0
  for (const raw of text.split(/\r\n|\r|\n/)) {
    const trimmed = raw.replace(/^\t+/, '').trimEnd()
    // The mark of a signature ends with a blank (RFC 3676, 4.3).
    const line = trimmed === '--' && raw.endsWith('-- ') ? '-- ' : trimmed
    empty = line === '' ? empty + 1 : 0
    if (empty < 2 && (line !== '' || lines.length > 0)) lines.push(line)
  }
  return lines.join('\n').trimEnd()
}
