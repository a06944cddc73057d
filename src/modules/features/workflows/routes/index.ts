// Workflows over HTTP.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { definitionRoutes } from './definitions'
import { executionRoutes } from './executions'
import { graphRoutes } from './graph'
import { contactRoutes } from './of-contact'

export function workflowsRoutes(ctx: Context) {
  return new Elysia({ name: 'workflows' })
    .use(definitionRoutes(ctx))
    .use(graphRoutes(ctx))
    .use(executionRoutes(ctx))
    .use(contactRoutes(ctx))
}
