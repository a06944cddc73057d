// The lists of a source before they become topics and segments: each under a name of its own, and whether they fit.
import { longestListName } from './by-name'
import { SourceFault } from './record'

/** A list, tag or book of the other program. */
export interface SourceList {
  /** No other list of the source has it. */
  name: string
  description?: string | undefined
  /** People saw it on pages there, and could join it. */
  isOffered: boolean
  isArchived?: boolean
  /** People get its mail until they leave. */
  byDefault?: boolean
  /** What it has there and not here. */
  notes?: string[]
}

/** Names by id: lists that are called alike there are numbered, in the order given, which has to be the same in each run. */
export function namesApart<K>(lists: ReadonlyArray<{ id: K; name: string }>): Map<K, string> {
  const asked = lists.map(({ name }) => name.trim().slice(0, longestListName).trim())
  const own = new Set(asked)
  const taken = new Set<string>()
  return new Map(
    lists.map(({ id }, index) => {
      const name = asked[index]!
      let given = name
      for (let number = 2; taken.has(given) || (given !== name && own.has(given)); number++) {
        const suffix = ` (${number})`
        given = `${name.slice(0, longestListName - suffix.length)}${suffix}`
      }
      taken.add(given)
      return [id, given]
    }),
  )
}

/** Throws before anything is read, if the lists would be more than the project may have. */
export function requireRoom(
  lists: readonly SourceList[],
  { known, most, of }: { known: ReadonlySet<string>; most: number; of: string },
): void {
  const fresh = lists.filter(({ name }) => !known.has(name))
  if (fresh.length <= most) return
  const names = fresh.map(({ name }) => `  ${name}`).join('\n')
  throw new SourceFault(
    `the source has ${fresh.length} lists that would become ${of}, and there is room for ${most}: choose with --only-list NAME, several times. Its lists:\n${names}`,
  )
}

/** Sentences for the report about what becomes of the lists as topics. */
export function topicNotes(lists: readonly SourceList[]): string[] {
  const named = (those: readonly SourceList[]): string => those.map(({ name }) => name).join(', ')
  const hidden = lists.filter(({ isOffered, isArchived }) => !isOffered && !isArchived)
  const archived = lists.filter(({ isArchived }) => isArchived)
  return [
    `Lists that become topics: ${lists.length}.`,
    ...(hidden.length > 0
      ? [`Topics that pages don't offer, because the lists weren't public: ${named(hidden)}`]
      : []),
    ...(archived.length > 0 ? [`Archived topics: ${named(archived)}`] : []),
    ...lists.flatMap(({ name, notes = [] }) => notes.map(note => `List "${name}": ${note}`)),
  ]
}
