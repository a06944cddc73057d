// Changing the settings of a project and replacing its secrets.
import { notFound } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { type ProjectAnswer, toProjectAnswer, type UpdateBody } from '../model'
import { requireName } from '../name'
import { type ProjectChanges, updateProject } from '../queries'
import { type Role, requireRight } from '../roles'
import { newKeys, newWebhookSecret } from './secrets'

/** Who asks for a change: the project comes from a guard, so it exists and the role is the caller's. */
export interface ProjectActor {
  projectId: string
  role: Role
}

/** Changes name, tracking or language; what the body leaves out stays. */
export async function updateSettings(
  ctx: Context,
  actor: ProjectActor,
  body: UpdateBody,
): Promise<ProjectAnswer> {
  requireRight(actor.role, 'project.settings')
  if (body.name !== undefined) requireName(body.name)
  return await change(ctx, actor, { name: body.name, tracking: body.tracking, language: body.language })
}

/** Replaces both keys; the old ones stop with the commit. */
export async function regenerateKeys(ctx: Context, actor: ProjectActor): Promise<ProjectAnswer> {
  requireRight(actor.role, 'secrets.rotate')
  return await change(ctx, actor, newKeys(ctx))
}

/** Replaces the secret that signs webhook steps. */
export async function rotateWebhookSecret(ctx: Context, actor: ProjectActor): Promise<ProjectAnswer> {
  requireRight(actor.role, 'secrets.rotate')
  return await change(ctx, actor, newWebhookSecret(ctx))
}

async function change(ctx: Context, actor: ProjectActor, changes: ProjectChanges): Promise<ProjectAnswer> {
  const project = await updateProject(ctx, actor.projectId, changes)
  if (!project) throw notFound('Project', actor.projectId)
  return toProjectAnswer(ctx.vault, project, actor.role)
}
