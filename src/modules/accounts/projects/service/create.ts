// Creating a project with fresh secrets and its owner, and listing the projects of a user.
import { AppError, forbidden } from '../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { lacksSecondFactor } from '../../users'
import { projectCreated } from '../hooks'
import { newKeys, newWebhookSecret } from '../keys'
import { type ProjectAnswer, toProjectAnswer } from '../model'
import { requireName } from '../name'
import {
  countOwnedProjects,
  hasDisabledProject,
  insertMembership,
  insertProject,
  lockProjectsOf,
  selectProjectsOfUser,
} from '../queries'
import { recordAudit } from './audit'

/** Every project the user belongs to, as the user's role there may see it. */
export async function listProjects(ctx: Context, userId: string): Promise<ProjectAnswer[]> {
  const rows = await selectProjectsOfUser(ctx, userId)
  const isAsked = rows.some(({ project }) => project.secondFactorRequired)
  const lacksIt = isAsked && (await lacksSecondFactor(ctx, userId))
  return rows.map(({ project, role }) =>
    toProjectAnswer(ctx.vault, project, role, { isTurnedAway: lacksIt && project.secondFactorRequired }),
  )
}

/** Creates a project with fresh secrets and its owner; listeners add what other modules want it to start with. */
export async function createProject(
  ctx: Context,
  input: { userId: string; name: string },
): Promise<ProjectAnswer> {
  requireName(input.name)
  return await inTransaction(ctx, async tx => {
    if (await hasDisabledProject(tx, input.userId)) throw belongsToDisabledProject()
    await requireRoom(tx, input.userId)
    const now = tx.clock.now()
    const project = await insertProject(tx, {
      id: newId(tx),
      name: input.name,
      ...newKeys(tx),
      ...newWebhookSecret(tx),
      createdAt: now,
      updatedAt: now,
    })
    await insertMembership(tx, { projectId: project.id, userId: input.userId, role: 'OWNER' })
    await recordAudit(tx, { projectId: project.id, actor: input.userId, action: 'project.created' })
    await callHook(tx, projectCreated, { id: project.id, name: project.name })
    return toProjectAnswer(tx.vault, project, 'OWNER')
  })
}

/** Most limits are a project's, so the number of projects is what bounds a user. */
async function requireRoom(tx: Context, userId: string): Promise<void> {
  const { maxProjectsPerUser } = tx.config
  await lockProjectsOf(tx, userId)
  if ((await countOwnedProjects(tx, userId)) < maxProjectsPerUser) return
  throw forbidden('FORBIDDEN', `A user may own ${maxProjectsPerUser} projects on this instance`, {
    suggestion: 'Delete one that is not needed, or ask the operator to raise MAX_PROJECTS_PER_USER.',
  })
}

function belongsToDisabledProject(): AppError {
  return new AppError(403, 'PROJECT_DISABLED', 'You are a member of a disabled project', {
    suggestion: 'Settle why that project was disabled before you create another one.',
  })
}
