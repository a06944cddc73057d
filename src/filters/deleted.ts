// Conditions on fields that a project has deleted. That a contact lacks such a field says nothing about it, so it matches nobody; nor does
// not being in a segment that rests on one: everybody would be written to. Pure.
import { type DataField, leavesOf, type NamedSegment, type Predicate } from './predicate'

/** Matches no contact. */
const nobody: Predicate = { kind: 'some', of: [] }

interface Known {
  /** Names of custom fields that were deleted and not seen since. */
  deleted: ReadonlySet<string>
  segments: ReadonlyMap<string, NamedSegment>
}

/** Custom fields that a predicate names: `a.b` names `a` too, since it may mean a value inside that. */
export function namedFields(predicate: Predicate): string[] {
  return leavesOf(predicate).flatMap(leaf => (leaf.kind === 'data' ? namesOf(leaf.field) : []))
}

function namesOf({ key, path }: DataField): string[] {
  return path ? [key, path[0]!] : [key]
}

/** The same predicate, where nobody matches for the lack of a deleted field. */
export function withoutDeleted(predicate: Predicate, known: Known): Predicate {
  if ('of' in predicate) return { ...predicate, of: predicate.of.map(each => withoutDeleted(each, known)) }
  if (predicate.kind === 'data' && predicate.test.test === 'exists' && predicate.test.not)
    return namesOf(predicate.field).some(name => known.deleted.has(name)) ? nobody : predicate
  if (predicate.kind === 'segment' && predicate.not)
    return restsOnDeleted(predicate.segmentId, known) ? nobody : predicate
  return predicate
}

/** Segments never lead back to themselves. */
function restsOnDeleted(segmentId: string, known: Known): boolean {
  const segment = known.segments.get(segmentId)
  if (segment?.type !== 'DYNAMIC') return false
  return leavesOf(segment.predicate).some(leaf =>
    leaf.kind === 'segment'
      ? restsOnDeleted(leaf.segmentId, known)
      : leaf.kind === 'data' && namesOf(leaf.field).some(name => known.deleted.has(name)),
  )
}
