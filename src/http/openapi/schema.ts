// Schemas of requests and answers as the OpenAPI document shows them: plain JSON Schema. What the framework adds to read numbers from
// text is removed again, unions of words become enums, and what has a title becomes a named schema. Pure.
import { namedSchema } from '../../lib/described'

export type Schema = Record<string, unknown>
export type NamedSchemas = Record<string, Schema>

/** Keywords that mean the same to a client; whatever else a schema carries is our own. */
const keywords = [
  ...[
    '$ref',
    'type',
    'description',
    'format',
    'pattern',
    'const',
    'enum',
    'required',
    'examples',
    'additionalProperties',
  ],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'uniqueItems', 'deprecated'],
  'x-waxwing-addition',
] as const

/** Formats that clients know; those of the framework stand for other types. */
const formats = ['uuid', 'email', 'date', 'date-time', 'uri', 'binary']

/** The schema as it is shown; named ones are put into `named` and referred to. */
export function describeSchema(given: Schema, named: NamedSchemas): Schema {
  const inner = given['describedAs']
  if (inner) return describeSchema(inner as Schema, named)
  const { title, ...schema } = given
  const shown = describeWhole(schema, named)
  if (typeof title !== 'string') return shown
  if (named[title] && !Bun.deepEquals(named[title], shown))
    throw new Error(`two schemas of the OpenAPI document have the title ${title}`)
  named[title] = shown
  return namedSchema(title)
}

function describeWhole(schema: Schema, named: NamedSchemas): Schema {
  const own: Schema = {}
  for (const keyword of keywords) if (schema[keyword] !== undefined) own[keyword] = schema[keyword]
  if (typeof own['format'] === 'string' && !formats.includes(own['format'])) delete own['format']
  if (schema['type'] === 'number' && schema['multipleOf'] === 1) own['type'] = 'integer'
  // The framework closes each object once its route has been called, and takes unknown members off instead of refusing them.
  if (own['additionalProperties'] === false && !schema['refusesUnknown']) delete own['additionalProperties']
  return { ...parts(schema, named), ...union(schema, named), ...own }
}

/** Members and items. An object with free keys is described by the schema of its values. */
function parts(schema: Schema, named: NamedSchemas): Schema {
  const { properties, items, patternProperties } = schema as Record<
    string,
    Record<string, Schema> | undefined
  >
  const values = patternProperties && Object.values(patternProperties)[0]
  return {
    ...(properties ? { properties: mapValues(properties, each => describeSchema(each, named)) } : {}),
    ...(items ? { items: describeSchema(items as Schema, named) } : {}),
    ...(values ? { additionalProperties: anything(describeSchema(values, named)) } : {}),
  }
}

/** Generators take `{}` for an object without members. */
function anything(schema: Schema): Schema | true {
  return Object.keys(schema).length === 0 ? true : schema
}

function union({ anyOf }: Schema, named: NamedSchemas): Schema {
  if (!Array.isArray(anyOf)) return {}
  const branches = anyOf.filter(branch => !isReadFromText(branch, anyOf))
  const shown = branches.map(branch => describeSchema(branch, named))
  if (shown.length === 1) return shown[0]!
  return asEnum(shown) ?? asNullable(shown) ?? { anyOf: shown }
}

/** The framework's number types take text as well; in JSON that is not meant, and in a query everything is text. */
function isReadFromText({ type, format }: Schema, branches: Schema[]): boolean {
  return (
    type === 'string' && ['integer', 'numeric', 'boolean'].includes(String(format)) && branches.length > 1
  )
}

function asEnum(branches: Schema[]): Schema | undefined {
  const words = branches.filter(branch => typeof branch['const'] === 'string')
  const others = branches.filter(branch => branch['const'] === undefined)
  if (words.length === 0 || words.length + others.length < branches.length) return undefined
  const described = words.filter(word => word['description'])
  const about = described.map(word => `${word['const']}: ${word['description']}`).join('. ')
  const schema = {
    type: 'string',
    enum: words.map(word => word['const']),
    ...(about ? { description: about } : {}),
  }
  return others.length === 0 ? schema : (asNullable([schema, ...others]) ?? { anyOf: [schema, ...others] })
}

/** `type: [T, 'null']` is what generators read best; a named schema needs the union. */
function asNullable(branches: Schema[]): Schema | undefined {
  const [first, last] = branches
  if (branches.length !== 2 || last?.['type'] !== 'null' || typeof first?.['type'] !== 'string')
    return undefined
  const words = Array.isArray(first['enum']) ? { enum: [...first['enum'], null] } : {}
  return { ...first, ...words, type: [first['type'], 'null'] }
}

function mapValues<T, U>(values: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))
}
