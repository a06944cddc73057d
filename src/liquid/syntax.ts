// Whether a template can be read, with the place of the first fault in the author's text.
import { LiquidError } from 'liquidjs'
import { engines, maxPieces, maxSourceLength, strictEngine } from './engine'
import { rewriteToLiquid } from './rewrite'
import { type Segment, scanTemplate } from './scan'

export interface LiquidFault {
  /** The field that holds the template, as the caller named it. */
  field: string
  /** What is wrong, without the place. */
  reason: string
  line: number
  column: number
  /** The whole sentence that the interface shows. */
  message: string
}

/** What reading a source costs is told by its outputs and tags: more than these are read where nobody waits. */
const maxInlinePieces = 500
const maxInlineCharacters = 12_000

/** Whether reading the source takes longer than a request may hold up others. Text around outputs and tags costs nothing. */
export function isHeavy(segments: readonly Segment[]): boolean {
  const inside = segments.filter(({ kind }) => kind !== 'text')
  return (
    inside.length > maxInlinePieces ||
    inside.reduce((sum, { kind, start, end }) => sum + (kind === 'raw' ? 0 : end - start), 0) >
      maxInlineCharacters
  )
}

/** The same of a source as it was written; one beyond the limits is refused unread. */
export function isHeavySource(source: string): boolean {
  return hasDelimiters(source) && source.length <= maxSourceLength && isHeavy(scanTemplate(source))
}

/** Without any there is nothing to read. */
export function hasDelimiters(source: string): boolean {
  return /\{[{%]/.test(source)
}

/**
 * The first fault of a template's syntax, with its place in the author's text; undefined for a good one. A filter that nobody knows is
 * a fault where a template is saved, and passed over where one is sent.
 */
export function checkSyntax(source: string, field: string, isSaved = true): LiquidFault | undefined {
  if (source.length > maxSourceLength)
    return faultAt(source, field, `longer than ${maxSourceLength} characters`, 0)
  if (!hasDelimiters(source)) return undefined
  const unclosed = findUnclosed(source)
  if (unclosed !== -1)
    return faultAt(source, field, `"${source.slice(unclosed, unclosed + 2)}" is not closed`, unclosed)
  const { liquid, pieces, originalOffset } = rewriteToLiquid(source)
  if (pieces > maxPieces) return faultAt(source, field, `more than ${maxPieces} placeholders and tags`, 0)
  try {
    ;(isSaved ? strictEngine : engines.html).parse(liquid)
    return undefined
  } catch (error) {
    return faultAt(source, field, reasonOf(error), originalOffset(offsetOf(error)))
  }
}

/** Where an output or a tag is opened that nothing closes; -1 if there is none. */
function findUnclosed(source: string): number {
  for (const { kind, start, end } of scanTemplate(source)) {
    if (kind !== 'text') continue
    const at = source.slice(start, end).search(/\{[{%]/)
    if (at !== -1) return start + at
  }
  return -1
}

export function faultAt(source: string, field: string, reason: string, offset: number): LiquidFault {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - (before.lastIndexOf('\n') + 1) + 1
  const message = `Invalid template syntax in ${field} (line ${line}, column ${column}): ${reason}`
  return { field, reason, line, column, message }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/, line:\d+, col:\d+$/, '').slice(0, 300)
}

function offsetOf(error: unknown): number {
  return LiquidError.is(error) ? error.token.begin : 0
}
