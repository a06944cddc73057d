// Templates over HTTP.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { projectAccess } from '../../http/project-access'
import type { Context } from '../../platform/context'
import { createBody, templateAnswer, toTemplate } from './model'
import { createTemplate, requireTemplate } from './service'

const idParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

export function templatesRoutes(ctx: Context) {
  return new Elysia({ prefix: '/templates', tags: ['Templates'] })
    .use(projectAccess(ctx))
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toTemplate(await createTemplate(ctx, access.project.id, body))),
      { body: createBody, response: { 201: templateAnswer }, detail: { summary: 'Create a template' } },
    )
    .get(
      '/:id',
      async ({ access, params }) => toTemplate(await requireTemplate(ctx, access.project.id, params.id)),
      { params: idParams, response: templateAnswer, detail: { summary: 'Get a template' } },
    )
}
