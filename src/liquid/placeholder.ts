// The inside of one output: what it names, its fallback and its filters. Both the Liquid rewriter and plain substitution read
// placeholders with this, so they agree on what a name is.
import { decodeEntities, quoteFinder } from './scan'

export interface Placeholder {
  /** `{{-` and `-}}`. */
  trimLeft: boolean
  trimRight: boolean
  /** The part before `??` and `|`, trimmed; empty for `{{ }}`. */
  subject: string
  /** The literal after the first `??`, without its quotes. */
  fallback?: string
  /** Everything after the first `|`, as written. */
  filters?: string
}

/** Reads the text between `{{` and `}}`. */
export function readPlaceholder(inside: string): Placeholder {
  const trimLeft = inside.startsWith('-')
  const trimRight = inside.length > 1 && inside.endsWith('-')
  const text = decodeEntities(inside.slice(trimLeft ? 1 : 0, trimRight ? -1 : undefined)).trim()
  const bar = indexOutsideQuotes(text, '|', 0)
  const head = bar === -1 ? text : text.slice(0, bar)
  const filters = bar === -1 ? undefined : text.slice(bar + 1)
  const mark = indexOutsideQuotes(head, '??', 0)
  if (mark === -1) return { trimLeft, trimRight, subject: head.trim(), filters }
  const second = indexOutsideQuotes(head, '??', mark + 2)
  const fallback = literal(head.slice(mark + 2, second === -1 ? undefined : second).trim())
  return { trimLeft, trimRight, subject: head.slice(0, mark).trim(), fallback, filters }
}

/** Like indexOf, but ignores quoted strings; a quote that never closes is an ordinary character. */
function indexOutsideQuotes(text: string, wanted: string, from: number): number {
  const quoteEnd = quoteFinder(text)
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(wanted, at)) return at
    if (text[at] !== '"' && text[at] !== "'") continue
    const end = quoteEnd(at)
    if (end !== -1) at = end
  }
  return -1
}

/** Quotes that word processors put in place of straight ones. */
const curlyQuotes = /^(?:“([^“”]*)”|‘([^‘’]*)’)$/

function literal(text: string): string {
  const curly = curlyQuotes.exec(text)
  if (curly) return curly[1] ?? curly[2] ?? ''
  const quote = text[0]
  if ((quote !== '"' && quote !== "'") || quoteFinder(text)(0) !== text.length - 1) return text
  return text.slice(1, -1).replace(/\\(["'\\])/g, '$1')
}

/** Letters, digits, `_`, `-` and everything beyond ASCII except blanks and curly quotes: the same as Liquid takes for a word. */
const word = /^[\w\-?\u0080-\u201b\u201e-\u{10ffff}]+$/u
const wordWithSpaces = /^[\w\-?\u0080-\u{10ffff}][\w\-? \u0080-\u{10ffff}]*$/u
/** Characters that occur only in Liquid expressions; a subject without any of them is a name, however odd (`color:red`). */
const expression = /["'[\]()<>=!]/

/**
 * The path that a subject names, as property names; undefined if it is an expression of the language (quotes, brackets,
 * comparisons) and has to be parsed.
 */
export function pathOf(subject: string): string[] | undefined {
  if (expression.test(subject)) return undefined
  const parts = subject.split('.').map(part => part.trim().replace(/\s+/g, ' '))
  return parts.every(part => wordWithSpaces.test(part)) ? parts : [subject]
}

/** Whether Liquid reads the name by itself, without brackets. */
export function isWord(name: string): boolean {
  return word.test(name)
}
