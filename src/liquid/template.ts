// The template language of the platform: checked strictly when a template is saved, forgiving when it is sent. Rendering never throws;
// what Liquid can't render is filled by plain substitution.
import { LiquidError, type Template } from 'liquidjs'
import { engines, maxPieces, maxSourceLength, strictEngine } from './engine'
import { compileDirect } from './fast-path'
import { namesRead } from './names-read'
import type { RenderMode } from './output'
import { readPlaceholder } from './placeholder'
import { rewriteToLiquid } from './rewrite'
import { scanTemplate } from './scan'
import { type Scope, substitutePlain } from './substitute'

export type { RenderMode, Scope }

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

export interface CompiledTemplate {
  /** The text for one recipient. Never throws; `line` mode never holds a line break. */
  render(scope: Scope): string
  /** The text in pieces, where one can tell what is equal for all scopes: that is the very same string each time. */
  pieces(scope: Scope): readonly string[]
  /** The pieces that are equal for all scopes, with null for the values between them; undefined where nobody can tell. */
  readonly layout?: ReadonlyArray<string | null>
  /** True where Liquid refused the source, so that it is filled by plain substitution. */
  readonly isPlain: boolean
  /** A rough measure of what the compiled form occupies. */
  readonly bytes: number
}

/** The first fault of a template's syntax, with its place in the author's text; undefined for a good one. */
export function checkSyntax(source: string, field: string): LiquidFault | undefined {
  if (source.length > maxSourceLength)
    return fault(source, field, `longer than ${maxSourceLength} characters`, 0)
  const { liquid, pieces, originalOffset } = rewriteToLiquid(source)
  if (pieces > maxPieces) return fault(source, field, `more than ${maxPieces} placeholders and tags`, 0)
  try {
    strictEngine.parse(liquid)
    return undefined
  } catch (error) {
    return fault(source, field, reasonOf(error), originalOffset(offsetOf(error)))
  }
}

function fault(source: string, field: string, reason: string, offset: number): LiquidFault {
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

/** Parses once for many renders. A template that can't be parsed is kept as it is and filled by plain substitution. */
export function compileTemplate(source: string, mode: RenderMode = 'html'): CompiledTemplate {
  if (!/\{[{%]/.test(source)) return constant(mode === 'line' ? oneLine(source) : source)
  const templates = parse(source, mode)
  const direct = templates && compileDirect(source, scanTemplate(source), mode)
  const finish = mode === 'line' ? oneLine : unchanged
  const renderLiquid = templates && patientRenderer(templates, mode)
  const piecesOf = (scope: Scope): readonly string[] =>
    direct?.fill(scope) ?? [renderLiquid?.(scope) ?? substitutePlain(source, scope, mode)]
  return {
    isPlain: templates === undefined,
    bytes: 200 + source.length * (templates ? 8 : 2),
    render: scope => finish(piecesOf(scope).join('')),
    pieces: piecesOf,
    ...(direct ? { layout: direct.layout } : {}),
  }
}

/** Text without any delimiter, such as a body that the caller has rendered, costs nothing to compile. */
function constant(text: string): CompiledTemplate {
  const pieces = [text]
  return {
    isPlain: false,
    bytes: 200 + text.length * 2,
    render: () => text,
    pieces: () => pieces,
    layout: pieces,
  }
}

function parse(source: string, mode: RenderMode): Template[] | undefined {
  if (source.length > maxSourceLength) return undefined
  const { liquid, pieces } = rewriteToLiquid(source)
  if (pieces > maxPieces) return undefined
  try {
    return engines[mode].parse(liquid)
  } catch {
    // Any failure to parse means the same thing here: this text is filled without the language.
    return undefined
  }
}

/** A failure that took this long held everybody up, and so many in a row are the template's own doing. */
const costlyMs = 200
const mostCostlyFailures = 3

/** Undefined where a limit was hit or a filter met a value it can't take: the recipient still gets the text. */
function patientRenderer(templates: Template[], mode: RenderMode): (scope: Scope) => string | undefined {
  let costlyFailures = 0
  return scope => {
    if (costlyFailures >= mostCostlyFailures) return undefined
    const from = performance.now()
    try {
      const text = String(engines[mode].renderSync(templates, scope))
      costlyFailures = 0
      return text
    } catch {
      costlyFailures = performance.now() - from >= costlyMs ? costlyFailures + 1 : 0
      return undefined
    }
  }
}

/** A header is one line, whatever the values held. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029\0]+/g, ' ').trim()
}

const unchanged = (text: string): string => text

/** The names at the start of every path that a template reads from outside, without those it assigns itself. */
export function variablesOf(source: string): string[] {
  if (source.length > maxSourceLength) return placeholderNames(source)
  const { liquid, pieces } = rewriteToLiquid(source)
  if (pieces > maxPieces) return placeholderNames(source)
  try {
    return namesRead(engines.html.parse(liquid))
  } catch {
    // Broken syntax: what plain substitution would look up.
    return placeholderNames(source)
  }
}

function placeholderNames(source: string): string[] {
  const names = new Set<string>()
  for (const { kind, start, end } of scanTemplate(source)) {
    if (kind !== 'output') continue
    const { subject } = readPlaceholder(source.slice(start + 2, end - 2))
    if (/^[^"'[\]()]+$/.test(subject)) names.add(subject.split('.')[0]!.trim())
  }
  return [...names]
}
