// Remembers the snapshots that executions of this process run on. They never change, so nothing has to be looked up twice; bounded by
// bytes, least recently used evicted first.
import type { Context } from '../../../../../platform/context'
import type { Snapshot } from '../../words'
import { selectSnapshots } from '../queries/snapshots'

export interface SnapshotStore {
  /** Those of the given snapshots that exist, by id. */
  get(
    tx: Context,
    wanted: ReadonlyArray<{ projectId: string; snapshotId: string }>,
  ): Promise<Map<string, Snapshot>>
}

const maxBytes = 16 * 1024 * 1024

interface Kept {
  graph: Snapshot
  bytes: number
}

export function makeSnapshotStore(): SnapshotStore {
  const kept = new Map<string, Kept>()
  let bytes = 0

  const keep = (id: string, entry: Kept): void => {
    if (kept.has(id)) return
    kept.set(id, entry)
    bytes += entry.bytes
    for (const [oldest, { bytes: size }] of kept) {
      if (bytes <= maxBytes) return
      kept.delete(oldest)
      bytes -= size
    }
  }

  return {
    async get(tx, wanted) {
      const byId = new Map(wanted.map(each => [each.snapshotId, each]))
      const found = new Map<string, Snapshot>()
      for (const id of byId.keys()) {
        const entry = kept.get(id)
        if (!entry) continue
        // A Map iterates in the order of insertion, so moving an entry to the end makes it the most recent.
        kept.delete(id)
        kept.set(id, entry)
        found.set(id, entry.graph)
        byId.delete(id)
      }
      if (byId.size === 0) return found
      for (const { id, graph, bytes: size } of await selectSnapshots(tx, [...byId.values()])) {
        found.set(id, graph)
        keep(id, { graph, bytes: size })
      }
      return found
    },
  }
}
