// What a filter tree names: fields, events, segments and topics. Stored next to the tree, so that nothing has to search trees for them. Pure.
import { leavesOf, type Predicate } from './predicate'

export const referenceKinds = ['field', 'event', 'segment', 'topic'] as const

export interface FilterReference {
  kind: (typeof referenceKinds)[number]
  /** `data.plan` or `email`; the event's name; the id of the segment or topic. */
  name: string
}

/** Each once. `data.a.b` names the field `a.b` and the field `a`, since it may mean a value inside that. */
export function filterReferences(predicate: Predicate): FilterReference[] {
  const found = new Map<string, FilterReference>()
  for (const leaf of leavesOf(predicate))
    for (const reference of referencesOf(leaf)) found.set(`${reference.kind} ${reference.name}`, reference)
  return [...found.values()]
}

function referencesOf(leaf: ReturnType<typeof leavesOf>[number]): FilterReference[] {
  switch (leaf.kind) {
    case 'email':
    case 'subscribed':
      return [{ kind: 'field', name: leaf.kind }]
    case 'date':
      return [{ kind: 'field', name: leaf.field }]
    case 'data': {
      const literal: FilterReference = { kind: 'field', name: `data.${leaf.field.key}` }
      const outer = leaf.field.path?.[0]
      return outer ? [literal, { kind: 'field', name: `data.${outer}` }] : [literal]
    }
    case 'event':
      return [{ kind: 'event', name: leaf.name }]
    case 'emailActivity':
      return [{ kind: 'event', name: `email.${leaf.activity}` }]
    case 'segment':
      return [{ kind: 'segment', name: leaf.segmentId }]
    case 'topic':
      return [{ kind: 'topic', name: leaf.topicId }]
    // One that was sent is never deleted, and one that was not has no recipients.
    case 'campaign':
      return []
  }
}

const standardNames: ReadonlySet<string> = new Set([
  'email',
  'subscribed',
  'createdAt',
  'updatedAt',
  'snoozedUntil',
  'optedOutAt',
])

/** The name under which a field is referenced: `plan`, `data.plan` and `contact.data.plan` are one field, `contact.email` is `email`. */
export function fieldReferenceName(field: string): string {
  const bare = field.startsWith('contact.') ? field.slice('contact.'.length) : field
  return standardNames.has(bare) || bare.startsWith('data.') ? bare : `data.${field}`
}
