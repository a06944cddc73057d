// Turns what TypeBox says about a value into the field errors of the interface: dot paths, the documented codes, one item per
// field, unions unwrapped. Pure.
import { Kind } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { filterDateFormat, filterIdFormat, filterWordFormat, queryTextFormat } from '../lib/described'
import type { FieldError } from '../lib/errors'
import { allowedValues, unwrapUnions } from './union'

/** A list of more faulty fields than this helps nobody. */
const maxItems = 50

/** Where the value came from: in a query or a path everything is text at first. */
export type ValueSource = 'json' | 'text'

/** One item per faulty field, in the order of the schema. */
export function fieldErrors(errors: Iterable<ValueError>, source: ValueSource = 'json'): FieldError[] {
  const items = new Map<string, FieldError>()
  for (const found of unwrapUnions(take(errors, 500))) {
    const error = source === 'text' ? asNumber(found) : found
    const field = dotPath(error.path)
    if (!items.has(field)) items.set(field, toItem(field, error))
    if (items.size >= maxItems) break
  }
  return [...items.values()]
}

/** A query's text that reads as a number was refused as text because the number itself broke a bound: that bound is the fault. */
function asNumber(error: ValueError): ValueError {
  const { type, value, schema, path } = error
  if (type !== ValueErrorType.Integer && type !== ValueErrorType.Number) return error
  if (typeof value !== 'string' || value.trim() === '' || Number.isNaN(Number(value))) return error
  const [inner] = [...Value.Errors(schema, Number(value))]
  return inner ? { ...inner, path } : error
}

