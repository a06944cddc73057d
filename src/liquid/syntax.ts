// Whether a template can be parsed, with the place of the first fault in the author's text.
import { LiquidError } from 'liquidjs'
import { forwardFinder } from '../lib/find'
import { whyTooMuch } from './amount'
import { engines, maxSourceLength, strictEngine } from './engine'
import { filterFault } from './filter-arguments'
import { rewriteToLiquid } from './rewrite'
import { type Segment, scanTemplate } from './scan'
import { tagFault } from './tag-faults'

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

/** A template, and the field that holds it. */
export interface LiquidSource {
  field: string
  source: string
}

/** The number of outputs and tags determines the cost of parsing: sources with more than this are parsed in another thread. */
const maxInlinePieces = 500
const maxInlineCharacters = 12_000

/** Whether parsing the source takes longer than a request may hold up others. Text around outputs and tags costs nothing. */
export function isHeavy(segments: readonly Segment[]): boolean {
  const inside = segments.filter(({ kind }) => kind !== 'text')
  return (
    inside.length > maxInlinePieces ||
    inside.reduce((sum, { kind, start, end }) => sum + (kind === 'raw' ? 0 : end - start), 0) >
      maxInlineCharacters
  )
}

/** The same for a source as it was written; one beyond the longest is refused without being read. */
export function isHeavySource(source: string): boolean {
  if (!hasDelimiters(source) || source.length > maxSourceLength) return false
  return looksHeavy(source) || isHeavy(scanTemplate(source))
}

/** The same for several that are checked one after the other: thousands of short texts take as long as a long one. */
export function areHeavySources(sources: readonly LiquidSource[]): boolean {
  const readable = sources.filter(({ source }) => source.length <= maxSourceLength)
  return isHeavySource(
    readable
      .map(({ source }) => source)
      .join('\n')
      .slice(0, maxSourceLength),
  )
}

/** The first fault of the first source that has one. */
export function checkSources(sources: readonly LiquidSource[], isSaved: boolean): LiquidFault | undefined {
  for (const { source, field } of sources) {
    const fault = checkSyntax(source, field, isSaved)
    if (fault) return fault
  }
  return undefined
}

/** Already without a look at quotes, which takes tens of milliseconds where megabytes stand inside outputs and tags. */
function looksHeavy(source: string): boolean {
  const opening = /\{[{%]/g
  const closings = { '{': forwardFinder(source, '}}'), '%': forwardFinder(source, '%}') }
  let characters = 0
  for (let pieces = 0; pieces <= maxInlinePieces; pieces++) {
    const open = opening.exec(source)
    if (!open) return false
    const start = open.index + 2
    const close = closings[source[start - 1] as '{' | '%'](start)
    if (close === -1) continue
    characters += close - start
    if (characters > maxInlineCharacters) return true
    opening.lastIndex = close + 2
  }
  return true
}

/** Without delimiters there is nothing to parse. */
export function hasDelimiters(source: string): boolean {
  return /\{[{%]/.test(source)
}

/**
 * The first fault of a template's syntax, with its place in the author's text; undefined for a valid one. An unknown filter, or
 * one with wrong arguments, is a fault when a template is saved, and ignored when one is sent.
 */
export function checkSyntax(source: string, field: string, isSaved = true): LiquidFault | undefined {
  if (source.length > maxSourceLength)
    return faultAt(source, field, `longer than ${maxSourceLength} characters`, 0)
  if (!hasDelimiters(source)) return undefined
  const segments = scanTemplate(source)
  const unclosed = findUnclosed(source, segments)
  if (unclosed !== -1)
    return faultAt(source, field, `"${source.slice(unclosed, unclosed + 2)}" is not closed`, unclosed)
  const excess = whyTooMuch(source, segments)
  if (excess) return faultAt(source, field, excess, 0)
  const { liquid, originalOffset } = rewriteToLiquid(source)
  try {
    const engine = isSaved ? strictEngine : engines.html
    const templates = engine.parse(liquid)
    const tag = tagFault(source, segments, engine.options.operators)
    if (tag) return faultAt(source, field, tag.reason, tag.offset)
    const filter = isSaved ? filterFault(templates) : undefined
    return filter && faultAt(source, field, filter.reason, originalOffset(filter.begin))
  } catch (error) {
    return faultAt(source, field, reasonOf(error), originalOffset(offsetOf(error)))
  }
}

/** The offset of an output or tag that is never closed; -1 if there is none. */
function findUnclosed(source: string, segments: readonly Segment[]): number {
  for (const { kind, start, end } of segments) {
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
