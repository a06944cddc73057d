// How much there is to parse in a template: its outputs and tags, and the names, values and operators inside them, of which one tag may
// have hundreds of thousands. Each of them takes about two kilobytes once it is parsed.
import { forwardFinder } from '../lib/find'
import type { Segment } from './scan'

/** The most outputs and tags of one template: parsing this many takes a good part of a second. */
export const maxPieces = 20_000
/** The most names, values and operators inside all of them. */
const maxWords = 100_000

/** Why the template is not parsed; undefined if it may be. */
export function whyTooMuch(source: string, segments: readonly Segment[]): string | undefined {
  const inside = segments.filter(({ kind }) => kind !== 'text')
  if (inside.length > maxPieces) return `more than ${maxPieces} placeholders and tags`
  const parsed = inside.filter(({ kind }) => kind !== 'raw')
  if (hasMoreWords(source, parsed)) return `more than ${maxWords} names and values in placeholders and tags`
  return undefined
}

/** Than are allowed. Quoted text is one word, whatever it holds. */
function hasMoreWords(source: string, segments: readonly Segment[]): boolean {
  const characters = segments.reduce((sum, { start, end }) => sum + end - start, 0)
  // A word has a character, and mostly one between it and the next.
  if (characters <= maxWords) return false
  const closings: Record<string, (from: number) => number> = {
    '"': forwardFinder(source, '"'),
    "'": forwardFinder(source, "'"),
  }
  let words = 0
  for (const { start, end } of segments) {
    let isInWord = false
    for (let at = start + 2; at < end - 2; at++) {
      const close = closings[source[at]!]?.(at + 1) ?? -1
      const isQuoted = close !== -1 && close < end
      const isOfWord = isQuoted || isWordCode(source.charCodeAt(at))
      if (isQuoted || (isOfWord && !isInWord)) words++
      if (words > maxWords) return true
      isInWord = isOfWord && !isQuoted
      if (isQuoted) at = close
    }
  }
  return false
}

/** Letters, digits, `_`, and everything beyond ASCII. */
function isWordCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95 ||
    code > 127
  )
}
