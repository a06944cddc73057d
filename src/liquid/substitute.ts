// The fallback for a send whose template Liquid refuses: `{{name}}` is replaced, tags stay as they are. Linear, bounded, never throws.
import { maxRenderUnits, printRaw, printValue, type RenderMode } from './output'
import { pathOf, readPlaceholder } from './placeholder'
import { type Segment, scanTemplate } from './scan'

export type Scope = Readonly<Record<string, unknown>>

export function substitutePlain(source: string, scope: Scope, mode: RenderMode): string {
  const parts: string[] = []
  let left = maxRenderUnits
  for (const segment of scanTemplate(source)) {
    const text = segmentText(source, segment, scope, mode)
    // Text is never dropped; values are, once the bound is reached.
    if (segment.kind === 'output' && text.length > left) continue
    if (segment.kind === 'output') left -= text.length
    parts.push(text)
  }
  return parts.join('')
}

function segmentText(source: string, { kind, start, end }: Segment, scope: Scope, mode: RenderMode): string {
  if (kind !== 'output') return source.slice(start, end)
  const { subject, fallback, filters } = readPlaceholder(source.slice(start + 2, end - 2))
  const value = lookUp(scope, subject) ?? fallback
  return filters?.trim() === 'raw' ? printRaw(value, mode) : printValue(value, mode)
}

function lookUp(scope: Scope, subject: string): unknown {
  const quoted = /^"([^"]*)"$|^'([^']*)'$/.exec(subject)
  if (quoted) return quoted[1] ?? quoted[2]
  const path = pathOf(subject) ?? bracketPath(subject)
  return path.reduce<unknown>(ownProperty, scope)
}

/** `data["first name"].x` as property names; anything else is taken for a name that has no value. */
function bracketPath(subject: string): string[] {
  return subject
    .split(/[.[\]]/)
    .map(part => part.trim().replace(/^(?:"(.*)"|'(.*)')$/, '$1$2'))
    .filter(part => part !== '')
}

function ownProperty(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
