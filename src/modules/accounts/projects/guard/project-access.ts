// Guards of everything that belongs to a project: its secret key, or a signed-in member. A key always wins over a cookie.

import { type GuardInput, hasSession } from '../../../../http/guard'
import { spendRequest } from '../../../../http/rate-limit'
import { requestInfo } from '../../../../http/request-id'
import { forbidden, invalid, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { requireVerified, type SessionUser, sessionUser } from '../../users'
import { findMembership } from '../service'
import { type Access, admit, keyAccess, missingAuth, missingProject, projectGuard } from './access'

/** A secret key, or the session cookie with the header X-Project-Id. */
export function projectAccess(ctx: Context) {
  return projectGuard('project-access', 'projectAccess', async input => {
    return await admit(ctx, input, await selectedProject(ctx, input))
  })
}

/**
 * For `/users/@me/projects/:id...` and `/projects/:id...`: a session with a membership in the project of the path, or that very
 * project's secret key.
 */
export function ownProject(ctx: Context) {
  return projectGuard('own-project', 'ownProject', async input => {
    const id = (input.params as Record<string, string | undefined>)['id'] ?? ''
    return await admit(ctx, input, await projectOfPath(ctx, input, id))
  })
}

export type Caller = { access: Access } | { user: SessionUser }

/** For `GET /projects`: a secret key, or a signed-in user without naming a project. */
export function anyCaller(ctx: Context) {
  return projectGuard('any-caller', 'anyCaller', async (input): Promise<{ caller: Caller }> => {
    const { request, headers, cookie, set } = input
    if (headers['authorization'] !== undefined) {
      const access = await keyAccess(ctx, 'secret', headers['authorization'])
      return { caller: await admit(ctx, input, access) }
    }
    if (!hasSession(cookie)) throw missingAuth()
    const user = await sessionUser(ctx, input)
    requireVerified(ctx, user)
    requestInfo(request).userId = user.id
    set.headers['cache-control'] = 'no-store'
    await spendRequest(ctx, { kind: 'user', id: user.id }, set.headers)
    return { caller: { user } }
  })
}

async function selectedProject(ctx: Context, input: GuardInput): Promise<Access> {
  const { headers, cookie } = input
  if (headers['authorization'] !== undefined) return await keyAccess(ctx, 'secret', headers['authorization'])
  if (!hasSession(cookie)) throw missingAuth()
  const user = await sessionUser(ctx, input)
  requireVerified(ctx, user)
  const projectId = headers['x-project-id']
  if (!projectId) throw missingProject()
  const membership = await findMembership(ctx, user.id, projectId)
  if (!membership) throw forbidden('PROJECT_ACCESS_DENIED', 'You are not a member of this project')
  return { ...membership, actor: { type: 'user', userId: user.id } }
}

async function projectOfPath(ctx: Context, input: GuardInput, id: string): Promise<Access> {
  const access = await callerOfPath(ctx, input, id)
  if (!isUuid(id)) throw invalid([{ field: 'id', message: 'Must be a UUID', code: 'invalid_string' }])
  if (access?.project.id !== id.toLowerCase()) throw notFound('Project', id)
  return access
}

async function callerOfPath(ctx: Context, input: GuardInput, id: string): Promise<Access | undefined> {
  const { headers, cookie } = input
  if (headers['authorization'] !== undefined) return await keyAccess(ctx, 'secret', headers['authorization'])
  if (!hasSession(cookie)) throw missingAuth()
  const user = await sessionUser(ctx, input)
  requireVerified(ctx, user)
  const membership = await findMembership(ctx, user.id, id)
  return membership && { ...membership, actor: { type: 'user', userId: user.id } }
}
