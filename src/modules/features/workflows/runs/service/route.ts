// Hands events to the workflows of their project: to the executions of their contacts that wait for them, and to the workflows that
// start with them. Those that come at the same moment share a transaction.
import type { Settled } from '../../../../../lib/batcher'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueueMany } from '../../../../../platform/jobs/enqueue'
import { findEvents, type HeardEvent, startedBy } from '../../../../audience/events'
import { workflowKinds } from '../../kinds'
import { holdActive, type Resumed, resumeExecutions } from '../queries/executions'
import { holdTriggered } from '../queries/listening'
import { batchJobs } from './shared-work'
import { startExecutions } from './start'

export interface RoutedEvent {
  projectId: string
  eventId: string
}

/** For the jobs of an instance. */
export function makeRouting(ctx: Context): (routed: RoutedEvent) => Promise<void> {
  return batchJobs<RoutedEvent>(batch => routeEvents(ctx, batch))
}

/** May be run again: an event starts a workflow only once, and never ends a wait that began after it. */
export async function routeEvent(ctx: Context, projectId: string, eventId: string): Promise<void> {
  await routeEvents(ctx, [{ projectId, eventId }])
}

/** All of them or none. */
async function routeEvents(ctx: Context, routed: readonly RoutedEvent[]): Promise<Settled<void>[]> {
  await inTransaction(ctx, async tx => {
    for (const [projectId, ofProject] of Map.groupBy(routed, each => each.projectId))
      await routeInProject(
        tx,
        projectId,
        ofProject.map(each => each.eventId),
      )
  })
  return routed.map(() => ({ value: undefined }))
}

type ContactEvent = HeardEvent & { contactId: string }

async function routeInProject(tx: Context, projectId: string, eventIds: readonly string[]): Promise<void> {
  const events = (await findEvents(tx, projectId, eventIds)).filter(
    (event): event is ContactEvent => event.contactId !== null,
  )
  if (events.length === 0) return
  await resumeWaiting(tx, projectId, events)
  const names = [...new Set(events.map(event => event.name))]
  for (const workflow of await holdTriggered(tx, projectId, names)) {
    const starting = events.filter(event => event.name === workflow.eventName && starts(event, workflow))
    await startExecutions(
      tx,
      workflow,
      starting.map(({ id, contactId, data, hops }) => ({
        ...{ contactId, sourceEventId: id, context: data ?? {}, hops },
      })),
    )
  }
}

/** A wait ends by any event of its name, because what happened has happened; a start is sent to somebody who may not expect it. */
function starts(event: ContactEvent, { includeBulkChanges }: { includeBulkChanges: boolean }): boolean {
  const by = startedBy(event)
  return by === 'all' || (by === 'bulk' && includeBulkChanges)
}

/** One event after another: an execution that the first one resumes no longer waits for the second. */
async function resumeWaiting(tx: Context, projectId: string, events: readonly ContactEvent[]): Promise<void> {
  const active = await holdActive(tx, projectId, [...new Set(events.map(event => event.contactId))])
  const resumed: Resumed[] = []
  for (const { id, name, data, contactId, createdAt, hops } of events) {
    const held = active.get(contactId)
    const event = { id, name, data, receivedAt: createdAt.toISOString() }
    if (held) resumed.push(...(await resumeExecutions(tx, projectId, held, event, hops)))
  }
  await enqueueMany(
    tx,
    workflowKinds.advance,
    resumed.map(({ id: executionId, version }) => ({ args: { executionId, version }, projectId })),
  )
}
