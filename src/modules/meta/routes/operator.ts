// For whoever runs the instance: its state, what the doctor finds, and the jobs that were given up.
import { Elysia } from 'elysia'
import { cursorList, limitOf } from '../../../lib/page'
import type { Context } from '../../../platform/context'
import { session } from '../../users'
import { failedList, failedQuery, findingsAnswer, stateAnswer, toFailed } from '../operator-model'
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
