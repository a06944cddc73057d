// Changes of many contacts, by id or by whatever query they match when it is asked, done by a job. What is done leaves the list of what is to be done in the same
// transaction, so a job that is run again goes on where it was and does nothing twice.
import type { SQL } from 'drizzle-orm'
import { badRequest, conflict, notFound } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import { after, hour } from '../../../lib/time'
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
  type HeldBulk,
  insertBulk,
  lockBulk,
  type NewBulk,
  selectBulk,
  selectEarlier,
  selectMatchingIds,
  type UpdatedSubscription,
} from '../queries'
import type { BulkOperation, EarlierState } from '../schema'
import { deleteContacts } from './single'
import { readStanding } from './standing'
import { setSubscriptions, undoSubscriptions } from './subscription'

/** Queues the change and returns the id to ask after. 400 without ids; that they are UUIDs is the schema's business. */
export async function startBulk(
  ctx: Context,
  projectId: string,
  operation: BulkOperation,
  contactIds: readonly string[] | undefined,
): Promise<string> {
  if (!contactIds || contactIds.length === 0) throw badRequest('contactIds must list at least one contact')
  const distinct = [...new Set(contactIds.map(contactId => contactId.toLowerCase()))]
  return await queueBulk(ctx, { projectId, operation, contactIds: distinct })
}

async function queueBulk(ctx: Context, bulk: Omit<NewBulk, 'id' | 'jobId'>): Promise<string> {
  const id = newId(ctx)
  const { projectId } = bulk
  await inTransaction(ctx, async tx => {
    const jobId = await enqueue(tx, contactKinds.bulk, { bulkId: id }, { projectId })
    await insertBulk(tx, { ...bulk, id, jobId: jobId! }, tx.clock.now())
  })
  return id
}

/** Later nobody knows any more what they would bring back. */
const undoForMs = hour

const inverse = { subscribe: 'unsubscribe', unsubscribe: 'subscribe' } as const

/** Queues a job that puts back what another one changed, and returns its id. 409 where that can't be done. */
export async function undoBulk(ctx: Context, projectId: string, id: string): Promise<string> {
  const { bulk } = await getBulk(ctx, projectId, id)
  const { operation, finishedAt } = bulk
  if (operation === 'delete') throw conflict('What is deleted can not be brought back')
  if (!finishedAt) throw conflict('The job has not ended yet', { suggestion: 'Try again when it has.' })
  if (!isUndoable(ctx, bulk))
    throw conflict('This job can not be undone: it changed nothing, or ended more than an hour ago')
  const contactIds = (await selectEarlier(ctx, projectId, id)).map(each => each.id)
  return await queueBulk(ctx, { projectId, operation: inverse[operation], contactIds, undoes: id })
}

function isUndoable(ctx: Context, { undoable, finishedAt }: BulkView): boolean {
  return undoable > 0 && finishedAt !== null && after(finishedAt, undoForMs) > ctx.clock.now()
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
    const step = await apply(tx, projectId, bulk)
    await advanceBulk(tx, projectId, id, step, tx.clock.now())
    return true
  })
}

async function apply(tx: Context, projectId: string, bulk: HeldBulk): Promise<BulkStep> {
  const { found, changed, earlier = [] } = await change(tx, projectId, bulk)
  const known = new Set(found)
  return {
    done: bulk.next.length,
    changed,
    unchanged: found.length - changed,
    unknown: bulk.next.filter(contactId => !known.has(contactId)),
    earlier,
  }
}

interface Change {
  found: string[]
  changed: number
  earlier?: EarlierState[]
}

async function change(
  tx: Context,
  projectId: string,
  { operation, undoes, next }: HeldBulk,
): Promise<Change> {
  if (operation === 'delete') {
    const found = await deleteContacts(tx, projectId, next)
    return { found, changed: found.length }
  }
  const state = operation === 'subscribe' ? 'subscribed' : 'optedOut'
  if (undoes !== null) return changeOf(await takeBack(tx, projectId, undoes, next, state))
  const contacts = await setSubscriptions(tx, projectId, next, state)
  const earlier = contacts.flatMap(contact => contact.earlier ?? [])
  return { ...changeOf(contacts), earlier }
}

/** `state` is how they were before the job that is undone, which set them to the other one. */
async function takeBack(
  tx: Context,
  projectId: string,
  undone: string,
  contactIds: readonly string[],
  state: 'subscribed' | 'optedOut',
): Promise<UpdatedSubscription[]> {
  const wanted = new Set(contactIds)
  const earlier = (await selectEarlier(tx, projectId, undone)).filter(({ id }) => wanted.has(id))
  return await undoSubscriptions(tx, projectId, earlier, state === 'subscribed' ? 'optedOut' : 'subscribed')
}

function changeOf(contacts: readonly UpdatedSubscription[]): Change {
  return {
    found: contacts.map(contact => contact.id),
    changed: contacts.filter(contact => contact.hasChanged).length,
  }
}
