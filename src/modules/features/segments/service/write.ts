// Creating and changing segments. A condition is read, its segments are looked up and its matches are counted before anything is
// written; the graph of segments that name segments is checked in the transaction that writes, under its lock.

import { namedSegments, namedTopics } from '../../../../filters/predicate'
import { type ReadFilter, storedPredicate } from '../../../../filters/read'
import { filterReferences } from '../../../../filters/references'
import { isObject } from '../../../../filters/values'
import { differing, isEmpty } from '../../../../lib/differing'
import { badRequest, conflict, invalid, notFound, shortBadRequest } from '../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { anyChange, type LiveRule } from '../../../accounts/projects'
import { holdTopics } from '../../../audience/topics'
import { type GraphFault, type GraphNode, graphFault, maxFilters } from '../graph'
import { segmentReaders } from '../hooks'
import {
  countContacts,
  insertSegment,
  lockGraph,
  lockSegment,
  replaceSegmentReferences,
  type SegmentChange,
  type SegmentRow,
  selectDependents,
  selectReached,
  updateSegmentRow,
} from '../queries'
import type { SegmentType } from '../schema'
import { predicateSql, requireComparable, requireCondition } from './audience'
import { areMovesDue, isSegmentDue } from './due'
import { getSegment, segmentNotFound } from './read'
import { inFilterTurn } from './turns'

export interface NewSegment {
  name?: string
  description?: string | null
  type?: SegmentType
  condition?: unknown
  trackMembership?: boolean
}

/** 400 in the short form without a name, and for a dynamic segment without a condition. */
export async function createSegment(
  ctx: Context,
  projectId: string,
  given: NewSegment,
  rule: LiveRule = anyChange,
): Promise<SegmentRow> {
  const name = given.name?.trim()
  if (!name) throw shortBadRequest('Name is required')
  const type = given.type ?? 'DYNAMIC'
  const read = type === 'DYNAMIC' ? requireObject(given.condition) : undefined
  const now = ctx.clock.now()
  const row: SegmentRow = {
    id: newId(ctx),
    projectId,
    name,
    description: given.description ?? null,
    type,
    condition: read?.condition ?? null,
    trackMembership: given.trackMembership ?? false,
    memberCount: read ? await countMatches(ctx, projectId, read) : 0,
    countedAt: now,
    createdAt: now,
    updatedAt: now,
  }
  await inTransaction(ctx, async tx => {
    // Its events have their names from its own, and workflows may be waiting for them.
    if (recordsMoves(row)) await rule(tx, { isLive: () => areMovesDue(tx, projectId, [row]), turnsOn: true })
    if (read) await storeReferences(tx, projectId, row.id, read)
    await insertSegment(tx, row)
  })
  return row
}

function recordsMoves({ type, trackMembership }: Pick<SegmentRow, 'type' | 'trackMembership'>): boolean {
  return type === 'DYNAMIC' && trackMembership
}

function requireObject(condition: unknown): ReadFilter {
  if (!isObject(condition))
    throw shortBadRequest('Condition is required and must be an object for DYNAMIC segments')
  return requireCondition(condition)
}

export interface SegmentUpdate {
  name?: string
  description?: string | null
  /** Ignored for a static segment. */
  condition?: unknown
  trackMembership?: boolean
}

/** A new condition changes the count at once, and who is a member at the next compute. */
export async function updateSegment(
  ctx: Context,
  projectId: string,
  id: string,
  given: SegmentUpdate,
  rule: LiveRule = anyChange,
): Promise<SegmentRow> {
  const name = given.name?.trim()
  if (name === '') throw invalid([{ field: 'name', message: 'Must not be empty', code: 'too_small' }])
  const stored = await getSegment(ctx, projectId, id)
  const { description, trackMembership, condition } = given
  const change: SegmentChange = differing({ name, description, trackMembership }, stored)
  const isOther = stored.type === 'DYNAMIC' && !isEmpty(differing({ condition }, stored))
  const read = isOther ? changedCondition(condition, id) : undefined
  if (!read && isEmpty(change)) return stored
  if (read) {
    change.condition = read.condition
    change.memberCount = await countMatches(ctx, projectId, read)
    change.countedAt = ctx.clock.now()
  }
  return inTransaction(ctx, async tx => {
    const { name: newName, trackMembership: tracked } = change
    if (read || newName !== undefined || tracked !== undefined)
      await rule(tx, { isLive: () => isChangeLive(tx, stored, change), turnsOn: true })
    if (read) {
      await requireUnread(tx, projectId, id)
      await storeReferences(tx, projectId, id, read)
    }
    const row = await updateSegmentRow(tx, projectId, id, change)
    if (!row) throw segmentNotFound(id)
    return row
  })
}

