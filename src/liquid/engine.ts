// The configured Liquid engines: no files, no partials, own properties only, and a bound on time, memory and output of every render.
// Errors rise to the caller; `liquid.ts` decides what they mean.
import { type Context, type Emitter, Liquid, type LiquidOptions, type Template, toValue } from 'liquidjs'
import { boundedEmitter, maxRenderUnits, printBounded, type RenderMode } from './output'

/** Characters of one template source. */
export const maxSourceLength = 2_000_000
/** Outputs and tags of one template: parsing this many takes a good part of a second. */
export const maxPieces = 20_000
const maxRenderMs = 1_000

/** Tags that read other templates; there are none to read, so they are unknown here. */
const refusedTags = ['include', 'render', 'layout', 'block']

/** Filters that evaluate an expression an item: each item weighs as much as this many units of memory. */
const evaluatingFilters = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']
const unitsPerEvaluation = 100

type FilterThis = { context: Context }
type FilterFunction = (this: FilterThis, value: unknown, ...rest: unknown[]) => unknown

/** Missing and null only: the empty string, 0 and false are values. */
function fallBack(left: unknown, right: unknown): unknown {
  return toValue(left) ?? right
}

function engineFor(mode: RenderMode, options: LiquidOptions): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    jsTruthy: true,
    relativeReference: false,
    templates: {},
    locale: 'en-US',
    timezoneOffset: 0,
    parseLimit: maxSourceLength * 2,
    renderLimit: maxRenderMs,
    memoryLimit: maxRenderUnits,
    ...options,
  })
  // The library types operators as predicates, though their result is used as the value.
  engine.options.operators = { ...engine.options.operators, '??': fallBack as () => boolean }
  for (const name of refusedTags) delete engine.tags[name]
  for (const name of evaluatingFilters) weigh(engine, name)
  boundOutput(engine, mode)
  return engine
}

function weigh(engine: Liquid, name: string): void {
  const original = engine.filters[name] as FilterFunction | undefined
  if (!original) return
  engine.registerFilter(name, function (this: FilterThis, value: unknown, ...rest: unknown[]) {
    if (Array.isArray(value)) this.context.memoryLimit.use(value.length * unitsPerEvaluation)
    return original.call(this, value, ...rest)
  })
}

/** Gives every render and every capture inside it an emitter that counts; the library's own grows without end. */
function boundOutput(engine: Liquid, mode: RenderMode): void {
  const renderTemplates = engine.renderer.renderTemplates
  engine.renderer.renderTemplates = (templates: Template[], context: Context, emitter?: Emitter) =>
    renderTemplates.call(engine.renderer, templates, context, emitter ?? boundedEmitter(context, mode))
}

function printOutput(this: FilterThis, value: unknown): string {
  return printBounded(toValue(value), 'text', this.context)
}

/** Skips unknown filters, as a send must. */
export const engines: Readonly<Record<RenderMode, Liquid>> = {
  html: engineFor('html', {}),
  text: engineFor('text', { outputEscape: printOutput }),
  line: engineFor('line', {}),
}

/** Reports unknown filters, for the check at write time. */
export const strictEngine: Liquid = engineFor('html', { strictFilters: true })
