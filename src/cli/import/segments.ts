// The static segments that an import fills, found by name or made.
import { createSegment, listSegments } from '../../modules/segments'
import type { Context } from '../../platform/context'
import { idByName } from './by-name'
import { requireRoom, type SourceList } from './lists'
import { SourceFault } from './record'

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
