// How long a project keeps what it collects about people.
import { Elysia } from 'elysia'
import type { Context } from '../../../../platform/context'
import { ownProject, projectActor } from '../../../accounts/projects'
import {
  previewAnswer,
  retentionAnswer,
  retentionBody,
  retentionChange,
  toPreview,
  toRetention,
  toRules,
} from '../model'
import { changeRetention, findRetention, previewRetention } from '../service/retention'

export function retentionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/projects/:id/retention', tags: ['Projects'], detail: { addition: true } })
    .use(ownProject(ctx))
    .get('/', async ({ access }) => toRetention(await findRetention(ctx, access.project.id)), {
      scope: 'secretKey',
      response: retentionAnswer,
      detail: {
        summary: 'How long events, messages and inactive contacts are kept',
        description:
          'What no rule limits is kept as long as the project. A stricter rule takes effect a day later, at `effectiveAt`.',
      },
    })
    .put(
      '/',
      async ({ access, body }) =>
        toRetention(await changeRetention(ctx, projectActor(access), toRules(body), body.expected)),
      {
        right: 'project.settings',
        whileSuspended: true,
        body: retentionChange,
        response: retentionAnswer,
        detail: {
          summary: 'Set how long events, messages and inactive contacts are kept',
          description:
            'Stricter rules take effect a day later; until then you can undo them. `expected` is the rules that you read: if someone else has changed them since, the answer is 409.',
          errors: [409],
        },
      },
    )
    .post(
      '/preview',
      async ({ access, body }) => toPreview(await previewRetention(ctx, access.project.id, toRules(body))),
      {
        scope: 'secretKey',
        whileSuspended: true,
        body: retentionBody,
        response: previewAnswer,
        detail: {
          summary: 'What would be deleted now by such rules; changes nothing',
          description:
            'Counted up to 10,000 of each. For inactive contacts, the oldest 50,000 contacts are looked at.',
        },
      },
    )
}
