// Single fields of contacts.

import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import {
  deletedAnswer,
  fieldParams,
  toUsage,
  usageAnswer,
  valuesAnswer,
  valuesLimit,
  valuesQuery,
} from '../model'
import { deleteField, findFieldUsage, listFieldValues } from '../service'

export function fieldRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts/fields', tags: ['Contacts'] })
    .use(projectAccess(ctx))
    .get(
      '/:field/values',
      async ({ access, params: { field }, query }) => {
        const limit = valuesLimit(query.limit)
        const values = await listFieldValues(ctx, access.project.id, field, limit)
        return { field, values, count: values.length, limit }
      },
      {
        scope: 'read',
        params: fieldParams,
        query: valuesQuery,
        response: valuesAnswer,
        detail: {
          summary: 'Different values of a field among the newest 10,000 contacts',
          description:
            'For a list to choose from, in a form or a filter. A custom field is named with its prefix, as in `data.plan`.',
        },
      },
    )
    .get(
      '/:field/usage',
      async ({ access, params }) => toUsage(await findFieldUsage(ctx, access.project.id, params.field)),
      {
        scope: 'read',
        params: fieldParams,
        response: usageAnswer,
        detail: {
          summary: 'What refers to a field',
          description:
            'Segments, campaigns and workflows whose conditions name it. The conditions would match nobody by it once it is deleted.',
        },
      },
    )
    .delete(
      '/:field',
      async ({ access, params }) => ({
        deletedFrom: await deleteField(ctx, access.project.id, params.field),
      }),
      {
        scope: 'write',
        params: fieldParams,
        response: deletedAnswer,
        detail: {
          summary: 'Remove a custom field from every contact',
          description:
            'In a large project a job does the rest. Segments and workflows that name the field stay, and match nobody by it; 400 for a standard field.',
        },
      },
    )
}
