// Workflows over HTTP.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { definitionRoutes } from './definition/routes/definitions'
import { graphRoutes } from './definition/routes/graph'
import { executionRoutes } from './runs/routes/executions'
import { contactRoutes } from './runs/routes/of-contact'
import { simulationRoutes } from './simulation/routes'

export function workflowsRoutes(ctx: Context) {
  return new Elysia({ name: 'workflows' })
    .use(definitionRoutes(ctx))
    .use(simulationRoutes(ctx))
    .use(graphRoutes(ctx))
    .use(executionRoutes(ctx))
    .use(contactRoutes(ctx))
}
