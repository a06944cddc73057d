// The filter tree of segments, campaign audiences and workflow conditions: reads what a client sent, reports every fault, and returns
// the tree in its stored spelling together with the predicate that it means. Pure.
import type { FieldError } from '../lib/errors'
import { readLeaf } from './leaf'
import type { Predicate } from './predicate'
import { isObject, type Scalar } from './values'

/** Those that look at a single value: without a clock, and without other tables. */
export const comparisons = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'exists',
  'notExists',
] as const

export const operators = [
  ...comparisons,
  'within',
  'olderThan',
  'triggered',
  'triggeredWithin',
  'triggeredOlderThan',
  'notTriggered',
  'notTriggeredWithin',
  'memberOfSegment',
  'notMemberOfSegment',
] as const
export type Operator = (typeof operators)[number]

export const units = ['days', 'hours', 'minutes'] as const
export type Unit = (typeof units)[number]

export interface Filter {
  field: string
  operator: Operator
  value?: Scalar
  unit?: Unit
}

/** All conditions of a group have to hold. */
export interface FilterGroup {
  filters: Filter[]
  conditions?: FilterCondition
}

/** `logic` joins the groups. */
export interface FilterCondition {
  logic: 'AND' | 'OR'
  groups: FilterGroup[]
}

export const filterLimits = {
  depth: 10,
  filters: 100,
  groups: 100,
  fieldLength: 500,
  valueLength: 2_000,
} as const

export interface ReadFilter {
  /** The tree with its known members only, as it is stored and answered. */
  condition: FilterCondition
  predicate: Predicate
}

export type FilterReading = ReadFilter | { faults: FieldError[] }

/** `field` is how the faults name the tree. */
export function readFilter(input: unknown, field = 'condition'): FilterReading {
  const reading: Reading = { faults: [], filters: 0, groups: 0 }
  const read = readCondition(reading, input, field, 1)
  return read && reading.faults.length === 0 ? read : { faults: reading.faults }
}

/** The predicate of a stored tree, which was read before it was stored. */
export function storedPredicate(condition: FilterCondition): Predicate {
  const reading = readFilter(condition)
  if ('faults' in reading) throw new Error(`a stored condition is faulty: ${reading.faults[0]?.message}`)
  return reading.predicate
}

interface Reading {
  faults: FieldError[]
  filters: number
  groups: number
}

/** Nobody is helped by more faults than this, and a tree that is too large is not read to its end. */
const maxFaults = 20

function fault(reading: Reading, field: string, message: string, code = 'custom'): undefined {
  reading.faults.push({ field, message, code })
}

function isOver(reading: Reading): boolean {
  return (
    reading.faults.length >= maxFaults ||
    reading.filters > filterLimits.filters ||
    reading.groups > filterLimits.groups
  )
}

function readCondition(
  reading: Reading,
  input: unknown,
  path: string,
  depth: number,
): ReadFilter | undefined {
  if (!isObject(input)) return fault(reading, path, 'Condition must be an object', 'invalid_type')
  if (depth > filterLimits.depth)
    return fault(
      reading,
      path,
      `Conditions must be nested at most ${filterLimits.depth} levels deep`,
      'too_big',
    )
  const { logic, groups } = input
  if (logic !== 'AND' && logic !== 'OR')
    return fault(
      reading,
      `${path}.logic`,
      'Condition logic must be either "AND" or "OR"',
      'invalid_enum_value',
    )
  if (!Array.isArray(groups) || groups.length === 0)
    return fault(reading, `${path}.groups`, 'Condition must have at least one group', 'too_small')
  const read: ReadGroup[] = []
  for (const [index, group] of groups.entries()) {
    const part = readGroup(reading, group, `${path}.groups.${index}`, depth)
    if (part) read.push(part)
    if (isOver(reading)) break
  }
  return {
    condition: { logic, groups: read.map(part => part.group) },
    predicate: { kind: logic === 'AND' ? 'every' : 'some', of: read.map(part => part.predicate) },
  }
}

interface ReadGroup {
  group: FilterGroup
  predicate: Predicate
}

