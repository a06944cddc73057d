// The second factors of members: changes are recorded in the audit log of each of their projects, and a project may require one of all
// its members.
import { type AppError, conflict, forbidden } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { holdSecondFactor, selectUser } from '../../users'
import { selectProjectsOfUser, selectRequiringProjects } from '../queries'
import { requireRight } from '../roles'
import { recordAudit } from './audit'
import type { ProjectActor } from './settings'

export async function noteSecondFactor(
  tx: Context,
  { userId, by, isOn }: { userId: string; by: string; isOn: boolean },
): Promise<void> {
  const user = await selectUser(tx, userId)
  const action = isOn ? 'member.secondFactorAdded' : 'member.secondFactorRemoved'
  for (const { project } of await selectProjectsOfUser(tx, userId))
    await recordAudit(tx, { projectId: project.id, actor: by, action, subject: user?.email })
}

/** The projects that a user would be turned away from without a second factor, by name. */
export async function projectsAskingFor(ctx: Context, userId: string): Promise<string[]> {
  return await selectRequiringProjects(ctx, userId)
}

/**
 * For the transaction that switches the rule. Whoever sets it must comply until that commits: an owner who locked everybody out, and
 * themselves, would have nobody to ask.
 */
export async function requireRule(tx: Context, actor: ProjectActor, isOn: boolean): Promise<void> {
  requireRight(actor.role, 'secondFactor.require')
  if (!isOn || (await holdSecondFactor(tx, actor.by))) return
  throw conflict('Whoever asks others for a second factor needs one', { suggestion: setUpOwn(tx) })
}

export function turnedAway(ctx: Context): AppError {
  return forbidden(
    'SECOND_FACTOR_MISSING',
    'This project asks its members for a second factor, and you have none',
    {
      suggestion: setUpOwn(ctx),
    },
  )
}

function setUpOwn(ctx: Context): string {
  return `Set one up on the page of your account, ${ctx.config.baseUrl}/app/account, or with POST /users/@me/second-factor.`
}
