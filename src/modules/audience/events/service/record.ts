// Recording named events: the row, the totals and the job that routes the event to whoever listens for its name are written in the
// caller's transaction.

import { invalid } from '../../../../lib/errors'
import { isMistakenName } from '../../../../lib/event-names'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { eventsHeard } from '../hooks'
import { eventKinds } from '../kinds'
import { mistakenFault } from '../names'
import {
  type EventRow,
  type HeardEvent,
  type InsertedEvent,
  insertEvents,
  replaceListener,
  selectCount,
  selectEventsById,
} from '../queries'

export interface NewEvent {
  name: string
  contactId?: string | null
  emailId?: string | null
  data?: Record<string, unknown> | null
  /** Values for this event only: for the workflows that it starts or resumes, and in no list. */
  transient?: Record<string, unknown> | null
  /** How many workflows there are between it and what came from outside, where a workflow causes it. */
  hops?: number | null
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
    if (heard.size > 0) {
      const heardRows = rows.filter(row => heard.has(row.id))
      // Workflows are run by contacts; what is about none is for webhooks alone.
      await routeEvents(
        tx,
        heardRows.filter(({ contactId }) => contactId !== null),
      )
      await callHook(tx, eventsHeard, heardRows)
    }
    return rows
  })
}

function newRow(ctx: Context, now: Date, event: NewProjectEvent): InsertedEvent {
  return {
    id: ctx.random.uuid(now),
    projectId: event.projectId,
    name: event.name,
    contactId: event.contactId ?? null,
    emailId: event.emailId ?? null,
    data: event.data ?? null,
    hops: event.hops || null,
    transient: event.transient && Object.keys(event.transient).length > 0 ? event.transient : null,
    createdAt: now,
  }
}

async function routeEvents(ctx: Context, rows: readonly EventRow[]): Promise<void> {
  const jobs = rows.map(row => ({ args: { eventId: row.id }, projectId: row.projectId }))
  await enqueueMany(ctx, eventKinds.route, jobs)
}

/** Events with everything that they carried, for those that they are routed to; without events that were deleted meanwhile. */
export async function findEvents(
  ctx: Context,
  projectId: string,
  eventIds: readonly string[],
): Promise<HeardEvent[]> {
  return selectEventsById(ctx, projectId, eventIds)
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

/** Throws 422 for names that look like Waxwing's own and are none, unless the project has recorded such an event itself. */
export async function requireAwaitable(
  ctx: Context,
  projectId: string,
  names: ReadonlyArray<{ name: string; field: string }>,
): Promise<void> {
  const faults = []
  for (const { name, field } of names) {
    const mistaken = isMistakenName(name)
    if (!mistaken) continue
    if (mistaken === 'always' || (await selectCount(ctx, projectId, name)) === 0)
      faults.push(mistakenFault(name, field))
  }
  if (faults.length > 0) throw invalid(faults)
}
