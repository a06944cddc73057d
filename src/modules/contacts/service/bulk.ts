// Changes of many contacts, by id or by who matches a query when it is asked, done by a job. What is done leaves the list of what is to be done in the same
// transaction, so a job that is run again goes on where it was and does nothing twice.
import type { SQL } from 'drizzle-orm'
import { badRequest, notFound } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import type { JobRun } from '../../../platform/jobs/handlers'
import { type JobStanding, wholePercent } from '../job-state'
import { contactKinds } from '../kinds'
import {
  advanceBulk,
  type BulkStep,
  type BulkView,
  failBulk,
  insertBulk,
  lockBulk,
  selectBulk,
  selectMatchingIds,
} from '../queries'
import type { BulkOperation } from '../schema'
import { deleteContacts } from './single'
import { readStanding } from './standing'
import { setSubscriptions } from './subscription'

/** Queues the change and returns the id to ask after. 400 without ids; that they are UUIDs is the schema's business. */
export async function startBulk(
  ctx: Context,
  projectId: string,
  operation: BulkOperation,
  contactIds: readonly string[] | undefined,
): Promise<string> {
  if (!contactIds || contactIds.length === 0) throw badRequest('contactIds must list at least one contact')
  const id = newId(ctx)
  const distinct = [...new Set(contactIds.map(contactId => contactId.toLowerCase()))]
  await inTransaction(ctx, async tx => {
    const jobId = await enqueue(tx, contactKinds.bulk, { bulkId: id }, { projectId })
    await insertBulk(tx, { id, projectId, jobId: jobId!, operation, contactIds: distinct }, tx.clock.now())
  })
  return id
}

/** A filter tree as a condition on the table contacts. Segments stand above contacts, so the application hands it in. */
export type FilterReader = (ctx: Context, projectId: string, tree: unknown) => Promise<SQL>

interface BulkQuery {
  search?: string
  subscribed?: boolean
  filter?: unknown
}

/** Who matches now, oldest first. 400 for a query that says nothing: it would mean everybody. */
export async function findMatching(
  ctx: Context,
  projectId: string,
  { search, subscribed, filter }: BulkQuery,
  { readFilter, most }: { readFilter: FilterReader | undefined; most: number },
): Promise<string[]> {
  const sought = search?.trim().toLowerCase() || null
  const tree = filter ?? undefined
  if (sought === null && subscribed === undefined && tree === undefined)
    throw badRequest('A query must have search, subscribed or filter')
  // Passed over, a filter that can't be read would make it everybody.
  if (tree !== undefined && !readFilter) throw new Error('nobody reads filters here')
  const condition = tree === undefined ? undefined : await readFilter?.(ctx, projectId, tree)
  const listing = { search: sought, subscribed: subscribed ?? null, status: null }
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

/** Contacts of one transaction. */
const batchSize = 250

/** Does what is left of a bulk job. */
export async function runBulk(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  try {
    while (await runStep(ctx, projectId, id)) run.signal.throwIfAborted()
  } catch (error) {
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
    const step = await apply(tx, projectId, bulk.operation, bulk.next)
    await advanceBulk(tx, projectId, id, step, tx.clock.now())
    return true
  })
}

async function apply(
  tx: Context,
  projectId: string,
  operation: BulkOperation,
  contactIds: string[],
): Promise<BulkStep> {
  const { found, changed } = await change(tx, projectId, operation, contactIds)
  const known = new Set(found)
  return {
    done: contactIds.length,
    changed,
    unchanged: found.length - changed,
    unknown: contactIds.filter(contactId => !known.has(contactId)),
  }
}

async function change(
  tx: Context,
  projectId: string,
  operation: BulkOperation,
  contactIds: string[],
): Promise<{ found: string[]; changed: number }> {
  if (operation === 'delete') {
    const found = await deleteContacts(tx, projectId, contactIds)
    return { found, changed: found.length }
  }
  const contacts = await setSubscriptions(
    tx,
    projectId,
    contactIds,
    operation === 'subscribe' ? 'subscribed' : 'optedOut',
  )
  return {
    found: contacts.map(contact => contact.id),
    changed: contacts.filter(contact => contact.hasChanged).length,
  }
}
