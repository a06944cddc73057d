// Segments that name segments: no cycle may arise, and the tree that evaluation sees, with every named one expanded,
// must stay of a size that a database can handle. Pure.
import { leavesOf, namedSegments, type Predicate } from '../../../filters/predicate'

/** Filters of a condition together with those of all segments that it names, each as often as it is named. */
export const maxFilters = 300

export interface GraphNode {
  /** None for a static segment. */
  predicate?: Predicate
}

export type GraphFault = 'self' | 'cycle' | 'size'

/** What would be wrong with the graph once `id` has its new condition; `dependents` are those that name it, however indirectly. */
export function graphFault(
  id: string,
  nodes: ReadonlyMap<string, GraphNode>,
  dependents: readonly string[],
): GraphFault | undefined {
  const own = nodes.get(id)?.predicate
  if (own && namedSegments(own).includes(id)) return 'self'
  const sizes = new Map<string, number>()
  const size = measure(id, nodes, sizes, new Set())
  if (size === undefined) return 'cycle'
  const all = [size, ...dependents.map(each => measure(each, nodes, sizes, new Set()))]
  return all.some(each => each === undefined || each > maxFilters) ? 'size' : undefined
}

/** The expanded size of a segment; undefined if it names itself in the end. */
function measure(
  id: string,
  nodes: ReadonlyMap<string, GraphNode>,
  sizes: Map<string, number>,
  open: Set<string>,
): number | undefined {
  if (open.has(id)) return undefined
  const known = sizes.get(id)
  if (known !== undefined) return known
  const predicate = nodes.get(id)?.predicate
  open.add(id)
  let size = predicate ? leavesOf(predicate).length : 0
  for (const named of predicate ? namedSegments(predicate) : []) {
    const inner = measure(named, nodes, sizes, open)
    if (inner === undefined) return undefined
    size += inner
  }
  open.delete(id)
  sizes.set(id, size)
  return size
}
