// Workflows that start by the clock: each tick is a job at its time, taken by whoever moves the schedule on, and executions are started
// for a page of contacts at a time.
import { nilUuid } from '../../../../../lib/ids'
import { after, minute } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueue } from '../../../../../platform/jobs/enqueue'
import { getSegment, segmentSql } from '../../../segments'
import { lockWorkflow, selectWorkflow, type WorkflowRow } from '../../definition/queries/definitions'
import { nextRun, storedTrigger } from '../../definition/trigger'
import { workflowKinds } from '../../kinds'
import { claimRun, isProjectDisabled, selectContactIds, selectOverdue } from '../queries/listening'
import { startExecutions } from './start'

const pageSize = 500

export async function enqueueRun(
  tx: Context,
  { id, projectId }: Pick<WorkflowRow, 'id' | 'projectId'>,
  at: Date,
): Promise<void> {
  await enqueue(tx, workflowKinds.tick, { workflowId: id, at: at.toISOString() }, { projectId, runAt: at })
}

/** Takes a tick. Of several missed ticks only one is made up for; the next one is computed from now. */
export async function runTick(ctx: Context, projectId: string, workflowId: string, at: Date): Promise<void> {
  await inTransaction(ctx, async tx => {
    const workflow = await selectWorkflow(tx, projectId, workflowId)
    if (!workflow?.enabled || workflow.triggerType !== 'SCHEDULE') return
    const trigger = storedTrigger(workflow.triggerType, workflow.triggerConfig)
    if (trigger.type !== 'SCHEDULE') return
    const next = nextRun(trigger, tx.clock.now()) ?? null
    if (!(await claimRun(tx, projectId, workflowId, at, next))) return
    await enqueue(
      tx,
      workflowKinds.startPage,
      { workflowId, at: at.toISOString(), after: nilUuid },
      { projectId },
    )
    if (next) await enqueueRun(tx, workflow, next)
  })
}

/** Starts executions for a page of the contacts that a tick is for, and enqueues itself for the next page. */
export async function startTickPage(
  ctx: Context,
  projectId: string,
  workflowId: string,
  at: Date,
  behind: string,
): Promise<void> {
  await inTransaction(ctx, async tx => {
    const workflow = await lockWorkflow(tx, projectId, workflowId, 'use')
    if (!workflow?.enabled || (await isProjectDisabled(tx, projectId))) return
    const trigger = storedTrigger(workflow.triggerType, workflow.triggerConfig)
    if (trigger.type !== 'SCHEDULE') return
    const { segmentId } = trigger
    const where = segmentId
      ? await segmentSql(tx, projectId, await getSegment(tx, projectId, segmentId))
      : undefined
    const ids = await selectContactIds(tx, projectId, {
      after: behind,
      until: at,
      limit: pageSize,
      ...(where ? { where } : {}),
    })
    const context = { scheduledAt: at.toISOString() }
    await startExecutions(
      tx,
      workflow,
      ids.map(contactId => ({ contactId, sourceEventId: null, context })),
    )
    if (ids.length === pageSize)
      await enqueue(
        tx,
        workflowKinds.startPage,
        { workflowId, at: at.toISOString(), after: ids.at(-1)! },
        { projectId },
      )
  })
}

const overdueMs = 2 * minute

/** Enqueues again the ticks whose job was lost; a tick that has two jobs is still taken once. */
export async function requeueLostTicks(ctx: Context): Promise<number> {
  const overdue = await selectOverdue(ctx, after(ctx.clock.now(), -overdueMs), 1_000)
  for (const { id, projectId, nextRunAt } of overdue)
    await enqueue(
      ctx,
      workflowKinds.tick,
      { workflowId: id, at: nextRunAt.toISOString() },
      { projectId, uniqueKey: `workflow.tick:${id}@${nextRunAt.toISOString()}` },
    )
  return overdue.length
}
