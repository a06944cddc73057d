// Executions: starting, reading, cancelling.
import { Elysia } from 'elysia'
import { encodeCursor } from '../../../../../lib/cursor'
import { badRequest } from '../../../../../lib/errors'
import { offsetList, pageOf } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import { projectAccess } from '../../../../accounts/projects'
import * as model from '../../definition/model'
import { executionStatuses } from '../../words'
import {
  executionAnswer,
  executionList,
  stepCounts,
  toExecution,
  toWholeExecution,
  wholeExecution,
} from '../model'
import { positionOf, readExecutionPosition } from '../queries/list'
import {
  executionsBySteps,
  getExecution,
  listExecutions,
  stopAllExecutions,
  stopExecution,
} from '../service/executions'
import { startExecution } from '../service/start'

export function executionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/workflows/:id/executions', tags: ['Workflows'] })
    .use(projectAccess(ctx))
    .post(
      '/',
      async ({ access, params, body, status }) =>
        status(201, toExecution(await startExecution(ctx, access.project.id, params.id, body), new Map())),
      {
        scope: ['write', 'send'],
        params: model.idParams,
        body: model.startBody,
        response: { 201: executionAnswer },
        detail: {
          summary: 'Start an execution for a contact',
          description:
            '`context` is what `{{event.…}}` stands for in its steps. 400 while the workflow is off; 409 for a contact that has been in it, unless re-entry is allowed, and for too many starts within an hour.',
          errors: [409],
          shortErrors: [400],
        },
      },
    )
    .get(
      '/',
      async ({ access, params, query }) => {
        const status = model.readStatus(query.status)
        if (status === 'unknown') throw badRequest(`status must be one of ${executionStatuses.join(', ')}`)
        const page = pageOf(query)
        const after = readExecutionPosition(query.cursor)
        const { contactId, stepId } = query
        const listing = { workflowId: params.id, status, contactId, stepId, after }
        const { rows, total, steps } = await listExecutions(ctx, access.project.id, listing, page)
        const shown = rows.slice(0, page.pageSize)
        const hasMore = after ? rows.length > shown.length : page.offset + shown.length < total
        const last = shown.at(-1)
        return {
          ...offsetList(
            shown.map(row => toExecution(row, steps)),
            page,
            total,
          ),
          cursor: hasMore && last ? encodeCursor(positionOf(last)) : null,
          hasMore,
        }
      },
      {
        scope: 'read',
        params: model.idParams,
        query: model.executionQuery,
        response: executionList,
        detail: {
          summary: 'List executions, newest first',
          description:
            'By page number, or page after page by `cursor`, which stays quick however long the list is.',
        },
      },
    )
    .get('/steps', async ({ access, params }) => await executionsBySteps(ctx, access.project.id, params.id), {
      scope: 'read',
      params: model.idParams,
      response: stepCounts,
      detail: {
        summary: 'Count the active executions at each step',
        description:
          'Active executions are running or waiting. `GET /workflows/:id/executions?stepId=…` lists them.',
        addition: true,
      },
    })
    .post(
      '/cancel-all',
      async ({ access, params }) => ({
        cancelled: await stopAllExecutions(ctx, access.project.id, params.id),
      }),
      {
        scope: 'write',
        params: model.idParams,
        response: model.cancelledAnswer,
        detail: {
          summary: 'Cancel every active execution',
          description: 'Of very many the first are cancelled at once and the others soon after.',
        },
      },
    )
    .get(
      '/:executionId',
      async ({ access, params }) =>
        toWholeExecution(await getExecution(ctx, access.project.id, params.id, params.executionId)),
      {
        scope: 'read',
        params: model.executionParams,
        response: wholeExecution,
        detail: {
          summary: 'Get an execution with its history',
          description: 'Each step that was taken, with its result, and with the error if it failed.',
        },
      },
    )
    .delete(
      '/:executionId',
      async ({ access, params }) => {
        const { execution, steps } = await stopExecution(
          ctx,
          access.project.id,
          params.id,
          params.executionId,
        )
        return toExecution(execution, steps)
      },
      {
        scope: 'write',
        params: model.executionParams,
        response: executionAnswer,
        detail: {
          summary: 'Cancel a running or waiting execution',
          description: 'What a step has sent stays sent. 409 for one that has ended.',
          errors: [409],
        },
      },
    )
}
