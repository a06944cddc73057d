// Trying a workflow out.
import { Elysia } from 'elysia'
import { optionalBody } from '../../../../http/body-check'
import type { Context } from '../../../../platform/context'
import { projectAccess } from '../../../accounts/projects'
import { idParams as params } from '../definition/model'
import { type SimulateBody, simulateBody, simulationAnswer } from './model'
import { simulateWorkflow } from './service'

export function simulationRoutes(ctx: Context) {
  return new Elysia({ prefix: '/workflows', tags: ['Workflows'] })
    .use(projectAccess(ctx))
    .post(
      '/:id/simulate',
      async ({ access, params: { id }, body }) =>
        await simulateWorkflow(ctx, access.project.id, id, body as SimulateBody),
      {
        scope: 'read',
        params,
        parse: optionalBody,
        body: simulateBody,
        response: simulationAnswer,
        detail: {
          summary: 'Try a workflow out',
          description: 'Runs it on a simulated clock. Nothing is sent, called or stored.',
          addition: true,
        },
      },
    )
}
