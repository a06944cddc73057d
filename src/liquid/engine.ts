// The configured Liquid engines: no files, no partials, own properties only, and every operation of a render charged to its meter. Errors
// are thrown to the caller; `template.ts` decides what they mean.
import { Context, type Emitter, Liquid, type LiquidOptions, type Template, toValue } from 'liquidjs'
import { replacedFilters } from './filters'
import { Meter, type RenderBudget } from './meter'
import { boundedEmitter, Markup, printBounded, type RenderMode } from './output'
import { guardRanges } from './ranges'
import type { Scope } from './substitute'
import { TableLoop } from './table'
import { filterWeight, operatorWeight, resultWeight } from './weights'

/** The most characters of one template source. */
export const maxSourceLength = 2_000_000

/** Tags that read other templates; there are none to read, so they are unknown here. */
const refusedTags = ['include', 'render', 'layout', 'block']

type FilterThis = { context: Context }
type FilterFunction = (this: FilterThis, value: unknown, ...rest: unknown[]) => unknown
type Operator = (left: unknown, right: unknown, context: Context) => unknown

/** Missing and null only: the empty string, 0 and false are values. */
function fallBack(left: unknown, right: unknown): unknown {
  const value: unknown = toValue(left)
  return value === undefined || value === null ? right : left
}

function engineFor(mode: RenderMode, options: LiquidOptions): Liquid {
  guardRanges()
  const engine = new Liquid({
    ownPropertyOnly: true,
    jsTruthy: true,
    relativeReference: false,
    templates: {},
    locale: 'en-US',
    timezoneOffset: 0,
    outputEscape(this: FilterThis, value: unknown) {
      return value instanceof Markup ? value.text : printBounded(toValue(value), mode, this.context)
    },
    parseLimit: maxSourceLength * 2,
    ...options,
  })
  for (const name of refusedTags) delete engine.tags[name]
  engine.registerTag('tablerow', TableLoop)
  for (const [name, filter] of Object.entries({ ...engine.filters, ...replacedFilters(mode) }))
    engine.registerFilter(
      name,
      typeof filter === 'function' ? weighed(name, filter as FilterFunction) : filter,
    )
  // The library types operators as predicates, though the result of `??` is used as the value.
  const operators = { ...engine.options.operators, '??': fallBack } as Record<string, Operator>
  for (const name of Object.keys(operators))
    if (!['and', 'or', 'not'].includes(name)) operators[name] = compared(name, operators[name]!)
  engine.options.operators = operators as typeof engine.options.operators
  boundOutput(engine, mode)
  return engine
}

/** Charges a filter's input before it runs, and its result afterwards. */
function weighed(name: string, original: FilterFunction): FilterFunction {
  return function* (this: FilterThis, given: unknown, ...rest: unknown[]): Generator<unknown, unknown> {
    const meter = this.context.memoryLimit
    const value = toValue(given)
    meter.use(filterWeight(name, value, rest))
    const result = yield original.call(this, given, ...rest)
    meter.use(resultWeight(toValue(result)))
    // What a filter leaves as it is, is still HTML.
    return result === value ? given : result
  }
}

function compared(name: string, original: Operator): Operator {
  return (left, right, context) => {
    context.memoryLimit.use(operatorWeight(name, toValue(left), toValue(right)))
    return original(left, right, context)
  }
}

/**
 * Gives every render and every capture inside it an emitter that counts; the library's own grows without bound. What HTML is captured is
 * not escaped again where it is printed.
 */
function boundOutput(engine: Liquid, mode: RenderMode): void {
  const renderTemplates = engine.renderer.renderTemplates.bind(engine.renderer)
  const collect = function* (templates: Template[], context: Context): Generator<unknown, unknown> {
    const text = yield* renderTemplates(templates, context, boundedEmitter(context, mode))
    return mode === 'html' ? new Markup(text) : text
  }
  engine.renderer.renderTemplates = (templates: Template[], context: Context, emitter?: Emitter) =>
    emitter ? renderTemplates(templates, context, emitter) : collect(templates, context)
}

/** Skips unknown filters, as a send must. */
export const engines: Readonly<Record<RenderMode, Liquid>> = {
  html: engineFor('html', {}),
  text: engineFor('text', {}),
  line: engineFor('line', {}),
  data: engineFor('data', {}),
}

/** Reports unknown filters, for the check at write time. */
export const strictEngine: Liquid = engineFor('html', { strictFilters: true })

/** Returns the text; `spent` if the allowance was not enough, undefined if a filter met a value that it can't take. */
export function renderWithin(
  allowance: RenderBudget,
  templates: Template[],
  scope: Scope,
  mode: RenderMode,
): { text: string } | 'spent' | undefined {
  const engine = engines[mode]
  const meter = new Meter(allowance)
  const limits = { memoryLimit: meter, renderLimit: meter } as unknown as Pick<
    Context,
    'memoryLimit' | 'renderLimit'
  >
  const context = new Context(scope, engine.options, { sync: true }, { ...limits, liquid: engine })
  try {
    return { text: String(engine.renderSync(templates, context)) }
  } catch {
    return meter.isSpent ? 'spent' : undefined
  }
}
