// What the OpenAPI document says about a schema beyond what the schema checks. A `title` makes a schema a named one of the document.
import { type TSchema, Type } from '@sinclair/typebox'

/**
 * `schema` as the document shows it: `shown`, which tells what is meant, where the check itself is wider, because its faults are
 * answered in sentences of their own or because what can't be understood falls back.
 */
export function describedAs<T extends TSchema>(schema: T, shown: object): T {
  return { ...schema, describedAs: shown }
}

/** The same for an object whose `members` must be there, though the schema lets them be missing. */
export function describedWith<T extends TSchema>(schema: T, ...members: string[]): T {
  return describedAs(schema, { ...schema, required: [...(schema['required'] ?? []), ...members] })
}

/** A named schema of the document, which stands elsewhere. */
export function namedSchema(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

/** Any text in a query; `words` are those that mean something. */
export function wordText(words: readonly string[], description: string) {
  return describedAs(Type.String({ maxLength: 100 }), { type: 'string', enum: words, description })
}

/** Any text in a query; what is no number falls back. */
export function countText(description: string) {
  return describedAs(Type.String({ maxLength: 100 }), { type: 'integer', minimum: 1, description })
}

/** Any text in a query; only true and false mean something. */
export function switchText(description: string) {
  return describedAs(Type.String({ maxLength: 100 }), { type: 'boolean', description })
}

/** The text of an address, whose form is checked where it is used. */
export function addressText() {
  const schema = Type.String({ maxLength: 320, examples: ['ada@example.com'] })
  return describedAs(schema, { ...schema, format: 'email' })
}
