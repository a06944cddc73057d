// For whoever runs the instance: its state, what the doctor finds, and the jobs that were given up.
import { Elysia } from 'elysia'
import { cursorList, limitOf } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { type Access, may, projectAccess } from '../../../accounts/projects'
import { getOutboxMail, listOutbox, type OutboxAudience } from '../../../accounts/system-emails'
import { isOperator, session } from '../../../accounts/users'
import {
  failedList,
  failedQuery,
  findingsAnswer,
  mailParams,
  outboxList,
  outboxMail,
  stateAnswer,
  toFailed,
  toListedMail,
  toWholeMail,
} from '../model'
import { describeState, type Examine, examination, listFailed } from '../service'

const forOperator = 'For the account that was created first.'

export function operatorRoutes(ctx: Context, examine: Examine) {
  const findings = examination(ctx, examine)
  return new Elysia({ prefix: '/instance', tags: ['Instance'], detail: { addition: true } })
    .use(session(ctx, { operator: true }))
    .get('', () => describeState(ctx), {
      response: stateAnswer,
      detail: {
        summary: 'What the instance runs on, and its jobs by kind',
        description: forOperator,
      },
    })
    .get('/findings', () => findings(), {
      response: findingsAnswer,
      detail: { summary: 'What `waxwing doctor` finds', description: forOperator },
    })
    .get(
      '/failed-jobs',
      async ({ query }) => {
        const limit = limitOf(query.limit)
        const rows = await listFailed(ctx, { ...query, limit })
        return cursorList(rows, limit, 0, toFailed, ({ id, finishedAt }) => ({
          value: finishedAt.toISOString(),
          id,
        }))
      },
      {
        query: failedQuery,
        response: failedList,
        detail: {
          summary: 'Jobs that were given up, newest first',
          description: `${forOperator} They are kept for a while; \`total\` is not counted.`,
        },
      },
    )
}

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
