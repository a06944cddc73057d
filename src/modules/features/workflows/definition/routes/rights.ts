// What a key with scopes needs beyond `write` for changing a workflow: an enabled one sends whenever it is triggered, and a WEBHOOK step
// gives data of contacts away.
import type { Context } from '../../../../../platform/context'
import { type Access, requireReading, requireSendingWhere } from '../../../../accounts/projects'
import { getWholeWorkflow } from '../service/definitions'
import { isWorkflowEnabled } from '../service/usage'
import { givesDataAway } from '../webhook-request'

/** For everything that changes what a workflow does. */
export async function requireChanging(ctx: Context, access: Access, workflowId: string): Promise<void> {
  await requireSendingWhere(access, () => isWorkflowEnabled(ctx, access.project.id, workflowId))
}

/** For a step as it is asked for. */
export function requireCalling(access: Access, step: { type?: unknown; config?: unknown }): void {
  if (step.type === 'WEBHOOK' && givesDataAway(step.config)) requireReading(access)
}

/** For a step of which only what changes is given. */
export async function requireCallingOf(
  ctx: Context,
  access: Access,
  { id, stepId }: { id: string; stepId: string },
  config: unknown,
): Promise<void> {
  if (config === undefined || !access.named || access.named.scopes.includes('read')) return
  const { graph } = await getWholeWorkflow(ctx, access.project.id, id)
  const type = graph.steps.find(step => step.id === stepId.toLowerCase())?.type
  requireCalling(access, { type, config })
}
