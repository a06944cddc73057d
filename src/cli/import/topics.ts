// The topics that an import decides about, found by name or made.
import { createTopic, listTopics, mostTopics } from '../../modules/topics'
import type { Context } from '../../platform/context'
import { idByName } from './by-name'
import { SourceFault } from './record'

export interface Topics {
  idOf(tx: Context, name: string): Promise<string>
}

/** Whoever runs commands on the machine, as the audit log names them. */
const actor = 'operator'

/** What another program has as a list becomes a topic; a column of a table needs one that is there. */
export async function findTopics(
  ctx: Context,
  projectId: string,
  missing: 'make' | 'refuse',
): Promise<Topics> {
  const topics = await listTopics(ctx, projectId)
  const idOf = idByName({
    known: new Map(topics.map(({ id, name }) => [name, id])),
    most: mostTopics - topics.length,
    tooMany: () =>
      new SourceFault(`a project has at most ${mostTopics} topics, and the source has more lists`),
    async make(tx, name) {
      if (missing === 'make') return (await createTopic(tx, { projectId, by: actor }, { name })).id
      throw new SourceFault(`there is no topic ${JSON.stringify(name)}: make it first`)
    },
    isThere: async (tx, id) => (await listTopics(tx, projectId)).some(topic => topic.id === id),
  })
  return { idOf }
}
