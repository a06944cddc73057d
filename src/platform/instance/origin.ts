// Notices that a database is a restored or copied one. Such a database holds mail as unsent that the original has
// sent, or will send; so it starts with sending paused until a person runs `waxwing resume`. Pure.
import type { FoundMark } from './mark'

/** Where a database lives: `built-in`, or the server's system identifier and the database's number there (`?` if unknown). */
export type DatabaseOrigin = string

export const builtInOrigin: DatabaseOrigin = 'built-in'

export interface InstanceRecord {
  databaseId: string
  /** At the last start; null before the first one. */
  home: DatabaseOrigin | null
  generation: number
}

/** Why this must be a copy, in words that follow "sending is paused: "; undefined if nothing says so. */
export function whyCopied(
  record: InstanceRecord,
  home: DatabaseOrigin,
  mark: FoundMark | undefined,
): string | undefined {
  if (record.home === null) return undefined
  if (!isSameOrigin(record.home, home)) return 'this database was restored or copied from another place'
  const own = mark?.database === record.databaseId ? mark : undefined
  if (own && own.generation > record.generation)
    return 'this database was put back to an earlier state than the one it had here'
  if (home !== builtInOrigin) return undefined
  // The built-in database and the mark are in one folder: what came alone, or is a copy, was brought here.
  if (!own) return 'the built-in database was brought here from another data directory'
  return own.isCopy ? 'this data directory is a copy of another one' : undefined
}

/** Part by part: a server that reports its identifier today and not tomorrow is still the same server. */
function isSameOrigin(one: DatabaseOrigin, other: DatabaseOrigin): boolean {
  const [first, second] = [one.split('/'), other.split('/')]
  if (first.length !== second.length) return false
  return first.every((part, index) => part === second[index] || part === '?' || second[index] === '?')
}
