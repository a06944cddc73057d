// What the OpenAPI document says about a schema beyond what the schema checks. A `title` makes a schema a named one of the document.
import { FormatRegistry, type TSchema, Type } from '@sinclair/typebox'

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

/** Any text in a query; what is not a number counts as the default. */
export function countText(description: string) {
  return describedAs(queryText(100, description), { type: 'integer', minimum: 1, description })
}

/** Any text in a query; only true and false mean something. */
export function switchText(description: string) {
  return describedAs(queryText(100, description), { type: 'boolean', description })
}

/** The text of an address, whose form is checked where it is used. */
export function addressText() {
  const schema = Type.String({ maxLength: 320, examples: ['ada@example.com'] })
  return describedAs(schema, { ...schema, format: 'email' })
}

/** How serious what a check found is. */
export const findingLevels = ['ok', 'warn', 'fail'] as const