function readGroup(reading: Reading, input: unknown, path: string, depth: number): ReadGroup | undefined {
  if (++reading.groups > filterLimits.groups)
    return fault(
      reading,
      path,
      `A condition must have at most ${filterLimits.groups} groups in all`,
      'too_big',
    )
  if (!isObject(input)) return fault(reading, path, 'Group must be an object', 'invalid_type')
  const { filters: given, conditions } = input
  if (!Array.isArray(given))
    return fault(reading, `${path}.filters`, 'Group filters must be an array', 'invalid_type')
  const hasNested = conditions !== undefined && conditions !== null
  if (given.length === 0 && !hasNested)
    return fault(
      reading,
      `${path}.filters`,
      'Group must have at least one filter or nested condition',
      'too_small',
    )
  const group: FilterGroup = { filters: [] }
  const of: Predicate[] = []
  for (const [index, each] of given.entries()) {
    const read = readOne(reading, each, `${path}.filters.${index}`)
    if (read) {
      group.filters.push(read.filter)
      of.push(read.predicate)
    }
    if (isOver(reading)) return undefined
  }
  const nested = hasNested ? readCondition(reading, conditions, `${path}.conditions`, depth + 1) : undefined
  if (nested) {
    group.conditions = nested.condition
    of.push(nested.predicate)
  }
  return { group, predicate: { kind: 'every', of } }
}

function readOne(
  reading: Reading,
  input: unknown,
  path: string,
): { filter: Filter; predicate: Predicate } | undefined {
  if (++reading.filters > filterLimits.filters)
    return fault(
      reading,
      path,
      `A condition must have at most ${filterLimits.filters} filters in all`,
      'too_big',
    )
  if (!isObject(input)) return fault(reading, path, 'Filter must be an object', 'invalid_type')
  const { field, operator, value, unit } = input
  if (typeof field !== 'string' || field === '')
    return fault(reading, `${path}.field`, 'Filter field is required')
  if (typeof operator !== 'string' || operator === '')
    return fault(reading, `${path}.operator`, 'Filter operator is required')
  if (!isOperator(operator))
    return fault(
      reading,
      `${path}.operator`,
      `Invalid operator: ${shorten(operator)}; use one of ${operators.join(', ')}`,
      'invalid_enum_value',
    )
  const tooLong = lengthFault(field, value)
  if (tooLong) return fault(reading, `${path}.${tooLong.member}`, tooLong.message, tooLong.code)
  const predicate = readLeaf(field, operator, value, unit)
  if ('message' in predicate) return fault(reading, `${path}.${predicate.member}`, predicate.message)
  return { filter: storedFilter(field, operator, value, unit), predicate }
}

/** A value that an operator ignores (`exists` with `value: true`) is kept if it is a plain one, so that clients get back the tree they sent. */
function storedFilter(field: string, operator: Operator, value: unknown, unit: unknown): Filter {
  const filter: Filter = { field, operator }
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) filter.value = value as Scalar
  const knownUnit = units.find(each => each === unit)
  if (knownUnit) filter.unit = knownUnit
  return filter
}

function lengthFault(
  field: string,
  value: unknown,
): { member: 'field' | 'value'; message: string; code: string } | undefined {
  const { fieldLength, valueLength } = filterLimits
  if (field.length > fieldLength)
    return { member: 'field', message: `Must be at most ${fieldLength} characters long`, code: 'too_big' }
  if (typeof value === 'string' && value.length > valueLength)
    return { member: 'value', message: `Must be at most ${valueLength} characters long`, code: 'too_big' }
  if (!isStorable(field)) return { member: 'field', ...unstorable }
  return typeof value === 'string' && !isStorable(value) ? { member: 'value', ...unstorable } : undefined
}

const unstorable = {
  message: 'Must not contain NUL characters or broken Unicode',
  code: 'invalid_string',
} as const

/** PostgreSQL holds neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

const known: ReadonlySet<string> = new Set(operators)

function isOperator(text: string): text is Operator {
  return known.has(text)
}

/** A client's text inside a message, cut to a length fit for a log. */
function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
