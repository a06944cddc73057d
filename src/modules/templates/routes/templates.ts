// Templates over HTTP.

import { Elysia } from 'elysia'
import { offsetList } from '../../../lib/page'
import type { Context } from '../../../platform/context'
import { projectAccess } from '../../projects'
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
      { query: listQuery, response: templateList, detail: { summary: 'List templates' } },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toTemplate(await createTemplate(ctx, access.project.id, body))),
      { body: createBody, response: { 201: templateAnswer }, detail: { summary: 'Create a template' } },
    )
    .post('/preview', async ({ access, body }) => await previewTemplate(ctx, access.project, body), {
      body: previewBody,
      response: previewAnswer,
      detail: { summary: 'Render a message as it would be sent, with warnings' },
    })
    .get(
      '/:id',
      async ({ access, params }) => toTemplate(await requireTemplate(ctx, access.project.id, params.id)),
      { params: idParams, response: templateAnswer, detail: { summary: 'Get a template' } },
    )
    .patch(
      '/:id',
      async ({ access, params, body }) =>
        toTemplate(await changeTemplate(ctx, access.project.id, params.id, body)),
      {
        params: idParams,
        body: updateBody,
        response: templateAnswer,
        detail: { summary: 'Change a template' },
      },
    )
    .delete(
      '/:id',
      async ({ access, params, status }) => {
        await removeTemplate(ctx, access.project.id, params.id)
        return status(204, undefined)
      },
      { params: idParams, detail: { summary: 'Delete a template' } },
    )
    .post(
      '/:id/duplicate',
      async ({ access, params, status }) =>
        status(201, toTemplate(await duplicateTemplate(ctx, access.project.id, params.id))),
      { params: idParams, response: { 201: templateAnswer }, detail: { summary: 'Copy a template' } },
    )
    .get('/:id/usage', async ({ access, params }) => await templateUsage(ctx, access.project.id, params.id), {
      params: idParams,
      response: usageAnswer,
      detail: { summary: 'What uses a template' },
    })
}
