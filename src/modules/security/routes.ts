// Where a project stands with its bounces and complaints. The same under both of its documented addresses; one of them is wrapped.
import { Elysia } from 'elysia'
import { ownProject } from '../../http/project-access'
import type { Context } from '../../platform/context'
import { securityAnswer, wrappedSecurityAnswer } from './model'
import { getSecurity } from './service'

export function securityRoutes(ctx: Context) {
  const tags = ['Projects']
  return new Elysia({ name: 'security', tags })
    .use(ownProject(ctx))
    .get('/users/@me/projects/:id/security', ({ access }) => getSecurity(ctx, access.project.id), {
      response: securityAnswer,
      detail: { summary: 'Bounce and complaint rates, thresholds and suspensions' },
    })
    .get(
      '/projects/:id/security',
      async ({ access }) => ({ success: true, data: await getSecurity(ctx, access.project.id) }),
      {
        response: wrappedSecurityAnswer,
        detail: { summary: 'The same, wrapped' },
      },
    )
}
