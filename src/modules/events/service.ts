// Recording named events: the row, the totals and the job that routes the event to whoever listens for its name come and go in
// the caller's transaction.
import { type Context, inTransaction } from '../../platform/context'
import { enqueueMany } from '../../platform/jobs/enqueue'
import { deleteContactEvents, type EventRow, foldDeltas, insertEvents, replaceListener } from './queries'

export interface NewEvent {
  name: string
  contactId?: string | null
  emailId?: string | null
  data?: Record<string, unknown> | null
}

export interface NewProjectEvent extends NewEvent {
  projectId: string
}

/** Records events of one project, in the order given. */
export async function recordEvents(
  ctx: Context,
  projectId: string,
  events: readonly NewEvent[],
): Promise<EventRow[]> {
  return recordProjectEvents(
    ctx,
    events.map(event => ({ ...event, projectId })),
  )
}

/** Records events of several projects in one statement, in the order given. */
export async function recordProjectEvents(
  ctx: Context,
  events: readonly NewProjectEvent[],
): Promise<EventRow[]> {
  if (events.length === 0) return []
  return inTransaction(ctx, async tx => {
    const now = tx.clock.now()
    const rows = events.map(event => newRow(tx, now, event))
    const heard = new Set(await insertEvents(tx, rows))
    await routeEvents(
      tx,
      rows.filter(row => heard.has(row.id)),
    )
    return rows
  })
}

function newRow(ctx: Context, now: Date, event: NewProjectEvent): EventRow {
  return {
    id: ctx.random.uuid(now),
    projectId: event.projectId,
    name: event.name,
    contactId: event.contactId ?? null,
    emailId: event.emailId ?? null,
    data: event.data ?? null,
    createdAt: now,
  }
}

/** Events without a contact start nothing and resume nothing. */
async function routeEvents(ctx: Context, rows: readonly EventRow[]): Promise<void> {
  const jobs = rows
    .filter(row => row.contactId !== null)
    .map(row => ({ args: { eventId: row.id }, projectId: row.projectId }))
  await enqueueMany(ctx, 'event.route', jobs)
}

/**
 * Sets the names of events that a listener (a workflow) wants routed; none to stop. A listener must name what it may ever wait
 * for before it begins to wait: an event that is committed while nobody listens for its name is never routed.
 */
export async function setListener(
  ctx: Context,
  projectId: string,
  listenerId: string,
  names: readonly string[],
): Promise<void> {
  await replaceListener(ctx, projectId, listenerId, [...new Set(names)])
}

const batchSize = 10_000

/** Adds the appended deltas to the totals until none is left. */
export async function foldEventTotals(ctx: Context, signal?: AbortSignal): Promise<number> {
  return inBatches(() => foldDeltas(ctx, batchSize), signal)
}

/** Deletes the events of contacts that are gone, a batch at a time. */
export async function purgeContactEvents(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  return inBatches(() => deleteContactEvents(ctx, projectId, contactIds, batchSize), signal)
}

/** Repeats `step` until it finds less than a full batch; answers the sum. */
async function inBatches(step: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const done = await step()
    total += done
    if (done < batchSize) break
  }
  return total
}
