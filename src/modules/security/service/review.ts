// Reviews a project after each hard bounce and complaint, and suspends it where the table of rules says so.

import type { Context } from '../../../platform/context'
import { systemActor } from '../../projects'
import { selectAssessed } from '../queries'
import { assessReputation } from '../rules'
import { measure } from './reputation'
import { suspendProject } from './suspension'

/** Safe to repeat: a project that is disabled is left as it is. */
export async function reviewProject(ctx: Context, projectId: string): Promise<void> {
  const project = await selectAssessed(ctx, projectId)
  if (!project || project.disabled) return
  const { violations, warnings } = assessReputation(await measure(ctx, project))
  if (violations.length > 0 && ctx.config.autoProjectDisable) {
    await suspendProject(ctx, {
      projectId,
      reason: 'EMAIL_REPUTATION',
      findings: violations,
      actor: systemActor,
    })
  } else if (violations.length + warnings.length > 0) {
    ctx.log.warn({ project: projectId, violations, warnings }, 'the reputation of a project is at risk')
  }
}
