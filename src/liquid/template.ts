// The template language of the platform: checked strictly when a template is saved, forgiving when it is sent. What Liquid can't parse or
// render is filled in by plain substitution; what would take too long is thrown out as TooCostly, to be rendered by a thread.
import type { Template } from 'liquidjs'
import { whyTooMuch } from './amount'
import { allowance, answerTo, hasTime, type RenderJob, TooCostly } from './costly'
import { engines, maxSourceLength, renderWithin } from './engine'
import { compileFast } from './fast-path'
import { namesRead } from './names-read'
import type { RenderMode } from './output'
import { readPlaceholder } from './placeholder'
import { rewriteToLiquid } from './rewrite'
import { type Segment, scanTemplate } from './scan'
import { type Scope, substitutePlain } from './substitute'
import { hasDelimiters, isHeavy } from './syntax'

export type { RenderMode, Scope }

export interface CompiledTemplate {
  /** The text for one recipient; in `line` mode without line breaks. Throws nothing but TooCostly. */
  render(scope: Scope): string
  /** The text in pieces, where it is known what is the same for all scopes: those pieces are the identical string each time. */
  pieces(scope: Scope): readonly string[]
  /** The pieces that are the same for all scopes, with null for the values between them; undefined if that is not known. */
  readonly layout?: ReadonlyArray<string | null>
  /** True if Liquid refused the source, so that it is filled in by plain substitution. */
  readonly isPlain: boolean
  /** A rough measure of the memory that the compiled form takes. */
  readonly bytes: number
}

/** Parses once for many renders. A template that can't be parsed is kept as it is and filled in by plain substitution. */
export function compileTemplate(source: string, mode: RenderMode = 'html'): CompiledTemplate {
  if (!hasDelimiters(source)) return constant(mode === 'line' ? oneLine(source) : source)
  const segments = scanTemplate(source)
  const canBeRead = isReadable(source, segments)
  const finish = mode === 'line' ? oneLine : unchanged
  const isHeavySource = canBeRead && !hasTime() && isHeavy(segments)
  const templates = canBeRead && !isHeavySource ? parse(source, mode) : undefined
  const fast = isHeavySource || templates ? compileFast(source, segments, mode) : undefined
  const byThread = isHeavySource ? renderedByThread({ kind: 'source', source, mode }, finish) : undefined
  if (byThread && !fast) return byThread
  const renderLiquid = byThread?.render ?? (templates && patientRenderer(templates, source, mode))
  const piecesOf = (scope: Scope): readonly string[] =>
    fast?.fill(scope) ?? [renderLiquid?.(scope) ?? substitutePlain(source, scope, mode)]
  return {
    isPlain: !isHeavySource && templates === undefined,
    bytes: 200 + source.length * (templates ? 8 : 2),
    render: scope => finish(piecesOf(scope).join('')),
    pieces: piecesOf,
    ...(fast ? { layout: fast.layout } : {}),
  }
}

function isReadable(source: string, segments: readonly Segment[]): boolean {
  return source.length <= maxSourceLength && whyTooMuch(source, segments) === undefined
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

/** A source that is too costly even to be parsed here. */
export function renderedByThread(
  job: Omit<RenderJob, 'scope'>,
  finish: (text: string) => string = unchanged,
): CompiledTemplate {
  const render = (scope: Scope): string => {
    const answer = answerTo({ ...job, scope })
    if (answer === undefined) throw new TooCostly({ ...job, scope })
    return finish(answer)
  }
  return { isPlain: false, bytes: 200 + job.source.length * 2, render, pieces: scope => [render(scope)] }
}

function parse(source: string, mode: RenderMode): Template[] | undefined {
  try {
    return engines[mode].parse(rewriteToLiquid(source).liquid)
  } catch {
    // Any failure to parse means the same thing here: this text is filled in by plain substitution.
    return undefined
  }
}

/** After a render that took too long here, this many go to a thread without being tried here first. */
const renewedAfter = 100

/** Undefined if a filter met a value that it can't take: the recipient still gets the text. */
function patientRenderer(
  templates: Template[],
  source: string,
  mode: RenderMode,
): (scope: Scope) => string | undefined {
  let untried = 0
  return scope => {
    const job: RenderJob = { kind: 'source', source, mode, scope }
    const answer = answerTo(job)
    if (answer !== undefined) return answer
    if (untried-- > 0) throw new TooCostly(job)
    const rendered = renderWithin(allowance(), templates, scope, mode)
    if (rendered !== 'spent') return rendered?.text
    untried = hasTime() ? 0 : renewedAfter
    throw new TooCostly(job)
  }
}

/** A header is one line, whatever the values held. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029\0]+/g, ' ').trim()
}

const unchanged = (text: string): string => text

/** The names at the start of every path that a template reads from outside, without those it assigns itself. */
export function variablesOf(source: string): string[] {
  if (!hasDelimiters(source)) return []
  const segments = scanTemplate(source)
  if (!isReadable(source, segments)) return placeholderNames(source)
  // In a source that is too long to be parsed here, the names that tags read are not looked for: they may be anything.
  if (isHeavy(segments)) return [...new Set([...placeholderNames(source), 'data'])]
  try {
    return namesRead(engines.html.parse(rewriteToLiquid(source).liquid))
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