/** Whether a change decides who gets emails: those of a campaign to the segment, or of workflows that start with its entries and exits. */
async function isChangeLive(tx: Context, stored: SegmentRow, change: SegmentChange): Promise<boolean> {
  const { projectId, id } = stored
  // Under its lock, or a new name and the tracking could be two changes of one moment that are each harmless.
  const held = await lockSegment(tx, projectId, id, 'change')
  if (!held) throw segmentNotFound(id)
  if (change.condition && (await isSegmentDue(tx, { projectId, segmentId: id }))) return true
  const after = { ...held, ...change }
  return recordsMoves(after) && (await areMovesDue(tx, projectId, [held, after]))
}

/** 409 while a campaign is recording its recipients by the segment: a new condition would add recipients who weren't counted, or approved, at the start. */
async function requireUnread(tx: Context, projectId: string, id: string): Promise<void> {
  const segmentIds = [id, ...(await selectDependents(tx, projectId, id))]
  const [campaign] = (await callHook(tx, segmentReaders, { projectId, segmentIds })).flat()
  if (campaign === undefined) return
  throw conflict(
    `The condition can't change yet: the campaign "${campaign}" uses this segment and is recording its recipients`,
    { suggestion: 'Wait until all recipients are recorded. If the campaign is paused, resume or cancel it.' },
  )
}

function changedCondition(condition: unknown, id: string): ReadFilter | undefined {
  if (condition === undefined) return undefined
  if (!isObject(condition)) throw shortBadRequest('Condition must be an object')
  const read = requireCondition(condition)
  if (namedSegments(read.predicate).includes(id)) throw refusal('self')
  return read
}

async function countMatches(ctx: Context, projectId: string, { predicate }: ReadFilter): Promise<number> {
  await requireComparable(ctx, projectId, predicate)
  const where = await predicateSql(ctx, projectId, predicate)
  return inFilterTurn(ctx, projectId, heavy => countContacts(heavy, projectId, where))
}

/** Checks the graph as it will be, keeps the topics that it names, and records what the condition names. */
async function storeReferences(tx: Context, projectId: string, id: string, read: ReadFilter): Promise<void> {
  await lockGraph(tx, projectId)
  const named = namedSegments(read.predicate)
  const dependents = await selectDependents(tx, projectId, id)
  const rows = await selectReached(tx, projectId, [...new Set([...named, ...dependents])])
  const nodes = new Map<string, GraphNode>(
    rows.map(row => [row.id, row.condition ? { predicate: storedPredicate(row.condition) } : {}]),
  )
  const missing = named.find(each => each !== id && !nodes.has(each))
  if (missing !== undefined) throw notFound('Segment', missing)
  nodes.set(id, { predicate: read.predicate })
  const fault = graphFault(id, nodes, dependents)
  if (fault) throw refusal(fault)
  await holdTopics(tx, projectId, namedTopics(read.predicate))
  await replaceSegmentReferences(tx, projectId, id, filterReferences(read.predicate))
}

const refusals: Record<GraphFault, string> = {
  self: 'A segment cannot reference itself',
  cycle: 'Circular segment reference detected',
  size: `A condition and the segments it names must have at most ${maxFilters} filters together`,
}

function refusal(fault: GraphFault) {
  return badRequest(refusals[fault])
}
