// Mail that is in no ledger, while all mail stays in the outbox. People only, and each sees what is meant for them: what would open
// somebody's account is shown to nobody but whoever runs the instance, who has the files anyway.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { getOutboxMail, listOutbox, type OutboxAudience } from '../../letters'
import { type Access, may, projectAccess } from '../../projects'
import { isOperator } from '../../users'
import { mailParams, outboxList, outboxMail, toListedMail, toWholeMail } from '../outbox-model'

export function outboxRoutes(ctx: Context) {
  return new Elysia({ prefix: '/outbox', tags: ['Instance'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access }) => ({
        data: (await listOutbox(ctx, await readerOf(ctx, access))).map(toListedMail),
      }),
      {
        scope: 'people',
        response: outboxList,
        detail: {
          summary: 'Tests, invitations and mail of the instance in the outbox',
          description:
            'The newest hundred of the last seven days, where all mail stays in the outbox; empty elsewhere. Tests and notices for members, invitations for ADMIN and OWNER, everything else for the operator alone.',
        },
      },
    )
    .get(
      '/:id',
      async ({ access, params }) =>
        toWholeMail(await getOutboxMail(ctx, await readerOf(ctx, access), params.id)),
      {
        scope: 'people',
        params: mailParams,
        response: outboxMail,
        detail: {
          summary: 'One of them with its content',
          description: '404 alike for one that is not there and one that is for others.',
        },
      },
    )
}

async function readerOf(ctx: Context, { project, role, actor }: Access) {
  const runsIt = actor.type === 'user' && (await isOperator(ctx, actor.userId))
  const audiences: OutboxAudience[] = [
    'members',
    ...(may(role, 'members.manage') ? (['admins'] as const) : []),
    ...(runsIt ? (['operator'] as const) : []),
  ]
  return { projectId: project.id, audiences }
}
