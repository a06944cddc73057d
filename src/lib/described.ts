// What the OpenAPI document says about a schema beyond what the schema checks. A `title` makes a schema a named one of the document.
import { FormatRegistry, type TSchema, Type } from '@sinclair/typebox'
import { isUuid } from './ids'
import { parseDate } from './time'

/**
 * `schema` as the document shows it: `shown`, which says what is meant, where the check itself is wider, because its faults are
 * reported in sentences of their own or because what can't be understood falls back to a default.
 */
export function describedAs<T extends TSchema>(schema: T, shown: object): T {
  return { ...schema, describedAs: shown }
}

/** The same for an object whose `members` must be there, though the schema lets them be missing. */
export function describedWith<T extends TSchema>(schema: T, ...members: string[]): T {
  return describedAs(schema, { ...schema, required: [...(schema['required'] ?? []), ...members] })
}

/** One of `words`. */
export function oneOfWords<T extends string>(words: readonly T[], options: object = {}) {
  return Type.Unsafe<T>(
    Type.Union(
      words.map(word => Type.Literal(word)),
      options,
    ),
  )
}

/** A named schema of the document, which is defined elsewhere. */
export function namedSchema(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * A text of a query. Its length is counted in characters as people see them in an address, and not in UTF-16 units as the validator
 * counts `maxLength`.
 */
export function queryText(maxLength: number, description: string) {
  const format = `${queryTextFormat}${maxLength}`
  if (!FormatRegistry.Has(format)) FormatRegistry.Set(format, text => isAtMost(text, maxLength))
  return describedAs(Type.String({ format }), { type: 'string', maxLength, description })
}

/** What the names of these formats begin with; a number follows. */
export const queryTextFormat = 'characters-'

function isAtMost(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength)
}

/** A cursor of any length: one that is not ours is 400, whatever is wrong with it. */
export const cursorParameter = describedAs(Type.String(), {
  type: 'string',
  maxLength: 2_000,
  description: 'The cursor of the previous page',
})

/** Any text in a query; `words` are those that mean something. */
export function wordText(words: readonly string[], description: string) {
  return describedAs(queryText(100, description), { type: 'string', enum: words, description })
}

/** What the names of these formats begin with; the words follow, with blanks between. */
export const filterWordFormat = 'one-of '

/** A word of a query that narrows a list: any other is refused, because a list that ignored it would answer another question. */
export function filterWord(words: readonly string[], description: string) {
  const format = filterWordFormat + words.join(' ')
  // Clients send members that they have no value for.
  if (!FormatRegistry.Has(format)) FormatRegistry.Set(format, text => text === '' || words.includes(text))
  return describedAs(Type.String({ format }), { type: 'string', enum: words, description })
}

/** Several of them, separated by commas. */
export function filterWords(words: readonly string[], description: string) {
  const format = `${filterWordFormat}${words.join(' ')} `
  const isKnown = (text: string): boolean =>
    text.split(',').every(part => part.trim() === '' || words.includes(part.trim()))
  if (!FormatRegistry.Has(format)) FormatRegistry.Set(format, isKnown)
  return describedAs(Type.String({ format, maxLength: 1_000 }), {
    type: 'string',
    maxLength: 1_000,
    description,
  })
}

/** True or false, as a filter. */
export function filterSwitch(description: string) {
  const schema = filterWord(['true', 'false'], description)
  return describedAs(schema, { type: 'boolean', description })
}

/** A moment or a day in ISO 8601, as a filter. */
export const filterDateFormat = 'a-date'
FormatRegistry.Set(filterDateFormat, text => text === '' || parseDate(text) !== undefined)

export function filterDate(description: string) {
  const schema = Type.String({ format: filterDateFormat, maxLength: 100 })
  return describedAs(schema, { type: 'string', maxLength: 100, description })
}

/** The id of a thing, as a filter: what can't be one would find nothing, which is no answer. */
export const filterIdFormat = 'an-id'
FormatRegistry.Set(filterIdFormat, text => text === '' || isUuid(text))

export function filterId(description: string) {
  return describedAs(Type.String({ format: filterIdFormat }), { type: 'string', format: 'uuid', description })
}

/** Any text in a query; what is not a number counts as the default. */
export function countText(description: string) {
  return describedAs(queryText(100, description), { type: 'integer', minimum: 1, description })
}

/** The text of an address, whose form is checked where it is used. */
export function addressText(options: object = {}) {
  const schema = Type.String({ maxLength: 320, examples: ['ada@example.com'], ...options })
  return describedAs(schema, { ...schema, format: 'email' })
}

/** The text of an instant, whose form is checked where it is used. */
export function instantText(options: object = {}) {
  const schema = Type.String({ maxLength: 100, examples: ['2030-01-31T09:00:00Z'], ...options })
  return describedAs(schema, { ...schema, format: 'date-time' })
}

/** How serious what a check found is. */
export const findingLevels = ['ok', 'warn', 'fail'] as const
