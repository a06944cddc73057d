// From a filter tree to a condition in SQL: reads the tree, looks up the segments it names, and counts or tests contacts by it.
// Segments, campaign audiences and workflow conditions all come through here.
import type { SQL } from 'drizzle-orm'
import {
  asksForLack,
  type Deleted,
  namedEvents,
  namedFields,
  withoutDeleted,
} from '../../../../filters/deleted'
import {
  leavesOf,
  type NamedSegment,
  type NamedTopic,
  namedSegments,
  namedTopics,
  type Predicate,
} from '../../../../filters/predicate'
import { type FilterCondition, type ReadFilter, readFilter, storedPredicate } from '../../../../filters/read'
import { makeFilterSql } from '../../../../filters/sql'
import { badRequest, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { contacts, selectDeletedFields, selectFieldTypes } from '../../../audience/contacts'
import { events, selectDeletedNames } from '../../../audience/events'
import { contactTopics, listTopics } from '../../../audience/topics'
import { emails } from '../../../sending/emails'
import { contactMatches, type GraphRow, type SegmentRow, selectReached } from '../queries'
import { segmentMembers } from '../schema'

/** Reads a tree that a client sent; 400 that opens with the first fault and lists all. */
export function requireCondition(input: unknown): ReadFilter {
  const reading = readFilter(input)
  if (!('faults' in reading)) return reading
  throw badRequest(reading.faults[0]?.message ?? 'The condition is faulty', { errors: reading.faults })
}

/** Every segment and topic that a predicate names, itself or through segments. */
export interface Named {
  segments: ReadonlyMap<string, NamedSegment>
  topics: ReadonlyMap<string, NamedTopic>
  /** The predicate as it is to be judged: what it says about deleted fields and events matches nobody. */
  predicate: Predicate
}

/** 404 for one that the project does not have. */
export async function resolveNamed(ctx: Context, projectId: string, predicate: Predicate): Promise<Named> {
  const segments = await resolveSegments(ctx, projectId, predicate)
  const inside = [...segments.values()].flatMap(each => (each.type === 'DYNAMIC' ? [each.predicate] : []))
  const topics = await resolveTopics(ctx, projectId, [predicate, ...inside].flatMap(namedTopics))
  const deleted = await findDeleted(ctx, projectId, [predicate, ...inside])
  if (deleted.fields.size + deleted.events.size === 0) return { segments, topics, predicate }
  const known = { deleted, segments }
  const judged = [...segments].map(([id, each]): [string, NamedSegment] => [
    id,
    each.type === 'DYNAMIC' ? { ...each, predicate: withoutDeleted(each.predicate, known) } : each,
  ])
  return { segments: new Map(judged), topics, predicate: withoutDeleted(predicate, known) }
}

/** Asked only where it matters: of what has to be missing, or has to be no member. */
async function findDeleted(
  ctx: Context,
  projectId: string,
  predicates: readonly Predicate[],
): Promise<Deleted> {
  const matters = predicates.some(asksForLack)
  const fields = matters ? predicates.flatMap(namedFields) : []
  const events = matters ? predicates.flatMap(namedEvents) : []
  return {
    fields: new Set(fields.length > 0 ? await selectDeletedFields(ctx, projectId, fields) : []),
    events: new Set(events.length > 0 ? await selectDeletedNames(ctx, projectId, events) : []),
  }
}

/** 400 for a text that is no date beside a field of dates: compared as texts, it would match by chance. For trees that a client sends. */
export async function requireComparable(
  ctx: Context,
  projectId: string,
  predicate: Predicate,
): Promise<void> {
  const compared = leavesOf(predicate).flatMap(leaf =>
    leaf.kind === 'data' && leaf.test.test === 'compareText' ? [leaf.field.key] : [],
  )
  if (compared.length === 0) return
  const types = await selectFieldTypes(ctx, projectId, compared)
  const wrong = compared.find(name => types.get(name) === 'date')
  if (wrong !== undefined)
    throw badRequest(`The field "data.${wrong}" holds dates, and the value is none`, {
      suggestion: 'Write the date as 2026-01-31 or 2026-01-31T12:00:00Z.',
    })
}

async function resolveTopics(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedTopic>> {
  if (ids.length === 0) return new Map()
  const found = new Map((await listTopics(ctx, projectId)).map(topic => [topic.id, topic]))
  const missing = ids.find(id => !found.has(id))
  if (missing !== undefined) throw notFound('Topic', missing.slice(0, 100))
  return found
}

async function resolveSegments(
  ctx: Context,
  projectId: string,
  predicate: Predicate,
): Promise<ReadonlyMap<string, NamedSegment>> {
  const ids = [...new Set(namedSegments(predicate))]
  if (ids.length === 0) return new Map()
  const odd = ids.find(id => !isUuid(id))
  if (odd !== undefined) throw notFound('Segment', odd)
  const rows = await selectReached(ctx, projectId, ids)
  const found = new Map(rows.map(row => [row.id, namedSegment(row)]))
  const missing = ids.find(id => !found.has(id))
  if (missing !== undefined) throw notFound('Segment', missing)
  return found
}

function namedSegment({ condition }: GraphRow): NamedSegment {
  return condition ? { type: 'DYNAMIC', predicate: storedPredicate(condition) } : { type: 'STATIC' }
}

/** The predicate as a condition on the table contacts, as of now; 404 for a segment or topic that it names and that does not exist. */
export async function predicateSql(ctx: Context, projectId: string, predicate: Predicate): Promise<SQL> {
  const { predicate: judged, ...named } = await resolveNamed(ctx, projectId, predicate)
  return filterSql(judged, { projectId, now: ctx.clock.now(), ...named })
}

/** The same for a tree that a client sent. */
export async function givenConditionSql(ctx: Context, projectId: string, tree: unknown): Promise<SQL> {
  const { predicate } = requireCondition(tree)
  await requireComparable(ctx, projectId, predicate)
  return predicateSql(ctx, projectId, predicate)
}

/** The same for a stored tree. */
export async function conditionSql(
  ctx: Context,
  projectId: string,
  condition: FilterCondition,
): Promise<SQL> {
  return predicateSql(ctx, projectId, storedPredicate(condition))
}

/** Who is in a segment right now, as a condition on the table contacts: members of a static one, matches of a dynamic one. */
export async function segmentSql(
  ctx: Context,
  projectId: string,
  segment: Pick<SegmentRow, 'id' | 'condition'>,
): Promise<SQL> {
  if (segment.condition) return conditionSql(ctx, projectId, segment.condition)
  const segments = new Map([[segment.id, { type: 'STATIC' } as const]])
  const isMember: Predicate = { kind: 'segment', segmentId: segment.id, not: false }
  return filterSql(isMember, { projectId, now: ctx.clock.now(), segments, topics: new Map() })
}

/** Whether this contact matches a stored tree now; false if there is no such contact. */
export async function matchesCondition(
  ctx: Context,
  projectId: string,
  contactId: string,
  condition: FilterCondition,
): Promise<boolean> {
  return contactMatches(ctx, projectId, contactId, await conditionSql(ctx, projectId, condition))
}

/** Filters as SQL on the tables of this program. */
export const filterSql = makeFilterSql({
  contacts,
  events,
  emails,
  members: segmentMembers,
  decisions: contactTopics,
})
