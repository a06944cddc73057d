// The projects of the signed-in user, and the settings and secrets of one project.

import { Elysia } from 'elysia'
import { optionalBody } from '../../../../http/body-check'
import { stepAside } from '../../../../http/request-id'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { session } from '../../users'
import { ownProject, projectActor } from '../guard'
import { regenerateBody } from '../key-model'
import {
  auditList,
  auditQuery,
  closingAnswer,
  createBody,
  idParams,
  projectAnswer,
  projectList,
  toAuditAnswer,
  toClosingAnswer,
  updateBody,
} from '../model'
import {
  createProject,
  deleteProject,
  listAuditLog,
  listProjects,
  regenerateKeys,
  resetProject,
  rotateWebhookSecret,
  updateSettings,
} from '../service'
import { apiKeysRoutes } from './api-keys'
import { brandRoutes } from './brand'
import { membersRoutes } from './members'
import { overviewRoutes } from './overview'

export function projectsRoutes(ctx: Context) {
  return new Elysia({ name: 'projects' })
    .use(listRoutes(ctx))
    .use(settingsRoutes(ctx))
    .use(brandRoutes(ctx))
    .use(closingRoutes(ctx))
    .use(overviewRoutes(ctx))
    .use(apiKeysRoutes(ctx))
    .use(membersRoutes(ctx))
    .use(auditRoutes(ctx))
}

function listRoutes(ctx: Context) {
  return new Elysia({ prefix: '/users/@me/projects', tags: ['Projects'] })
    .use(session(ctx))
    .get('', ({ user }) => listProjects(ctx, user.id), {
      response: projectList,
      detail: {
        summary: 'Projects of the signed-in user',
        description:
          'Each with the role that the user has in it. Secrets are shown to ADMIN and OWNER, and left out while a project requires a second factor that the account lacks.',
      },
    })
    .post(
      '',
      async ({ user, body, status }) => {
        return status(201, await createProject(ctx, { userId: user.id, name: body.name }))
      },
      {
        body: createBody,
        response: { 201: projectAnswer },
        detail: {
          summary: 'Create a project',
          description:
            'The user becomes its OWNER; the answer holds its two keys. 403 for a user who owns as many projects as the instance allows (`MAX_PROJECTS_PER_USER`).',
        },
      },
    )
}

function settingsRoutes(ctx: Context) {
  return new Elysia({ prefix: '/users/@me/projects/:id', tags: ['Projects'] })
    .use(ownProject(ctx))
    .patch('', ({ access, body }) => updateSettings(ctx, projectActor(access), body), {
      right: 'project.settings',
      whileSuspended: true,
      body: updateBody,
      response: projectAnswer,
      detail: {
        summary: 'Change name, tracking, language, default sender or the rule about second factors',
        description:
          'Members that are left out stay as they are. For ADMIN and OWNER, and for the secret key; only the OWNER may require a second factor, and needs one first (409).',
        errors: [409],
      },
    })
    .post(
      '/regenerate-keys',
      ({ access, body }) => regenerateKeys(ctx, projectActor(access), body?.overlapHours),
      {
        right: 'secrets.rotate',
        whileSuspended: true,
        parse: optionalBody,
        body: regenerateBody,
        response: projectAnswer,
        detail: {
          summary: 'Replace both API keys',
          description:
            'The old ones stop at once, those of earlier pairs too. With `overlapHours` they go on working for that long; they are then among the keys of GET /projects/:id/api-keys, and can be revoked there.',
          errors: [409],
        },
      },
    )
    .post('/rotate-webhook-secret', ({ access }) => rotateWebhookSecret(ctx, projectActor(access)), {
      right: 'secrets.rotate',
      whileSuspended: true,
      response: projectAnswer,
      detail: {
        summary: 'Replace the secret that signs webhook steps',
        description:
          'The old one is no longer used: calls of WEBHOOK steps are signed with the new one at once. Endpoints have secrets of their own.',
        addition: true,
      },
    })
}

/** A project of ordinary size is cleared when the answer comes; a job goes on with a large one. */
function closingRoutes(ctx: Context) {
  return new Elysia({ prefix: '/users/@me/projects/:id', tags: ['Projects'] })
    .use(ownProject(ctx))
    .post(
      '/reset',
      async ({ access, request }) => {
        stepAside(ctx, request)
        return toClosingAnswer('reset', await resetProject(ctx, projectActor(access)))
      },
      {
        right: 'project.reset',
        whileSuspended: true,
        params: idParams,
        response: closingAnswer,
        detail: {
          summary: 'Delete the data of a project; settings, keys, members and domains stay',
          description: 'Until it is done, requests that would change the project are answered with 423.',
        },
      },
    )
    .delete(
      '',
      async ({ access, request }) => {
        stepAside(ctx, request)
        return toClosingAnswer('deleted', await deleteProject(ctx, projectActor(access)))
      },
      {
        right: 'project.delete',
        whileSuspended: true,
        params: idParams,
        response: closingAnswer,
        detail: {
          summary: 'Delete a project with everything that it owns; its keys stop at once',
          description:
            'There is no way back. For ADMIN and OWNER. In a large project a job does the rest, and the answer says so. A paid subscription of the project is cancelled.',
          errors: [423],
        },
      },
    )
}

function auditRoutes(ctx: Context) {
  return new Elysia({ prefix: '/projects/:id', tags: ['Projects'], detail: { addition: true } })
    .use(ownProject(ctx))
    .get(
      '/audit-log',
      async ({ access, query }) => {
        const limit = limitOf(query.limit)
        const { rows, total } = await listAuditLog(ctx, projectActor(access), { ...query, limit })
        return cursorList(rows, limit, total, toAuditAnswer, row => ({ value: null, id: row.id }))
      },
      {
        right: 'audit.read',
        params: idParams,
        query: auditQuery,
        response: auditList,
        detail: {
          summary: 'Who changed what, newest first',
          description: 'For ADMIN and OWNER. `total` is counted up to 10,000.',
        },
      },
    )
}
