// The smallest value that a schema of a body takes.
import type { TSchema } from '@sinclair/typebox'

export function smallest(schema: unknown): object | undefined {
  return schema ? (sampleOf(schema as TSchema) as object) : undefined
}

function sampleOf(schema: TSchema): unknown {
  const { type, anyOf, allOf, const: word, enum: words, items, required = [], properties = {} } = schema
  if (word !== undefined) return word
  if (words) return words[0]
  if (anyOf) return sampleOf(anyOf[0])
  if (allOf) return Object.assign({}, ...allOf.map(sampleOf))
  if (type === 'object')
    return Object.fromEntries(required.map((name: string) => [name, sampleOf(properties[name])]))
  if (type === 'array') return Array.from({ length: schema['minItems'] ?? 0 }, () => sampleOf(items))
  if (type === 'string') return textOf(schema)
  if (type === 'boolean') return false
  return type === 'null' ? null : (schema['minimum'] ?? 0)
}

function textOf({ format, minLength = 1 }: TSchema): string {
  if (format === 'email') return 'ada@example.com'
  if (format === 'uuid') return crypto.randomUUID()
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z'
  return 'x'.repeat(minLength)
}
