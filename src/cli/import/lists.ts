// The lists of a source before they become topics and segments: each under a name of its own, and whether they fit.

import { createTopic, listTopics, mostTopics, updateTopic } from '../../modules/audience/topics'
import { createSegment, listSegments } from '../../modules/features/segments'
import type { Context } from '../../platform/context'
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
export function uniqueNames<K>(lists: ReadonlyArray<{ id: K; name: string }>): Map<K, string> {
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

interface NamedThings {
  /** Ids of those that are there before the import, by name. */
  known: ReadonlyMap<string, string>
  make(tx: Context, name: string): Promise<string>
  /** Whether one that the import made still exists: it doesn't if its transaction was rolled back. */
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

// The topics that an import decides about, found by name or made.

export interface Topics {
  idOf(tx: Context, name: string): Promise<string>
}

/** Name in the audit log of the person who runs commands on the machine. */
const actor = 'operator'

/**
 * A list of the other program becomes a topic; a column of a CSV file needs a topic that exists. Nobody knows whether people ever saw a list
 * that is new here, so no page offers its topic. Throws SourceFault if there are more lists than a project may have topics.
 */
export async function findTopics(
  ctx: Context,
  projectId: string,
  missing: 'make' | 'refuse',
  lists: readonly SourceList[] = [],
): Promise<Topics> {
  const topics = await listTopics(ctx, projectId)
  const known = new Map(topics.map(({ id, name }) => [name, id]))
  const most = mostTopics - topics.length
  if (missing === 'make') requireRoom(lists, { known: new Set(known.keys()), most, of: 'topics' })
  const byName = new Map(lists.map(list => [list.name, list]))
  const idOf = idByName({
    ...{ known, most },
    tooMany: () =>
      new SourceFault(`a project has at most ${mostTopics} topics, and the source has more lists`),
    async make(tx, name) {
      if (missing === 'make')
        return await makeTopic(tx, projectId, byName.get(name) ?? { name, isOffered: false })
      throw new SourceFault(`there is no topic ${JSON.stringify(name)}: make it first`)
    },
    isThere: async (tx, id) => (await listTopics(tx, projectId)).some(topic => topic.id === id),
  })
  return { idOf }
}

async function makeTopic(
  tx: Context,
  projectId: string,
  { name, description, isOffered, isArchived, byDefault = false }: SourceList,
): Promise<string> {
  const by = { projectId, by: actor }
  const words = description ? { description: description.slice(0, 500).toWellFormed() } : {}
  const said = { name, ...words, offeredOnPages: isOffered, subscribedByDefault: byDefault }
  const { id } = await createTopic(tx, by, said)
  if (isArchived) await updateTopic(tx, by, id, { archived: true })
  return id
}

// The static segments that an import fills, found by name or made.

export interface Segments {
  idOf(tx: Context, name: string): Promise<string>
}

/** A source with thousands of tags would make as many segments, too many to look through. */
const maxNew = 200

/** A dynamic segment of a name that is asked for stops the import, and so do more lists than `maxNew` that are not there. */
export async function findSegments(
  ctx: Context,
  projectId: string,
  lists: readonly SourceList[] = [],
): Promise<Segments> {
  const known = new Map<string, string>()
  for (const { id, name, type } of await listSegments(ctx, projectId))
    if (!known.has(name)) known.set(name, type === 'STATIC' ? id : '')
  requireRoom(lists, { known: new Set(known.keys()), most: maxNew, of: 'segments' })
  const idOf = idByName({
    known,
    most: maxNew,
    tooMany: () =>
      new SourceFault(`the source has more than ${maxNew} lists or tags that are not segments yet`),
    async make(tx, name) {
      const description = 'Made by an import'
      return (await createSegment(tx, projectId, { name, type: 'STATIC', description })).id
    },
    isThere: async (tx, id) => (await listSegments(tx, projectId)).some(segment => segment.id === id),
  })
  return {
    async idOf(tx, name) {
      const id = await idOf(tx, name)
      if (id !== '') return id
      throw new SourceFault(`the segment ${JSON.stringify(name)} is dynamic: it has no list of members`)
    },
  }
}
