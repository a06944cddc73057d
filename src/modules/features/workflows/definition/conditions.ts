// CONDITION steps in their two short forms: one comparison (yes or no), and one field against a list of branches. The third form, a
// filter tree, works as in segments. Only here can values of the execution's context be compared. Pure.
import { matchesDateText } from '../../../../filters/match'
import type { InequalityOperator as Order } from '../../../../filters/predicate'
import type { comparisons } from '../../../../filters/read'
import { isoInstant } from '../../../../filters/values'
import { partOfAddress } from '../../../../lib/address'
import type { Values } from '../words'

export type ComparisonOperator = (typeof comparisons)[number]

export interface Comparison {
  operator: ComparisonOperator
  value?: unknown
}

export interface Branch extends Comparison {
  id: string
  name: string
}

export type Condition =
  | ({ form: 'single'; field: string } & Comparison)
  | { form: 'multi'; field: string; branches: Branch[] }
  | { form: 'tree'; tree: unknown }

/** The branches decide where the mode is missing. */
export function isMultiCondition({ mode, operator, branches }: Values): boolean {
  return mode === 'multi' || (mode === undefined && operator === undefined && Array.isArray(branches))
}

/** Ids of the branches that a configuration names, whatever else is wrong with it. */
export function multiBranches({ branches }: Values): string[] {
  if (!Array.isArray(branches)) return []
  return branches.flatMap(branch => (typeof branch?.id === 'string' ? [branch.id] : []))
}

export interface Compared {
  contact: { email: string; subscribed: boolean; data: Values; createdAt?: Date; updatedAt?: Date }
  context: Values
}

/** The value of a field; undefined if there is none. */
export function fieldValue(field: string, { contact, context }: Compared): unknown {
  const bare = field.startsWith('contact.') ? field.slice('contact.'.length) : field
  if (bare === 'email') return contact.email
  if (bare === 'subscribed') return contact.subscribed
  if (bare === 'createdAt') return contact.createdAt?.toISOString()
  if (bare === 'updatedAt') return contact.updatedAt?.toISOString()
  if (bare.startsWith('data.')) return valueAt(contact.data, bare.slice('data.'.length))
  const own = /^(?:event|workflow)\.(.+)$/s.exec(field)?.[1]
  return own === undefined ? undefined : unwrap(valueAt(context, own))
}

/** Whether a field can be compared at all; if not, the configuration is faulty. */
export function isComparable(field: string): boolean {
  return (
    /^(contact\.)?(email|subscribed|createdAt|updatedAt|data\.[\s\S]+)$/.test(field) ||
    /^(event|workflow)\.[\s\S]+$/.test(field)
  )
}

/** The literal key wins where there is one, then the path. */
function valueAt(values: Values, key: string): unknown {
  if (Object.hasOwn(values, key)) return values[key]
  let value: unknown = values
  for (const name of key.split('.')) {
    const inner = unwrap(value)
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return undefined
    value = (inner as Values)[name]
  }
  return value
}

/** `{value, persistent: false}` stands for its value. */
function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { persistent, value: inner } = value as Values
  return persistent === false && Object.hasOwn(value, 'value') ? inner : value
}

/** A missing value passes no comparison except `notExists`. Addresses are compared in their one spelling. */
export function compares(field: string, actual: unknown, { operator, value }: Comparison): boolean {
  const isThere = actual !== undefined && actual !== null
  if (operator === 'exists') return isThere
  if (operator === 'notExists') return !isThere
  if (!isThere) return operator === 'equals' && (value === null || value === undefined)
  const isAddress = /^(contact\.)?email$/.test(field)
  const spelled = (one: unknown): unknown => (isAddress && typeof one === 'string' ? partOfAddress(one) : one)
  return holds(operator, spelled(actual), spelled(value))
}

function holds(
  operator: Exclude<ComparisonOperator, 'exists' | 'notExists'>,
  actual: unknown,
  value: unknown,
): boolean {
  switch (operator) {
    case 'equals':
      return actual === value
    case 'notEquals':
      return actual !== value
    case 'contains':
      return text(actual).includes(text(value))
    case 'notContains':
      return !text(actual).includes(text(value))
    default:
      return isInOrder(operator, actual, value)
  }
}

/** By time where both are dates, as in a filter tree, otherwise by number. */
function isInOrder(operator: Order, actual: unknown, value: unknown): boolean {
  const at = typeof value === 'string' ? isoInstant(value) : undefined
  if (at) return typeof actual === 'string' && matchesDateText(actual, operator, at)
  switch (operator) {
    case 'greaterThan':
      return number(actual) > number(value)
    case 'lessThan':
      return number(actual) < number(value)
    case 'greaterThanOrEqual':
      return number(actual) >= number(value)
    case 'lessThanOrEqual':
      return number(actual) <= number(value)
  }
}

function text(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Texts that read as numbers count as such; anything else passes no comparison. */
function number(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}
