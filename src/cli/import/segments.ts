// The static segments that an import fills, found by name or made.
import { createSegment, listSegments } from '../../modules/segments'
import type { Context } from '../../platform/context'
import { SourceFault } from './record'

export interface Segments {
  idOf(tx: Context, name: string): Promise<string>
}

/** A source with thousands of tags would make as many segments, too many to look through. */
const maxNew = 200
const maxNameLength = 100

/** Names are compared exactly as written. A dynamic segment of that name stops the import. */
export async function findSegments(ctx: Context, projectId: string): Promise<Segments> {
  const known = new Map<string, string>()
  for (const { id, name, type } of await listSegments(ctx, projectId))
    if (!known.has(name)) known.set(name, type === 'STATIC' ? id : '')
  const made = new Set<string>()
  const lasting = new Set(known.values())
  return {
    async idOf(tx, given) {
      const name = given.trim().slice(0, maxNameLength)
      const id = known.get(name)
      if (id === '')
        throw new SourceFault(`the segment ${JSON.stringify(name)} is dynamic: it has no list of members`)
      if (id !== undefined && (lasting.has(id) || (await stillThere(tx, projectId, id)))) return id
      if (made.add(name).size > maxNew)
        throw new SourceFault(`the source has more than ${maxNew} lists or tags that are not segments yet`)
      const row = await createSegment(tx, projectId, {
        name,
        type: 'STATIC',
        description: 'Made by an import',
      })
      known.set(name, row.id)
      tx.afterCommit(() => lasting.add(row.id))
      return row.id
    },
  }
}

/** One that was made in a transaction that was rolled back (a dry run, a deadlock) is gone. */
async function stillThere(tx: Context, projectId: string, id: string): Promise<boolean> {
  return (await listSegments(tx, projectId)).some(segment => segment.id === id)
}
