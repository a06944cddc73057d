// Names and types of custom fields: which keys a request may not set, and what type a field has by the first value seen. Pure.
import { datePattern } from '../../../lib/time'
import type { FieldType } from './schema'

/** Keys that are silently dropped from `data`: Waxwing fills them in itself when it renders. */
export const reservedKeys: ReadonlySet<string> = new Set([
  'id',
  'svc_id',
  'svc_email',
  'email',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  // Not a name that a JavaScript object can carry safely.
  '__proto__',
])

export function isReservedKey(key: string): boolean {
  return reservedKeys.has(key)
}

const dateExpression = new RegExp(datePattern)

/** The type a field gets when `value` is the first one seen; objects and arrays count as strings. Null decides nothing. */
export function inferType(value: unknown): FieldType | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' && dateExpression.test(value) ? 'date' : 'string'
}

/** The standard fields, which every contact has. */
export const standardFields: ReadonlyArray<{ field: string; type: FieldType }> = [
  { field: 'createdAt', type: 'date' },
  { field: 'email', type: 'string' },
  { field: 'subscribed', type: 'boolean' },
  { field: 'updatedAt', type: 'date' },
]

export function isStandardField(field: string): boolean {
  return standardFields.some(standard => standard.field === field)
}

/** `data.plan` and `plan` both name the custom field `plan`. */
export function customFieldName(field: string): string {
  return field.startsWith('data.') ? field.slice('data.'.length) : field
}
