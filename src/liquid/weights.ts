// What the operations of the template language cost, in units of the meter: filters by their items and the length of their arguments,
// comparisons by what they compare. A filter that is not listed costs the length of everything that it is given.

/** No larger value is written out, sorted or compared in full; larger sums of parts count as this. */
export const largest = 100_000_000

/**
 * The size of a value as text, in characters and items: of texts and lists, with nested lists as often as they occur. Never walks further
 * than `bound`.
 */
export function sizeOf(value: unknown, bound: number = largest): number {
  return measure(value, bound, false).size
}

interface Measure {
  size: number
  depth: number
}

/** The same, objects included, and with the depth. */
function measure(value: unknown, bound: number, walksObjects: boolean): Measure {
  if (typeof value === 'string') return { size: value.length, depth: 0 }
  if (typeof value !== 'object' || value === null) return { size: 1, depth: 0 }
  let size = 0
  let depth = 0
  const waiting: Array<[values: readonly unknown[], depth: number]> = [[[value], 0]]
  while (waiting.length > 0) {
    const [values, level] = waiting.pop()!
    depth = Math.max(depth, level)
    size += values.length
    if (size > bound) return { size: largest, depth }
    for (const item of values) {
      if (typeof item === 'string') size += item.length
      else if (Array.isArray(item)) waiting.push([item, level + 1])
      else if (walksObjects && isPlain(item)) waiting.push([Object.entries(item).flat(), level + 1])
    }
  }
  return { size, depth }
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

/** The most that a filter may walk, so that its cost is known beforehand: more is refused in any case. */
const maxWalked = 3_000_000

type Weight = (value: unknown, args: readonly unknown[]) => number

const text = (value: unknown): number => sizeOf(value, maxWalked)
const items = (value: unknown): number =>
  Array.isArray(value) ? value.length : isPlain(value) ? Object.keys(value).length : 1
const argument = (args: readonly unknown[], index: number): number =>
  args[index] === undefined ? 0 : text(args[index])
const everything: Weight = (value, args) => args.reduce<number>((sum, arg) => sum + text(arg), text(value))

const nothing: Weight = () => 0
const times =
  (factor: number): Weight =>
  (value, args) =>
    factor * everything(value, args)
/** The JavaScript engine's search starts the comparison anew at each similar place: at worst the product of both lengths. */
const searching: Weight = (value, args) => everything(value, args) + (text(value) * argument(args, 0)) / 4_096
/** A path is split and followed for each item. */
const reading: Weight = (value, args) => items(value) * (5 + argument(args, 0))
/** A scope is made for each item, and what is found there is compared with another value. */
const matching: Weight = (value, args) =>
  items(value) * (15 + 2 * argument(args, 0) + argument(args, 1) / 50) + argument(args, 1)
/** An expression is evaluated for each item. */
const evaluating: Weight = (value, args) => (items(value) + 1) * (100 + 5 * argument(args, 1))
const sorting: Weight = (value, args) => {
  const { size } = measure(value, maxWalked, args.length > 0)
  return (10 * items(value) + size) * Math.log2(items(value) + 2) + reading(value, args)
}
/** Each value is on a line of its own, indented by its depth. */
const writing: Weight = (value, args) => {
  const { size, depth } = measure(value, maxWalked, true)
  const indent = Math.min(typeof args[0] === 'string' ? args[0].length : Number(args[0]) || 0, 10)
  return size * (2 + depth * (0.2 + indent)) + argument(args, 0)
}
/** Each letter of the format may need the calendar of a language. */
const dating: Weight = (value, args) => 100 + text(value) + 40 * argument(args, 0) + 10 * argument(args, 1)

const weights: Readonly<Record<string, Weight>> = {
  ...assign(nothing, ['size', 'first', 'last', 'default', 'raw']),
  ...assign((value, args) => 3 * searching(value, args), ['split']),
  ...assign(searching, ['remove', 'remove_first', 'remove_last']),
  ...assign(searching, ['replace', 'replace_first', 'replace_last']),
  ...assign(reading, ['map', 'sum']),
  ...assign(matching, ['where', 'reject', 'group_by', 'has', 'find', 'find_index']),
  ...assign(evaluating, ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp']),
  ...assign(sorting, ['sort', 'sort_natural']),
  ...assign(writing, ['json', 'jsonify', 'inspect']),
  ...assign(dating, ['date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string']),
  ...assign(times(3), ['url_encode', 'url_decode', 'cgi_escape', 'uri_escape', 'escape', 'xml_escape']),
  ...assign(times(3), ['unescape', 'escape_once', 'uniq', 'join', 'array_to_sentence_string']),
  ...assign(times(8), ['slugify', 'sample', 'number_of_words', 'truncatewords']),
}

function assign(weight: Weight, names: readonly string[]): Record<string, Weight> {
  return Object.fromEntries(names.map(name => [name, weight]))
}

/** What a filter costs with this value and these arguments; named arguments are pairs. */
export function filterWeight(name: string, value: unknown, args: readonly unknown[]): number {
  return 1 + (Object.hasOwn(weights, name) ? weights[name]! : everything)(value, args)
}

/** What a comparison costs; nothing worth counting for short texts, numbers and the like. */
export function operatorWeight(name: string, left: unknown, right: unknown): number {
  if (!isLarge(left) && !isLarge(right)) return 0
  if (name !== 'contains') return comparing(left) + comparing(right)
  return Array.isArray(left)
    ? items(left) * (3 + comparing(right))
    : text(left) + (text(left) * text(right)) / 4_096
}

function isLarge(value: unknown): boolean {
  return typeof value === 'string' ? value.length > 100 : Array.isArray(value)
}

function comparing(value: unknown): number {
  return typeof value === 'string' ? value.length / 100 : 3 * text(value)
}

/** The largest list that a filter may make: whatever is later done with it without being charged does not take long. */
const maxListLength = 1_000_000

/** A part of a list takes as much memory as some characters. */
const unitsPerPart = 3

/** What it costs to keep the result of a filter. */
export function resultWeight(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (!Array.isArray(value)) return 0
  const size = sizeOf(value, maxListLength)
  return size > maxListLength ? Number.POSITIVE_INFINITY : size * unitsPerPart
}
