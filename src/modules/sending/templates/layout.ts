// Where a layout takes in the content, and what is wrong with one that cannot. Pure.
import type { FieldError } from '../../../lib/errors'
import { type HtmlMark, htmlMarks } from '../../../lib/html-marks'
import { maxPieces } from '../../../liquid/amount'
import { maxSourceLength } from '../../../liquid/engine'
import { readPlaceholder } from '../../../liquid/placeholder'
import { type Segment, scanTemplate, tagName } from '../../../liquid/scan'

/** What layouts may have at most. Whoever uses one leaves it that room, so that no change of a layout makes a mail too large. */
export const maxLayoutLength = 200_000
const maxLayoutPieces = 1_000

const word = 'content'
export const layoutSuggestion = `Write {{ ${word} }} once in the body of the layout, between its elements: <td>{{ ${word} }}</td>.`

interface Output extends Segment {
  subject: string
  isAlone: boolean
}

/** The place where the content goes; undefined if there is none. */
export function contentPlace(layout: string): Segment | undefined {
  return outputsOf(layout, scanTemplate(layout)).find(({ subject }) => subject === word)
}

/** Why a layout can't be saved; its syntax is somebody else's concern. */
export function layoutFaults(layout: string): FieldError[] {
  const fault = faultOf(layout, scanTemplate(layout))
  return fault ? [{ field: 'body', ...fault }] : []
}

function faultOf(layout: string, segments: readonly Segment[]): Omit<FieldError, 'field'> | undefined {
  if (piecesOf(segments) > maxLayoutPieces)
    return { message: `must have at most ${maxLayoutPieces} placeholders and tags`, code: 'too_big' }
  const wrong = (message: string) => ({ message, code: 'invalid_string' })
  const named = outputsOf(layout, segments).filter(({ subject }) => subject === word)
  const [place, second] = named
  if (!place) return wrong(`does not say where the content goes: {{ ${word} }} is missing`)
  if (second) return wrong(`says {{ ${word} }} ${named.length} times, and the content goes to one place`)
  if (!place.isAlone) return wrong(`must say {{ ${word} }} without a filter or a fallback`)
  const around = enclosingTag(layout, segments, place) ?? enclosingMark(layout, segments, place)
  return around === undefined
    ? undefined
    : wrong(`has {{ ${word} }} inside ${around}, where content cannot go`)
}

function piecesOf(segments: readonly Segment[]): number {
  return segments.filter(({ kind }) => kind !== 'text').length
}

function outputsOf(source: string, segments: readonly Segment[]): Output[] {
  return segments
    .filter(({ kind }) => kind === 'output')
    .map(segment => {
      const { subject, fallback, filters } = readPlaceholder(source.slice(segment.start + 2, segment.end - 2))
      return { ...segment, subject, isAlone: fallback === undefined && filters === undefined }
    })
}

/** Tags that render their content several times, later, or not at all. */
const holders = ['for', 'tablerow', 'capture', 'comment']

function enclosingTag(layout: string, segments: readonly Segment[], place: Segment): string | undefined {
  const open: string[] = []
  for (const { kind, start, end } of segments) {
    if (start >= place.start) break
    if (kind !== 'tag') continue
    const name = tagName(layout, start, end - 2)
    if (holders.includes(name)) open.push(name)
    else if (name === `end${open.at(-1)}`) open.pop()
  }
  return open.length > 0 ? `{% ${open[0]} %}` : undefined
}

function enclosingMark(layout: string, segments: readonly Segment[], place: Segment): string | undefined {
  let isHead = false
  for (const { kind, name, start, end } of htmlMarks(masked(layout, segments))) {
    if (start > place.start) break
    if (end > place.start) return words[kind](name)
    if (name === 'head') isHead = kind === 'open'
  }
  return isHead ? '<head>' : undefined
}

const words: Record<HtmlMark['kind'], (name: string) => string> = {
  comment: () => 'a comment',
  open: name => `the tag <${name}>`,
  close: name => `the tag </${name}>`,
  raw: name => `<${name}>`,
}

/** The same text without its Liquid, whose quotes and angle brackets are not HTML's; every offset stays. */
export function masked(source: string, segments: readonly Segment[]): string {
  return segments
    .map(({ kind, start, end }) => (kind === 'text' ? source.slice(start, end) : 'x'.repeat(end - start)))
    .join('')
}

/** What is left for a body besides any layout, and a few line breaks between the two. */
const room = { length: maxSourceLength - maxLayoutLength - 1_000, pieces: maxPieces - maxLayoutPieces }

/** Why a body can't be put into a layout, whatever that becomes. */
export function roomFaults(body: string): FieldError[] {
  if (body.length <= room.length && piecesOf(scanTemplate(body)) <= room.pieces) return []
  const message = `must have at most ${room.length} characters and ${room.pieces} placeholders and tags to be put into a layout`
  return [{ field: 'body', message, code: 'too_big' }]
}
