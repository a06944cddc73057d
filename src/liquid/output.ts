// How a value becomes text in the places a template is rendered for, and the emitter that writes it within the memory bound of its render.
import { type Context, Drop, type Emitter } from 'liquidjs'
import { escapeHtml } from '../lib/escape'
import { textOfMarkup } from './markup'
import type { Meter } from './meter'
import { sizeOf } from './weights'

/**
 * `html`: values are escaped, lists become `<li>` items. `text`: lists become lines. `line`: one line, for subjects and headers. `data`:
 * a member of JSON. Only HTML escapes.
 */
export type RenderMode = 'html' | 'text' | 'line' | 'data'

/** How many characters one render may produce, captures included. */
export const maxRenderUnits = 10_000_000
/** The cost of a character: the cost of a render then bounds its output to that many. */
const unitsPerCharacter = 3

const maxListDepth = 8

/** HTML made by the template itself, by a filter or `capture`, whose values are escaped already. Everything but an output reads it as text. */
export class Markup extends Drop {
  constructor(readonly text: string) {
    super()
  }
  get size(): number {
    return this.text.length
  }
  override valueOf(): string {
    return this.text
  }
  override toString(): string {
    return this.text
  }
}

/** What an output of `value` writes. Missing values and null write nothing. */
export function printValue(value: unknown, mode: RenderMode): string {
  return print(value, mode, mode === 'html' ? escapeHtml : unchanged)
}

/** The same for an output that ends with `| raw`. */
export function printRaw(value: unknown, mode: RenderMode): string {
  return print(value, mode, mode === 'text' ? textOfMarkup : unchanged)
}

type Convert = (text: string) => string
const unchanged: Convert = text => text

function print(value: unknown, mode: RenderMode, convert: Convert): string {
  if (!Array.isArray(value)) return convert(printScalar(value, 0))
  const texts = value.map(item => convert(printScalar(item, 1)))
  if (mode === 'html') return texts.map(text => `<li>${text}</li>`).join('\n')
  if (mode === 'text') return texts.map(text => `- ${text}`).join('\n')
  return texts.join(', ')
}

function printScalar(value: unknown, depth: number): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return depth > maxListDepth ? '' : value.map(item => printScalar(item, depth + 1)).join(', ')
  if (typeof value === 'object') return value instanceof Date ? value.toISOString() : '[object Object]'
  return typeof value === 'function' ? '' : String(value)
}

/** Collects what a template writes; every character counts against the render's bound, captures included. */
export function boundedEmitter(context: Context, mode: RenderMode): Emitter {
  const meter = context.memoryLimit as unknown as Meter
  const emitter = {
    buffer: '',
    write(value: unknown): void {
      const text = typeof value === 'string' ? value : printBounded(value, mode, context, printRaw)
      meter.add(text.length * unitsPerCharacter)
      emitter.buffer += text
    },
  }
  return emitter
}

/** Like printValue, but refuses what is too large before it is written out. */
export function printBounded(
  value: unknown,
  mode: RenderMode,
  context: Context,
  write: typeof printValue = printValue,
): string {
  // Lists may be nested to any depth.
  if (Array.isArray(value)) context.memoryLimit.use(10 * sizeOf(value))
  else if (typeof value === 'string') context.memoryLimit.use(value.length)
  return write(value, mode)
}
