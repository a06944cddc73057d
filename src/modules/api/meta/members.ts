// Schemas of the OpenAPI document as rows of a table: every member with its type and bounds, those of nested objects below. Pure.

import type { NamedSchemas, Schema } from '../../../http/openapi/schema'

export interface Member {
  /** `attachments[].filename` */
  path: string
  type: string
  required: boolean
  notes: string
}

/** Deeper than anybody reads; what goes deeper is free form. */
const deepest = 4

/** What a schema refers to: the named one, where it only names one. */
export function resolved(schema: Schema, schemas: NamedSchemas): Schema {
  const name = nameOf(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}

function nameOf({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined
}

export function membersOf(schema: Schema, schemas: NamedSchemas): Member[] {
  return below(schema, schemas, '', [])
}

function below(schema: Schema, schemas: NamedSchemas, prefix: string, names: readonly string[]): Member[] {
  const name = nameOf(schema)
  // A schema in itself is shown once.
  if (names.length >= deepest || (name !== undefined && names.includes(name))) return []
  const { properties = {}, required = [] } = resolved(schema, schemas) as {
    properties?: NamedSchemas
    required?: string[]
  }
  const within = [...names, name ?? prefix]
  return Object.entries(properties).flatMap(([key, member]) => {
    const path = `${prefix}${key}`
    const { inner, ending } = innerOf(member, schemas)
    return [
      memberOf(path, member, required.includes(key), schemas),
      ...(inner ? below(inner, schemas, `${path}${ending}.`, within) : []),
    ]
  })
}

/** The object in a member: itself, the items of a list, or the one of a choice with null. */
function innerOf(member: Schema, schemas: NamedSchemas, ending = ''): { inner?: Schema; ending: string } {
  const seen = resolved(member, schemas)
  if (seen['properties']) return { inner: member, ending }
  if (seen['items']) return innerOf(seen['items'] as Schema, schemas, `${ending}[]`)
  const choices = ((seen['anyOf'] ?? seen['oneOf'] ?? []) as Schema[]).map(each =>
    innerOf(each, schemas, ending),
  )
  const objects = choices.filter(({ inner }) => inner)
  return objects.length === 1 ? objects[0]! : { ending }
}

function notesOf(schema: Schema): string {
  const [said, bound] = [String(schema['description'] ?? ''), bounds(schema)]
  if (!said || !bound) return said || bound
  return said.endsWith('.') ? `${said} ${capital(bound)}.` : `${said}; ${bound}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Each pair of bounds with what it counts. */
const ranges = [
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minimum', 'maximum', ''],
] as const

function bounds(schema: Schema): string {
  const said = ranges.map(([min, max, unit]) => range(schema[min], schema[max], unit))
  if (schema['default'] !== undefined) said.push(`default ${readable(schema['default'])}`)
  return said.filter(Boolean).join(', ')
}

/** `1 to 998 characters` */
function range(min: unknown, max: unknown, unit: string): string {
  const [least, most] = [readable(min), readable(max)]
  if (min === undefined) return max === undefined ? '' : `at most ${most}${unit}`
  if (max === undefined) return `at least ${least}${unit}`
  return min === max ? `${least}${unit}` : `${least} to ${most}${unit}`
}

/** `20,000,000` */
function readable(bound: unknown): string {
  return typeof bound === 'number' ? bound.toLocaleString('en') : String(bound)
}

export function typeOf(asked: Schema, schemas: NamedSchemas): string {
  const schema = resolved(asked, schemas)
  const union = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
  if (union) return [...new Set(union.map(each => typeOf(each, schemas)))].join(' or ')
  if (Array.isArray(schema['enum'])) return schema['enum'].map(value => JSON.stringify(value)).join(' or ')
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as Schema, schemas)}`
  const type = [schema['type'] ?? 'any'].flat().join(' or ')
  return schema['format'] ? `${type} (${String(schema['format'])})` : type
}

export function memberOf(path: string, schema: Schema, required: boolean, schemas: NamedSchemas): Member {
  return { path, type: typeOf(schema, schemas), required, notes: notesOf(schema) }
}
