// Deleting a workflow: not while something runs in it; then the definition is deleted at once and the history by a job.
import { conflict } from '../../../../../lib/errors'
import { after, minute } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueue } from '../../../../../platform/jobs/enqueue'
import { setListener } from '../../../../audience/events'
import { workflowKinds } from '../../kinds'
import { countActive, deleteEmptyCounts } from '../../runs/queries/counts'
import { lockWorkflow } from '../queries/definitions'
import { deleteDefinition, deleteHeld, holdToDelete, selectIdleListeners } from '../queries/removal'
import { workflowNotFound } from './edit'

export async function removeWorkflow(ctx: Context, projectId: string, id: string): Promise<void> {
  await inTransaction(ctx, async tx => {
    if (!(await lockWorkflow(tx, projectId, id, 'delete'))) throw workflowNotFound(id)
    const active = await countActive(tx, projectId, id)
    if (active > 0)
      throw conflict(
        `Cannot delete workflow: it has ${active} active execution(s). Cancel them or wait for their end.`,
      )
    const snapshots = await deleteDefinition(tx, projectId, id)
    for (const listener of [id, ...snapshots]) await setListener(tx, projectId, listener, [])
    await enqueue(tx, workflowKinds.purge, { workflowId: id }, { projectId })
  })
}

const deleteBatch = 1_000

/** Deletes what the executions of a deleted workflow left. */
export async function deleteLeftExecutions(
  ctx: Context,
  projectId: string,
  workflowId: string,
  signal?: AbortSignal,
): Promise<number> {
  return await deleteInPages(ctx, projectId, { workflowId }, signal)
}

/** Deletes the executions of contacts that are gone, whatever they were doing. */
export async function deleteExecutionsOfContacts(
  ctx: Context,
  {
    projectId,
    contactIds,
    signal,
  }: { projectId: string; contactIds: readonly string[]; signal?: AbortSignal },
): Promise<void> {
  await deleteInPages(ctx, projectId, { contactIds }, signal)
}

async function deleteInPages(
  ctx: Context,
  projectId: string,
  of: Parameters<typeof holdToDelete>[2],
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  while (!signal?.aborted) {
    const deleted = await inTransaction(ctx, async tx => {
      const held = await holdToDelete(tx, projectId, of, deleteBatch)
      await deleteHeld(tx, projectId, held)
      return held.length
    })
    total += deleted
    if (deleted < deleteBatch) break
  }
  return total
}

/** A start may still be under way on a version that has just been replaced. */
const settledMs = 10 * minute

/** Makes versions that nothing runs on any more stop listening, and deletes counts that are zero. */
export async function pruneVersions(ctx: Context): Promise<number> {
  await deleteEmptyCounts(ctx)
  const idle = await selectIdleListeners(ctx, after(ctx.clock.now(), -settledMs), 1_000)
  for (const { id, projectId } of idle) await setListener(ctx, projectId, id, [])
  return idle.length
}
