// The brand of a project over HTTP.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { brandAnswer, brandBody } from '../brand-model'
import { ownProject, projectActor } from '../guard'
import { idParams } from '../model'
import { changeBrand, describeBrand } from '../service'

export function brandRoutes(ctx: Context) {
  return new Elysia({ prefix: '/projects/:id/brand', tags: ['Projects'], detail: { addition: true } })
    .use(ownProject(ctx))
    .get('', async ({ access }) => await describeBrand(ctx, access.project.id), {
      scope: 'read',
      params: idParams,
      response: brandAnswer,
      detail: {
        summary: 'Get the brand of a project',
        description:
          'Logo, colors, fonts, postal address, social links, and footer text. Templates read it as `{{brand.logo}}`, `{{brand.color}}`, `{{brand.address}}`, and so on.',
      },
    })
    .patch('', async ({ access, body }) => await changeBrand(ctx, projectActor(access), body), {
      right: 'project.settings',
      whileSuspended: true,
      params: idParams,
      body: brandBody,
      response: brandAnswer,
      detail: {
        summary: 'Change the brand of a project',
        description:
          'Members that are left out stay as they are. Emails and pages use the new brand from now on. For ADMIN and OWNER, and for the secret key.',
        errors: [409],
      },
    })
}
