// Templates over HTTP.

import { Elysia } from 'elysia'
import { offsetList } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { liveRule, projectAccess } from '../../../accounts/projects'
import {
  createBody,
  idParams,
  listQuery,
  previewAnswer,
  previewBody,
  templateAnswer,
  templateList,
  toTemplate,
  updateBody,
  usageAnswer,
} from '../model'
import {
  changeTemplate,
  createTemplate,
  duplicateTemplate,
  listTemplates,
  previewTemplate,
  removeTemplate,
  requireTemplate,
  templateUsage,
} from '../service'

export function templateRoutes(ctx: Context) {
  return new Elysia({ prefix: '/templates', tags: ['Templates'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const { rows, page, total } = await listTemplates(ctx, access.project.id, query)
        return offsetList(rows.map(toTemplate), page, total)
      },
      {
        scope: 'read',
        query: listQuery,
        response: templateList,
        detail: {
          summary: 'List templates',
          description: 'By page number. An unknown `type` is 400; an unknown `sort` counts as the default.',
        },
      },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toTemplate(await createTemplate(ctx, access.project.id, body))),
      {
        scope: 'write',
        body: createBody,
        response: { 201: templateAnswer },
        detail: {
          summary: 'Create a template',
          description:
            'Subject and body are Liquid; a syntax error is 400 with its position. 403 where the domain of the sender is not verified for this project.',
          errors: [404],
          shortErrors: [400],
        },
      },
    )
    .post('/preview', async ({ access, body }) => await previewTemplate(ctx, access.project, body), {
      scope: 'read',
      body: previewBody,
      response: previewAnswer,
      detail: {
        summary: 'Render a message as it would be sent, with warnings',
        description:
          'From a saved template (`templateId`) or from a text that is being written; what the request gives takes precedence. The message is filled in for a contact or with `data`; nothing is stored or sent.',
        addition: true,
        errors: [404],
      },
    })
    .get(
      '/:id',
      async ({ access, params }) => toTemplate(await requireTemplate(ctx, access.project.id, params.id)),
      {
        scope: 'read',
        params: idParams,
        response: templateAnswer,
        detail: {
          summary: 'Get a template',
          description:
            'With its body as it was written; the layout is named by its id and not put around it.',
        },
      },
    )
    .patch(
      '/:id',
      async ({ access, params, body }) => {
        return toTemplate(await changeTemplate(ctx, access.project.id, params.id, body, liveRule(access)))
      },
      {
        scope: 'write',
        params: idParams,
        body: updateBody,
        response: templateAnswer,
        detail: {
          summary: 'Change a template',
          description:
            'Members that are left out stay as they are. `expectedVersion` is the version that you read: if somebody else has changed the template since, the answer is 409. What was sent keeps the old text.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, status }) => {
        await removeTemplate(ctx, access.project.id, params.id, liveRule(access))
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: idParams,
        detail: {
          summary: 'Delete a template',
          description:
            '409 while a workflow step sends with it. A form that used it sends the built-in confirmation mail instead; messages that were sent with it stay.',
          errors: [409],
        },
      },
    )
    .post(
      '/:id/duplicate',
      async ({ access, params, status }) =>
        status(201, toTemplate(await duplicateTemplate(ctx, access.project.id, params.id))),
      {
        scope: 'write',
        params: idParams,
        response: { 201: templateAnswer },
        detail: {
          summary: 'Copy a template',
          description: 'The copy has ` (Copy)` after its name and begins at version 1.',
        },
      },
    )
    .get('/:id/usage', async ({ access, params }) => await templateUsage(ctx, access.project.id, params.id), {
      scope: 'read',
      params: idParams,
      response: usageAnswer,
      detail: {
        summary: 'What uses a template',
        description:
          'Workflow steps and forms that send with it, and how many messages were sent with it. Campaigns are never among them: each keeps its own copy.',
      },
    })
}
