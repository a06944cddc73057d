// A project's standing: its bounces and complaints. The same at both documented addresses.

import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { ownProject } from '../../accounts/projects'
import { securityAnswer } from './model'
import { getSecurity } from './service'

export function securityRoutes(ctx: Context) {
  const hooks = {
    scope: 'read' as const,
    response: securityAnswer,
    detail: {
      summary: 'Bounce and complaint rates, thresholds and suspensions',
      description:
        "A project whose rates pass the thresholds is suspended: it can't send then, but reading still works. Both paths give the same answer.",
    },
  }
  return new Elysia({ name: 'security', tags: ['Projects'] })
    .use(ownProject(ctx))
    .get('/users/@me/projects/:id/security', ({ access }) => getSecurity(ctx, access.project.id), hooks)
    .get('/projects/:id/security', ({ access }) => getSecurity(ctx, access.project.id), hooks)
}
