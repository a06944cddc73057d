// Changes of many contacts, by id or by a query that they match at the time of the request, done by a job. Contacts that are done leave
// the list in the same transaction, so a job that is run again continues where it was and does nothing twice.
import type { SQL } from 'drizzle-orm'
import { partOfAddress } from '../../../../lib/address'
import { AppError, badRequest, conflict, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { after, hour } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import type { JobRun } from '../../../../platform/jobs/kind'
import { anyChange, type LiveRule } from '../../../accounts/projects'
import { bulkStarts, listAsked, listDue } from '../hooks'
import { type JobStanding, wholePercent } from '../job-state'
import { contactKinds } from '../kinds'
import {
  advanceBulk,
  type BulkStep,
  type BulkView,
  failBulk,
  type HeldBulk,
  insertBulk,
  lockBulk,
  type NewBulk,
  selectBulk,
  selectEarlier,
  selectMatchingIds,
} from '../queries'
import type { BulkOperation, ConsentOrigin } from '../schema'
import { changeContacts } from './bulk-change'
import { withNamed } from './named'
import { readStanding } from './standing'

/** Queues the change and returns the id of its job. 400 without ids; that they are UUIDs is the schema's business. */
export async function startBulk(
  ctx: Context,
  projectId: string,
  operation: BulkOperation,
  contactIds: readonly string[] | undefined,
  { rule = anyChange, ...more }: Pick<NewBulk, 'segmentId' | 'origin'> & { rule?: LiveRule } = {},
): Promise<string> {
  if (!contactIds || contactIds.length === 0) throw badRequest('contactIds must list at least one contact')
  const distinct = [...new Set(contactIds.map(contactId => contactId.toLowerCase()))]
  return await queueBulk(ctx, { projectId, operation, contactIds: distinct, ...more }, rule)
}

async function queueBulk(
  ctx: Context,
  bulk: Omit<NewBulk, 'id' | 'jobId'>,
  rule: LiveRule = anyChange,
): Promise<string> {
  const id = newId(ctx)
  const { projectId, segmentId, operation } = bulk
  await inTransaction(ctx, async tx => {
    await rule(tx, { isLive: () => isBulkLive(tx, projectId, operation, segmentId) })
    if (segmentId) await callHook(tx, listAsked, { projectId, segmentId })
    const kind = segmentId ? contactKinds.bulkSegment : contactKinds.bulk
    const jobId = await enqueue(tx, kind, { bulkId: id }, { projectId })
    await insertBulk(tx, { ...bulk, id, jobId: jobId! }, tx.clock.now())
  })
  return id
}

/** Whether what is asked for makes emails leave: a list changes that is sent to or left out, or workflows start with many changes at once. */
async function isBulkLive(
  tx: Context,
  projectId: string,
  operation: BulkOperation,
  segmentId: string | null | undefined,
): Promise<boolean> {
  if (segmentId) return (await callHook(tx, listDue, { projectId, segmentId })).includes(true)
  return operation !== 'delete' && (await callHook(tx, bulkStarts, { projectId })).includes(true)
}

/** Later nobody would know any more what is being restored. */
const undoForMs = hour

const inverse: Partial<Record<BulkOperation, BulkOperation>> = {
  subscribe: 'unsubscribe',
  unsubscribe: 'subscribe',
  add: 'remove',
}

/** Queues a job that undoes what another one changed, and returns its id. 409 where that can't be done. */
export async function undoBulk(
  ctx: Context,
  projectId: string,
  id: string,
  { origin, rule }: { origin?: ConsentOrigin; rule?: LiveRule } = {},
): Promise<string> {
  const { bulk } = await getBulk(ctx, projectId, id)
  const { operation, finishedAt, segmentId } = bulk
  if (operation === 'delete') throw conflict('What is deleted cannot be brought back')
  if (!finishedAt) throw conflict('The job has not ended yet', { suggestion: 'Try again when it has.' })
  const undo = inverse[operation]
  if (!undo || !isUndoable(ctx, bulk))
    throw conflict('This job cannot be undone: it changed nothing, or ended more than an hour ago')
  const contactIds = (await selectEarlier(ctx, projectId, id)).map(each => each.id)
  const more = { undoes: id, segmentId: segmentId ?? undefined, origin }
  return await queueBulk(ctx, { projectId, operation: undo, contactIds, ...more }, rule)
}

function isUndoable(ctx: Context, { undoable, finishedAt }: BulkView): boolean {
  return undoable > 0 && finishedAt !== null && after(finishedAt, undoForMs) > ctx.clock.now()
}

/** A filter tree as a condition on the table contacts. Segments are above contacts, so the application passes it in. */
export type FilterReader = (ctx: Context, projectId: string, tree: unknown) => Promise<SQL>

interface BulkQuery {
  search?: string
  searchNames?: boolean
  subscribed?: boolean
  filter?: unknown
}

/** Who matches now, oldest first. 400 for a query that says nothing: it would mean everybody. */
export async function findMatching(
  ctx: Context,
  projectId: string,
  { search, searchNames = false, subscribed, filter }: BulkQuery,
  { readFilter, most }: { readFilter: FilterReader | undefined; most: number },
): Promise<string[]> {
  const sought = partOfAddress(search ?? '') || null
  const tree = filter ?? undefined
  if (sought === null && subscribed === undefined && tree === undefined)
    throw badRequest('A query must have search, subscribed or filter')
  // If it were ignored, a filter that can't be read would mean everybody.
  if (tree !== undefined && !readFilter) throw new Error('nobody reads filters here')
  const condition = tree === undefined ? undefined : await readFilter?.(ctx, projectId, tree)
  const listing = await withNamed(ctx, projectId, {
    ...{ search: sought, searchNames, subscribed: subscribed ?? null, status: null },
  })
  const found = await selectMatchingIds(ctx, projectId, listing, condition, most)
  if (found.length === 0) throw badRequest('No contact matches the query')
  return found
}

export interface BulkStatus extends JobStanding {
  bulk: BulkView
  progress: number
}

/** 404 for an unknown id and for another project's. */
export async function getBulk(ctx: Context, projectId: string, id: string): Promise<BulkStatus> {
  const found = isUuid(id) ? await readStanding(ctx, () => selectBulk(ctx, projectId, id)) : undefined
  if (!found) throw notFound('Job', id)
  const { record: bulk, standing } = found
  const done = bulk.changed + bulk.unchanged + bulk.unknown.length
  return { ...standing, bulk, progress: wholePercent(done, bulk.total) }
}

/** Contacts per transaction. */
const batchSize = 250

/** Does what is left of a bulk job. */
export async function runBulk(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  try {
    while (await runStep(ctx, projectId, id)) run.signal.throwIfAborted()
  } catch (error) {
    // Refused while it ran, as when the list was deleted: another attempt would be refused too.
    if (error instanceof AppError) return await failBulk(ctx, projectId, id, error.message, ctx.clock.now())
    if (run.isLastAttempt && !run.signal.aborted)
      await failBulk(ctx, projectId, id, 'An unexpected error stopped the job', ctx.clock.now())
    throw error
  }
}

/** False when nothing is left. */
async function runStep(ctx: Context, projectId: string, id: string): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    const bulk = await lockBulk(tx, projectId, id, batchSize)
    if (!bulk || bulk.next.length === 0) return false
    const step = await apply(tx, projectId, bulk)
    await advanceBulk(tx, projectId, id, step, tx.clock.now())
    return true
  })
}

async function apply(tx: Context, projectId: string, bulk: HeldBulk): Promise<BulkStep> {
  const { found, changed, earlier = [] } = await changeContacts(tx, projectId, bulk)
  const known = new Set(found)
  return {
    done: bulk.next.length,
    changed,
    unchanged: found.length - changed,
    unknown: bulk.next.filter(contactId => !known.has(contactId)),
    earlier,
  }
}
