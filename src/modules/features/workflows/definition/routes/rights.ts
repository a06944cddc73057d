// What a key with scopes needs beyond `write` for a step: a WEBHOOK step gives data of contacts away.
import type { Context } from '../../../../../platform/context'
import { type Access, requireReading } from '../../../../accounts/projects'
import { getWholeWorkflow } from '../service/read'
import { givesDataAway } from '../webhook-request'

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