/** `/to/0/email` -> `to.0.email`; JSON Pointer's escapes are undone. */
function dotPath(pointer: string): string {
  return pointer
    .replace(/^\//, '')
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

function toItem(field: string, error: ValueError): FieldError {
  const own = ownMessage(error)
  const { code, message } = describe(error)
  const item: FieldError = { field, message: own ?? message, code }
  return code === 'invalid_type' ? { ...item, received: typeName(error.value) } : item
}

/** A schema may carry its own sentence as `error`. */
function ownMessage(error: ValueError): string | undefined {
  return typeof error.schema.error === 'string' ? error.schema.error : undefined
}

interface Description {
  code: string
  message: string
}

function describe(error: ValueError): Description {
  if (error.value === undefined) return { code: 'invalid_type', message: 'Required' }
  const { type, schema } = error
  switch (type) {
    case ValueErrorType.StringFormat:
    case ValueErrorType.StringFormatUnknown:
      return format(String(schema.format), error)
    case ValueErrorType.StringPattern:
    case ValueErrorType.RegExp:
      return { code: 'invalid_string', message: expectedForm(schema) }
    case ValueErrorType.StringMinLength:
      return { code: 'too_small', message: `Must be at least ${characters(schema.minLength)} long` }
    case ValueErrorType.StringMaxLength:
      return { code: 'too_big', message: `Must be at most ${characters(schema.maxLength)} long` }
    case ValueErrorType.ArrayMinItems:
      return { code: 'too_small', message: `Must have at least ${schema.minItems} item(s)` }
    case ValueErrorType.ArrayMaxItems:
      return { code: 'too_big', message: `Must have at most ${schema.maxItems} item(s)` }
    case ValueErrorType.ObjectMinProperties:
      return { code: 'too_small', message: `Must have at least ${schema.minProperties} field(s)` }
    case ValueErrorType.ObjectMaxProperties:
      return { code: 'too_big', message: `Must have at most ${schema.maxProperties} field(s)` }
    case ValueErrorType.ObjectAdditionalProperties:
      return { code: 'unrecognized_keys', message: 'Is not a known field' }
    case ValueErrorType.Kind:
      return kind(error)
    case ValueErrorType.Literal:
    case ValueErrorType.Union:
      return choice(error)
    default:
      return numeric(error) ?? wrongType(error)
  }
}

/** In words or by examples: a pattern tells people nothing. */
function expectedForm({ enum: words, examples }: ValueError['schema']): string {
  if (Array.isArray(words)) return `Must be one of: ${words.join(', ')}`
  if (!Array.isArray(examples)) return 'Has characters or a form that is not allowed'
  return `Must look like ${examples.join(' or ')}`
}

/** Numbers and dates share their bounds' names. */
function numeric({ type, schema }: ValueError): Description | undefined {
  const name = ValueErrorType[type]
  if (name?.endsWith('ExclusiveMinimum'))
    return { code: 'too_small', message: `Must be greater than ${schema.exclusiveMinimum}` }
  if (name?.endsWith('ExclusiveMaximum'))
    return { code: 'too_big', message: `Must be less than ${schema.exclusiveMaximum}` }
  if (name?.endsWith('Minimum')) return { code: 'too_small', message: `Must be at least ${schema.minimum}` }
  if (name?.endsWith('Maximum')) return { code: 'too_big', message: `Must be at most ${schema.maximum}` }
  if (name?.endsWith('MultipleOf'))
    return { code: 'custom', message: `Must be a multiple of ${schema.multipleOf}` }
  if (type === ValueErrorType.ArrayUniqueItems)
    return { code: 'custom', message: 'Must not hold the same item twice' }
  return undefined
}

/** Formats by which a query's text stands for another type. */
const typedFormats: Record<string, string> = {
  numeric: 'number',
  integer: 'integer',
  boolean: 'boolean',
  ObjectString: 'object',
  ArrayString: 'array',
}

/** A filter of a list that names what does not exist; it is 400, and not 422 like a faulty member of a body. */
export const unknownFilter = 'invalid_enum_value'

const formatMessages: Record<string, string> = {
  email: 'Must be an e-mail address',
  uuid: 'Must be a UUID',
  'date-time': 'Must be a date and time in ISO 8601',
  date: 'Must be a date in ISO 8601',
  uri: 'Must be a URL',
}

function format(name: string, error: ValueError): Description {
  if (name.startsWith(queryTextFormat)) {
    const most = Number(name.slice(queryTextFormat.length))
    return { code: 'too_big', message: `Must be at most ${characters(most)} long` }
  }
  if (name.startsWith(filterWordFormat)) {
    const words = name.slice(filterWordFormat.length).trim().replaceAll(' ', ', ')
    return { code: unknownFilter, message: `Must be one of: ${words}` }
  }
  if (name === filterIdFormat) return { code: unknownFilter, message: 'Must be a UUID' }
  if (name === filterDateFormat)
    return {
      code: unknownFilter,
      message: 'Must be a date in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    }
  const type = typedFormats[name]
  if (type) return { code: 'invalid_type', message: `Expected ${type}, received ${typeName(error.value)}` }
  return { code: 'invalid_string', message: formatMessages[name] ?? `Must be in the format ${name}` }
}

/** Elysia's own kinds are files and the like. */
function kind(error: ValueError): Description {
  if (/^Files?$/.test(String(error.schema[Kind])) && error.value instanceof Blob)
    return { code: 'too_big', message: 'The file is too large or of a type that is not allowed' }
  return wrongType(error)
}

function choice(error: ValueError): Description {
  const allowed = allowedValues(error)
  if (!allowed) return wrongType(error)
  const list = allowed.map(value => (value === null ? 'null' : String(value))).join(', ')
  return { code: 'invalid_enum_value', message: `Must be one of: ${list}` }
}

function wrongType(error: ValueError): Description {
  return {
    code: 'invalid_type',
    message: `Expected ${expectedType(error.schema)}, received ${typeName(error.value)}`,
  }
}

function expectedType(schema: ValueError['schema']): string {
  if (Array.isArray(schema.anyOf)) {
    const names = schema.anyOf.map((branch: ValueError['schema']) => expectedType(branch))
    return [...new Set(names)].join(' or ')
  }
  if (typeof schema.type === 'string') return schema.type
  return schema.const === undefined ? 'another value' : JSON.stringify(schema.const)
}

/** The name of a value's JSON type. */
function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function characters(count: unknown): string {
  return `${count} character${count === 1 ? '' : 's'}`
}

function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let taken = 0
  for (const item of items) {
    if (taken++ >= count) return
    yield item
  }
}
