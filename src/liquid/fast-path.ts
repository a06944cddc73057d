// Templates that only fill in names, which is most of them: text and `{{name}}` or `{{name ?? "text"}}`, no paths, filters or tags. They
// are filled in without the Liquid engine, with the same result (a test compares the two) at a tenth of the cost.
import { printValue, type RenderMode } from './output'
import { isWord, readPlaceholder } from './placeholder'
import type { Segment } from './scan'
import type { Scope } from './substitute'

type Piece = string | { name: string; fallback: string | undefined }

/** Words that the language does not read as names. */
const reserved = new Set([
  'true',
  'false',
  'nil',
  'null',
  'empty',
  'blank',
  'undefined',
  'and',
  'or',
  'not',
  'contains',
  'in',
])

/** Returns the texts and values of a render in order; undefined for a scope that needs the engine. */
export type FillFast = (scope: Scope) => string[] | undefined

export interface FastTemplate {
  fill: FillFast
  /** What `fill` returns, with null in place of each value. */
  layout: ReadonlyArray<string | null>
}

/** Undefined for a source that needs the engine. */
export function compileFast(
  source: string,
  segments: readonly Segment[],
  mode: RenderMode,
): FastTemplate | undefined {
  const pieces: Piece[] = []
  for (const { kind, start, end } of segments) {
    const text = source.slice(start, end)
    const piece = kind === 'text' ? text : kind === 'output' ? placeholderPiece(text) : undefined
    if (piece === undefined) return undefined
    pieces.push(piece)
  }
  return {
    fill: scope => fill(pieces, scope, mode),
    layout: pieces.map(piece => (typeof piece === 'string' ? piece : null)),
  }
}

/** Longer placeholders are not plain names. */
const maxPlaceholderLength = 2_000

function placeholderPiece(text: string): Piece | undefined {
  if (text.length > maxPlaceholderLength) return undefined
  const { trimLeft, trimRight, subject, fallback, filters } = readPlaceholder(text.slice(2, -2))
  const isName = /^[A-Za-z_]\w*$/.test(subject) && isWord(subject) && !reserved.has(subject)
  return isName && !trimLeft && !trimRight && filters === undefined ? { name: subject, fallback } : undefined
}

/** Longer values are left to the engine, which bounds what a render may write. */
const maxValueLength = 100_000

function fill(pieces: readonly Piece[], scope: Scope, mode: RenderMode): string[] | undefined {
  const texts: string[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      texts.push(piece)
      continue
    }
    const value = (Object.hasOwn(scope, piece.name) ? scope[piece.name] : undefined) ?? piece.fallback
    if (typeof value === 'object' || typeof value === 'function') return undefined
    if (typeof value === 'string' && value.length > maxValueLength) return undefined
    texts.push(printValue(value, mode))
  }
  return texts
}
