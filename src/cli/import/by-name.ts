// Things of the project that an import names, found by name or made, whatever becomes of the transaction that made them.
import type { Context } from '../../platform/context'

interface NamedThings {
  /** Ids of those that are there before the import, by name. */
  known: ReadonlyMap<string, string>
  make(tx: Context, name: string): Promise<string>
  /** Whether one that the import made is there now: not if its transaction was taken back. */
  isThere(tx: Context, id: string): Promise<boolean>
  /** How many may be made. */
  most: number
  tooMany(): Error
}

export const longestListName = 100

/** Names are compared exactly as written. */
export function idByName(things: NamedThings): (tx: Context, given: string) => Promise<string> {
  const known = new Map(things.known)
  const made = new Set<string>()
  const lasting = new Set(known.values())
  return async (tx, given) => {
    const name = given.trim().slice(0, longestListName)
    const id = known.get(name)
    if (id !== undefined && (lasting.has(id) || (await things.isThere(tx, id)))) return id
    if (made.add(name).size > things.most) throw things.tooMany()
    const fresh = await things.make(tx, name)
    known.set(name, fresh)
    tx.afterCommit(() => lasting.add(fresh))
    return fresh
  }
}
