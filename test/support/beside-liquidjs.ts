// A template rendered here and by liquidjs alone, and why the two differ: the list in docs/templates.md, as a program.
import { Liquid } from 'liquidjs'
import { escapeHtml } from '../../src/lib/escape'
import { TooCostly, withTime } from '../../src/liquid/costly'
import { checkSyntax } from '../../src/liquid/syntax'
import { compileTemplate } from '../../src/liquid/template'

export interface Beside {
  /** What Waxwing prints; undefined where it refuses to save the template. */
  printed: string | undefined
  /** `same`, one of the reasons, or undefined for a difference that has none. */
  why: string | undefined
}

const alone = new Liquid({ ownPropertyOnly: true, timezoneOffset: 0, locale: 'en-US' })
/** With `0` and the empty text as false, as they are here. */
const withFalse = new Liquid({ ownPropertyOnly: true, timezoneOffset: 0, locale: 'en-US', jsTruthy: true })

const refusals: ReadonlyArray<[reason: RegExp, why: string]> = [
  [/^undefined filter/, 'unknown filter'],
  [/^filter "/, 'wrong arguments of a filter'],
  [/is not an operator|value is missing|can't be read here/, 'left over or missing in a tag'],
  [/has no parameter|needs a value/, 'unknown parameter of a tag'],
  [/is set by Waxwing/, 'name of Waxwing'],
  [/is not closed$/, 'not closed'],
]

/** Renders both as HTML. */
export function besideLiquidjs(template: string, data: Record<string, unknown>): Beside {
  const fault = checkSyntax(template, 'body')
  const theirs = [alone, withFalse].map(engine => printedBy(engine, template, data))
  if (fault) {
    const isRefusedByBoth = theirs.every(text => text === undefined)
    const why = isRefusedByBoth ? 'same' : refusals.find(([reason]) => reason.test(fault.reason))?.[1]
    return { printed: undefined, why }
  }
  const printed = printedHere(template, data)
  return { printed, why: printed === undefined ? 'limits' : whyDifferent(template, printed, theirs) }
}

/** Undefined where it takes too much. */
function printedHere(template: string, data: Record<string, unknown>): string | undefined {
  try {
    return withTime(() => compileTemplate(template).render(structuredClone(data)))
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return undefined
  }
}

function whyDifferent(
  template: string,
  printed: string,
  [plain, withFalse]: Array<string | undefined>,
): string | undefined {
  if (printed === plain) return 'same'
  if (printed === withFalse) return '0 and the empty text are false'
  if (plain !== undefined && printed === escapeHtml(plain)) return 'escaped'
  if (printed.includes('<li>')) return 'lists'
  if (/\|\s*date/.test(template)) return 'dates'
  if (/tablerow/.test(template) && /break|continue/.test(template)) return 'break in a table'
  if (/cycle/.test(template)) return 'numbers and booleans in a cycle'
  if (plain === undefined) return 'values that a filter can’t take'
  return /\{\{\s*\w+\s+\W?\s*\w+\s*\}\}/.test(template) ? 'names with spaces' : undefined
}

function printedBy(engine: Liquid, template: string, data: Record<string, unknown>): string | undefined {
  try {
    return String(engine.parseAndRenderSync(template, structuredClone(data)))
  } catch {
    return undefined
  }
}
