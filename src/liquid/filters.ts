// Filters that do something else here than in liquidjs, depending on where the template is rendered to.
import { type Context, filters, toValue } from 'liquidjs'
import { dateFilters } from './dates'
import { textOfMarkup } from './markup'
import { Markup, printValue, type RenderMode } from './output'

type FilterThis = { context: Context }
type FilterFunction = (this: FilterThis, value: unknown, ...rest: unknown[]) => unknown
type Replaced = Record<string, FilterFunction | { raw: true; handler: FilterFunction }>

const escaping = ['escape', 'xml_escape', 'escape_once']

/** In HTML what these make is HTML; in a text part there is nothing to escape. */
export function replacedFilters(mode: RenderMode): Replaced {
  const dates = dateFilters()
  if (mode === 'html')
    return Object.fromEntries([
      ...Object.entries(dates),
      ...escaping.map(name => [name, makingMarkup(filters[name] as FilterFunction)]),
      ['newline_to_br', makingMarkup(breakLines)],
    ])
  if (mode !== 'text') return dates
  return {
    ...dates,
    ...Object.fromEntries([...escaping, 'newline_to_br'].map(name => [name, toValue])),
    raw: { raw: true, handler: value => (typeof value === 'string' ? textOfMarkup(value) : value) },
  }
}

function makingMarkup(original: FilterFunction): FilterFunction {
  return function (this: FilterThis, value) {
    return new Markup(String(original.call(this, value)))
  }
}

function breakLines(this: FilterThis, value: unknown): unknown {
  const text = toValue(value)
  const html = value instanceof Markup ? text : printValue(text, 'html')
  return (filters['newline_to_br'] as FilterFunction).call(this, html)
}
