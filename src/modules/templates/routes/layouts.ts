// Layouts over HTTP.
import { Elysia } from 'elysia'
import { decodeCursor } from '../../../lib/cursor'
import { cursorList, limitOf } from '../../../lib/page'
import type { Context } from '../../../platform/context'
import { projectAccess } from '../../projects'
import * as model from '../layout-model'
import { previewAnswer } from '../model'
import * as service from '../service'

const { toLayout, layoutParams: params } = model

export function layoutRoutes(ctx: Context) {
  return new Elysia({ prefix: '/layouts', tags: ['Layouts'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const limit = limitOf(query.limit)
        const behind = decodeCursor(query.cursor)?.id
        const { rows, total } = await service.listLayouts(ctx, access.project.id, behind, limit)
        return cursorList(rows, limit, total, toLayout, ({ id }) => ({ value: null, id }))
      },
      {
        query: model.layoutsQuery,
        response: model.layoutList,
        detail: { summary: 'List layouts, newest first' },
      },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toLayout(await service.createLayout(ctx, access.project.id, body))),
      {
        body: model.layoutBody,
        response: { 201: model.layoutAnswer },
        detail: { summary: 'Create a layout' },
      },
    )
    .post('/preview', async ({ access, body }) => await service.previewLayout(ctx, access.project, body), {
      body: model.layoutPreviewBody,
      response: previewAnswer,
      detail: { summary: 'Render a layout with a text in it, with warnings' },
    })
    .get(
      '/:id',
      async ({ access, params: { id } }) => toLayout(await service.requireLayout(ctx, access.project.id, id)),
      { params, response: model.layoutAnswer, detail: { summary: 'Get a layout' } },
    )
    .patch(
      '/:id',
      async ({ access, params: { id }, body }) =>
        toLayout(await service.changeLayout(ctx, access.project.id, id, body)),
      {
        params,
        body: model.layoutChanges,
        response: model.layoutAnswer,
        detail: { summary: 'Change a layout, and with it all that is sent in it from now on' },
      },
    )
    .delete(
      '/:id',
      async ({ access, params: { id }, status }) => {
        await service.removeLayout(ctx, access.project.id, id)
        return status(204, undefined)
      },
      { params, detail: { summary: 'Delete a layout that nothing uses' } },
    )
    .get(
      '/:id/usage',
      async ({ access, params: { id } }) => await service.layoutUsage(ctx, access.project.id, id),
      { params, response: model.layoutUsageAnswer, detail: { summary: 'What uses a layout' } },
    )
}
