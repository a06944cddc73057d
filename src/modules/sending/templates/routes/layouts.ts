// Layouts over HTTP.

import { Elysia } from 'elysia'
import { decodeCursor } from '../../../../lib/cursor'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { liveRule, projectAccess } from '../../../accounts/projects'
import * as model from '../layout-model'
import { previewAnswer } from '../model'
import * as service from '../service'

const { toLayout, layoutParams: params } = model

export function layoutRoutes(ctx: Context) {
  return new Elysia({ prefix: '/layouts', tags: ['Layouts'], detail: { addition: true } })
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
        scope: 'read',
        query: model.layoutsQuery,
        response: model.layoutList,
        detail: {
          summary: 'List layouts, newest first',
          description: 'By `cursor`; `total` is counted on the first page.',
        },
      },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toLayout(await service.createLayout(ctx, access.project.id, body))),
      {
        scope: 'write',
        body: model.layoutBody,
        response: { 201: model.layoutAnswer },
        detail: {
          summary: 'Create a layout',
          description:
            'Its body is HTML with a place for the content. A syntax error in its Liquid is 400 with its position, a missing place for the content 422.',
        },
      },
    )
    .post('/preview', async ({ access, body }) => await service.previewLayout(ctx, access.project, body), {
      scope: 'read',
      body: model.layoutPreviewBody,
      response: previewAnswer,
      detail: {
        summary: 'Render a layout with a text in it, with warnings',
        description:
          'Shows a layout that is being written, for a contact or with `data`, and stores nothing. A syntax error is 400 with its position.',
        errors: [404],
      },
    })
    .get(
      '/:id',
      async ({ access, params: { id } }) => toLayout(await service.requireLayout(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: model.layoutAnswer,
        detail: { summary: 'Get a layout', description: 'With its body as it was written.' },
      },
    )
    .patch(
      '/:id',
      async ({ access, params: { id }, body }) => {
        return toLayout(await service.changeLayout(ctx, access.project.id, id, body, liveRule(access)))
      },
      {
        scope: 'write',
        params,
        body: model.layoutChanges,
        response: model.layoutAnswer,
        detail: {
          summary: 'Change a layout, and with it all that is sent in it from now on',
          description:
            'Templates and drafts that use it need no change. `expectedVersion` is the version that you read: if somebody else has changed the layout since, the answer is 409.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params: { id }, status }) => {
        await service.removeLayout(ctx, access.project.id, id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params,
        detail: {
          summary: 'Delete a layout that nothing uses',
          description:
            '409 while a template or a campaign that was not sent uses it; `GET /layouts/{id}/usage` lists them.',
          errors: [409],
        },
      },
    )
    .get(
      '/:id/usage',
      async ({ access, params: { id } }) => await service.layoutUsage(ctx, access.project.id, id),
      {
        scope: 'read',
        params,
        response: model.layoutUsageAnswer,
        detail: {
          summary: 'What uses a layout',
          description:
            "Templates, and campaigns that were not sent yet. While there are any, it can't be deleted.",
        },
      },
    )
}
