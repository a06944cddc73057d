// How a value becomes text in the three places a template is rendered for (HTML body, plain text, one header line), and the emitter
// that writes it within the memory bound of its render.
import type { Context, Emitter } from 'liquidjs'
import { forwardFinder } from '../lib/find'
import type { Meter } from './meter'
import { sizeOf } from './weights'

/** `html`: lists become `<li>` items. `text`: lists become lines, markup in values is dropped. `line`: one line, for subjects. */
export type RenderMode = 'html' | 'text' | 'line'

/** How many characters one render may produce, captures included. */
export const maxRenderUnits = 10_000_000
/** The cost of a character: the cost of a render then bounds its output to that many. */
const unitsPerCharacter = 3

const maxListDepth = 8

/** What an output of `value` writes. Missing values and null write nothing. */
export function printValue(value: unknown, mode: RenderMode): string {
  if (typeof value === 'string') return mode === 'text' ? withoutMarkup(value) : value
  if (Array.isArray(value)) return printList(value, mode)
  return printScalar(value, 0)
}

function printList(items: unknown[], mode: RenderMode): string {
  const texts = items.map(item => printScalar(item, 1))
  if (mode === 'html') return texts.map(text => `<li>${text}</li>`).join('\n')
  if (mode === 'text') return texts.map(text => `- ${withoutMarkup(text)}`).join('\n')
  return texts.join(', ')
}

function printScalar(value: unknown, depth: number): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return depth > maxListDepth ? '' : value.map(item => printScalar(item, depth + 1)).join(', ')
  if (typeof value === 'object') return value instanceof Date ? value.toISOString() : '[object Object]'
  return typeof value === 'function' ? '' : String(value)
}

/** Drops `<tag …>` in one pass and leaves a lone `<` alone; values are short, so no line structure is rebuilt. */
function withoutMarkup(text: string): string {
  if (!text.includes('<')) return text
  const nextClose = forwardFinder(text, '>')
  let kept = ''
  let from = 0
  while (true) {
    const open = text.indexOf('<', from)
    const close = open === -1 ? -1 : nextClose(open)
    if (close === -1) return kept + text.slice(from)
    const isTag = /[a-z/!]/i.test(text[open + 1] ?? '')
    kept += isTag ? text.slice(from, open) : text.slice(from, open + 1)
    from = isTag ? close + 1 : open + 1
  }
}

/** Collects what a template writes; every character counts against the render's bound, captures included. */
export function boundedEmitter(context: Context, mode: RenderMode): Emitter {
  const meter = context.memoryLimit as unknown as Meter
  const emitter = {
    buffer: '',
    write(value: unknown): void {
      const text = typeof value === 'string' ? value : printBounded(value, mode, context)
      meter.add(text.length * unitsPerCharacter)
      emitter.buffer += text
    },
  }
  return emitter
}

/** Like printValue, but refuses what is too large before it is written out. */
export function printBounded(value: unknown, mode: RenderMode, context: Context): string {
  // Lists may be nested to any depth.
  if (Array.isArray(value)) context.memoryLimit.use(10 * sizeOf(value))
  else if (mode === 'text' && typeof value === 'string') context.memoryLimit.use(value.length)
  return printValue(value, mode)
}
