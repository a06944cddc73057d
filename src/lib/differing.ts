// Reading and writing are inverse: what was read and is put back is no change, whatever its state allows to change.

import { invalid } from './errors'

/**
 * The members of `given` that differ from what is stored, as it is answered; those that are undefined say nothing. Members in one list of
 * `together` say something together: one that differs is read beside the others.
 */
export function differing<T extends object>(
  given: T,
  stored: object,
  together: ReadonlyArray<readonly string[]> = [],
): Partial<T> {
  const members = Object.entries(given).filter(([, value]) => value !== undefined)
  const known = new Map(Object.entries(stored))
  const differs = new Set(
    members.flatMap(([name, value]) => (Bun.deepEquals(value, known.get(name)) ? [] : [name])),
  )
  for (const names of together)
    if (names.some(name => differs.has(name))) for (const name of names) differs.add(name)
  return Object.fromEntries(members.filter(([name]) => differs.has(name))) as Partial<T>
}

export function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0
}

/** 422 where a member that is fixed differs from what is stored; what was read may be put back. */
export function requireFixed(given: object, stored: object): void {
  const faults = Object.entries(differing(given, stored)).map(([field, received]) => ({
    field,
    message: `Can't be changed after creation. Omit it, or create a new one with it`,
    code: 'custom',
    received,
  }))
  if (faults.length > 0) throw invalid(faults)
}
