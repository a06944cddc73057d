// The topics that an import decides about, found by name or made.
import { createTopic, listTopics, mostTopics, updateTopic } from '../../modules/topics'
import type { Context } from '../../platform/context'
import { idByName } from './by-name'
import { requireRoom, type SourceList } from './lists'
import { SourceFault } from './record'

export interface Topics {
  idOf(tx: Context, name: string): Promise<string>
}

/** Whoever runs commands on the machine, as the audit log names them. */
const actor = 'operator'

/**
 * What another program has as a list becomes a topic; a column of a table needs one that is there. Of a list that is not known before, nobody
 * knows whether people saw it, so no page offers it. Throws SourceFault if there are more lists than a project may have topics.
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
