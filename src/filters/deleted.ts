// Conditions on fields and events that a project has deleted. That a contact lacks such a field or event says nothing about it, so it matches
// nobody; nor does not being in a segment that rests on one: everybody would be written to. Pure.
import { type DataField, leavesOf, type NamedSegment, type Predicate } from './predicate'

/** Matches no contact. */
const nobody: Predicate = { kind: 'some', of: [] }

/** What was deleted and not seen since. */
export interface Deleted {
  /** Names of custom fields. */
  fields: ReadonlySet<string>
  /** Names of events. */
  events: ReadonlySet<string>
}

interface Known {
  deleted: Deleted
  segments: ReadonlyMap<string, NamedSegment>
}

/** Custom fields that a predicate names: `a.b` names `a` too, since it may mean a value inside that. */
export function namedFields(predicate: Predicate): string[] {
  return leavesOf(predicate).flatMap(leaf => (leaf.kind === 'data' ? namesOf(leaf.field) : []))
}

/** Events that a predicate names. */
export function namedEvents(predicate: Predicate): string[] {
  return leavesOf(predicate).flatMap(leaf => (leaf.kind === 'event' ? [leaf.name] : []))
}

/** Whether it matters for the predicate that something was deleted: it asks for what is missing, or for no members. */
export function asksForLack(predicate: Predicate): boolean {
  return leavesOf(predicate).some(leaf => lacks(leaf) || (leaf.kind === 'segment' && leaf.not))
}

type Leaf = ReturnType<typeof leavesOf>[number]

function lacks(leaf: Leaf): boolean {
  if (leaf.kind === 'data') return leaf.test.test === 'exists' && leaf.test.not
  return leaf.kind === 'event' && leaf.test.test !== 'olderThan' && leaf.test.not
}

function isDeleted(leaf: Leaf, { fields, events }: Deleted): boolean {
  if (leaf.kind === 'data') return namesOf(leaf.field).some(name => fields.has(name))
  return leaf.kind === 'event' && events.has(leaf.name)
}

function namesOf({ key, path }: DataField): string[] {
  return path ? [key, path[0]!] : [key]
}

/** The same predicate, where nobody matches for the lack of a deleted field or event. */
export function withoutDeleted(predicate: Predicate, known: Known): Predicate {
  if ('of' in predicate) return { ...predicate, of: predicate.of.map(each => withoutDeleted(each, known)) }
  if (lacks(predicate)) return isDeleted(predicate, known.deleted) ? nobody : predicate
  if (predicate.kind === 'segment' && predicate.not)
    return restsOnDeleted(predicate.segmentId, known) ? nobody : predicate
  return predicate
}

/** Segments never lead back to themselves. */
function restsOnDeleted(segmentId: string, known: Known): boolean {
  const segment = known.segments.get(segmentId)
  if (segment?.type !== 'DYNAMIC') return false
  return leavesOf(segment.predicate).some(leaf =>
    leaf.kind === 'segment' ? restsOnDeleted(leaf.segmentId, known) : isDeleted(leaf, known.deleted),
  )
}
