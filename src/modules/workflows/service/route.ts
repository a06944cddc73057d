// Hands an event to the workflows of its project: to the executions of its contact that wait for it, and to the workflows that start
// with it.
import { type Context, inTransaction } from '../../../platform/context'
import { enqueueMany } from '../../../platform/jobs/enqueue'
import { findEvent } from '../../events/service'
import { holdTriggered, resumeExecutions } from '../queries'
import { startExecutions } from './start'

/** May be run again: an event starts a workflow once, and no wait that began after it. */
export async function routeEvent(ctx: Context, projectId: string, eventId: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    const event = await findEvent(tx, projectId, eventId)
    if (!event?.contactId) return
    const { id, name, data, contactId } = event
    const received = { id, name, data, receivedAt: event.createdAt.toISOString() }
    const resumed = await resumeExecutions(tx, projectId, contactId, received)
    await enqueueMany(
      tx,
      'workflow.advance',
      resumed.map(({ id: executionId, version }) => ({ args: { executionId, version }, projectId })),
    )
    for (const workflow of await holdTriggered(tx, projectId, name))
      await startExecutions(tx, workflow, [{ contactId, sourceEventId: id, context: data ?? {} }])
  })
}
