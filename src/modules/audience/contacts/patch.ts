// What the `data` of a request means for a contact: which keys it sets, which it removes, and which hold for this send or event
// only. Applied in SQL, so that two requests that patch different keys at the same time both take effect. Pure.
import type { FieldError } from '../../../lib/errors'
import { deepestData } from '../../../lib/free-form'
import { isReservedKey } from './fields'

export type ContactData = Record<string, unknown>

export interface DataPatch {
  /** Keys to store with their values, none of them null. */
  set: ContactData
  /** Keys to remove; none of them is in `set`. */
  remove: string[]
  /** Values of `{value, persistent: false}`: seen by this send or event, never stored. */
  transient: ContactData
}

export const dataLimits = {
  /** Bytes of the whole as JSON; also the bound of what one contact stores. */
  bytes: 65_536,
  keys: 500,
  keyLength: 255,
  depth: deepestData,
} as const

export const emptyPatch: DataPatch = { set: {}, remove: [], transient: {} }

/** Sorts the keys of `data` by what is to be done with them, or reports every fault. `field` is how the faults name it. */
export function parsePatch(data: ContactData, field = 'data'): DataPatch | FieldError[] {
  const faults = findFaults(data, field)
  if (faults.length > 0) return faults
  const patch: DataPatch = { set: bare(), remove: [], transient: bare() }
  for (const [key, value] of Object.entries(data)) {
    if (isReservedKey(key) || value === '' || value === undefined) continue
    if (value === null) patch.remove.push(key)
    else if (isTransient(value)) patch.transient[key] = value.value
    else patch.set[key] = value
  }
  return patch
}

/** The patch that has the effect of `first` and then `second`. */
export function mergePatches(first: DataPatch, second: DataPatch): DataPatch {
  const set = Object.assign(bare(), first.set)
  for (const key of second.remove) delete set[key]
  Object.assign(set, second.set)
  const remove = new Set([...first.remove, ...second.remove].filter(key => !Object.hasOwn(set, key)))
  return { set, remove: [...remove], transient: Object.assign(bare(), first.transient, second.transient) }
}

/** An object without a prototype, which holds any key as its own. */
function bare(): ContactData {
  return Object.create(null) as ContactData
}

function isTransient(value: unknown): value is { value: unknown; persistent: false } {
  return isObject(value) && Object.hasOwn(value, 'value') && value['persistent'] === false
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function findFaults(data: ContactData, field: string): FieldError[] {
  const keys = Object.keys(data)
  if (keys.length > dataLimits.keys) return [tooManyKeys(field)]
  const faults = keys.flatMap(
    key => keyFault(key, field) ?? valueFault(data[key], `${field}.${key}`, 1) ?? [],
  )
  if (faults.length > 0) return faults
  if (Buffer.byteLength(JSON.stringify(data)) > dataLimits.bytes) return [tooLarge(field)]
  return []
}

/** Also how a breach of the database's own bound on the stored data is reported. */
export function tooLarge(field = 'data'): FieldError {
  return { field, message: `Must be at most ${dataLimits.bytes} bytes as JSON`, code: 'too_big' }
}

/** The same of the bound on how many keys a contact has. */
export function tooManyKeys(field = 'data'): FieldError {
  return { field, message: `Must have at most ${dataLimits.keys} keys`, code: 'too_big' }
}

function keyFault(key: string, field: string): FieldError | undefined {
  if (key === '') return { field: `${field}.`, message: 'A key must not be empty', code: 'too_small' }
  if (key.length > dataLimits.keyLength) {
    const message = `A key must be at most ${dataLimits.keyLength} characters long`
    return { field: `${field}.${key.slice(0, 40)}…`, message, code: 'too_big' }
  }
  return isStorable(key) ? undefined : unstorable(field)
}

/** Recursion ends at the depth limit, so that nesting alone can't break it. */
function valueFault(value: unknown, field: string, depth: number): FieldError | undefined {
  if (typeof value === 'string') {
    // Of megabytes nothing else is looked at: that takes long.
    if (value.length > dataLimits.bytes) return tooLarge(field.split('.', 1)[0])
    return isStorable(value) ? undefined : unstorable(field)
  }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : notFinite(field)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > dataLimits.depth)
    return { field, message: `Must be nested at most ${dataLimits.depth} levels deep`, code: 'too_big' }
  for (const [key, child] of Object.entries(value)) {
    const fault = isStorable(key) ? valueFault(child, `${field}.${key}`, depth + 1) : unstorable(field)
    if (fault) return fault
  }
  return undefined
}

/** PostgreSQL's jsonb holds neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function unstorable(field: string): FieldError {
  return { field, message: 'Must not contain NUL characters or broken Unicode', code: 'invalid_string' }
}

/** `1e999` is valid JSON but not a number that can be kept; as JSON it would come out as null. */
function notFinite(field: string): FieldError {
  return { field, message: 'Must be a number of ordinary size', code: 'too_big' }
}
