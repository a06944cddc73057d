// The workflows themselves.
import { Elysia } from 'elysia'
import { direction, offsetList, pageOf, sortKey } from '../../../../../lib/paging'
import type { Context } from '../../../../../platform/context'
import { liveRule, projectAccess } from '../../../../accounts/projects'
import { toListedWorkflow, toWholeWorkflow, toWorkflow } from '../answer-model'
import * as model from '../model'
import { workflowSortKeys } from '../queries/definitions'
import { createWorkflow, duplicateWorkflow, updateWorkflow } from '../service/definitions'
import { listConditionFields } from '../service/fields'
import { getWholeWorkflow, listWorkflows } from '../service/read'
import { removeWorkflow } from '../service/remove'
import { listWorkflowWarnings } from '../service/warnings'

const { idParams: params } = model

export function definitionRoutes(ctx: Context) {
  return new Elysia({ prefix: '/workflows', tags: ['Workflows'] })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const page = pageOf(query)
        const { status } = query
        const { rows, total } = await listWorkflows(
          ctx,
          access.project.id,
          {
            search: query.search?.trim(),
            ...(status === 'active' || status === 'disabled' ? { enabled: status === 'active' } : {}),
            sort: sortKey(query.sort, workflowSortKeys, 'createdAt'),
            dir: direction(query.dir),
          },
          page,
        )
        return offsetList(rows.map(toListedWorkflow), page, total)
      },
      {
        scope: 'read',
        query: model.listQuery,
        response: model.workflowList,
        detail: {
          summary: 'List workflows',
          description:
            'By page number, each with how many of its executions are in each state. `status` narrows the list.',
        },
      },
    )
    .get(
      '/fields',
      async ({ access, query }) => {
        const typedFields = await listConditionFields(ctx, access.project.id, query.eventName || null)
        return { fields: typedFields.map(({ field }) => field), typedFields, count: typedFields.length }
      },
      {
        scope: 'read',
        query: model.fieldsQuery,
        response: model.fieldsAnswer,
        detail: {
          summary: 'Fields that CONDITION steps can look at',
          description:
            'Fields of contacts, and of the newest events, either with the name `eventName` or with any.',
        },
      },
    )
    .post(
      '/',
      async ({ access, body, status }) =>
        status(201, toWorkflow(await createWorkflow(ctx, access.project.id, body))),
      {
        scope: 'write',
        body: model.createBody,
        response: { 201: model.workflowAnswer },
        detail: {
          summary: 'Create a workflow',
          description: 'It starts with an event and is off.',
          shortErrors: [400],
        },
      },
    )
    .get(
      '/:id',
      async ({ access, params: { id } }) =>
        toWholeWorkflow(await getWholeWorkflow(ctx, access.project.id, id)),
      {
        scope: 'read',
        params,
        response: model.wholeWorkflow,
        detail: {
          summary: 'Get a workflow with steps and transitions',
          description: 'The whole graph, as it is now. An execution keeps the graph that it started with.',
        },
      },
    )
    .patch(
      '/:id',
      async ({ access, params: { id }, body }) => {
        const rule = liveRule(access)
        const row = await updateWorkflow(ctx, access.project.id, id, body as model.UpdateBody, rule)
        const warnings = row.enabled ? await listWorkflowWarnings(ctx, access.project.id, id) : []
        return { ...toWorkflow(row), warnings }
      },
      {
        scope: 'write',
        params,
        body: model.updateBody,
        response: model.changedWorkflow,
        detail: {
          summary: 'Change a workflow',
          description: 'One that is on is checked for loops with others; `warnings` says what was found.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:id',
      async ({ access, params: { id }, status }) => {
        await removeWorkflow(ctx, access.project.id, id)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params,
        detail: {
          summary: 'Delete a workflow in which nothing runs',
          description:
            '409 while an execution is running or waiting: cancel it, or wait until it ends. Executions that have ended are deleted with the workflow.',
          errors: [409],
        },
      },
    )
    .post(
      '/:id/duplicate',
      async ({ access, params: { id }, status }) =>
        status(201, toWorkflow(await duplicateWorkflow(ctx, access.project.id, id))),
      {
        scope: 'write',
        params,
        response: { 201: model.workflowAnswer },
        detail: {
          summary: 'Copy a workflow',
          description: 'The copy has steps and transitions of its own, and is off.',
          addition: true,
        },
      },
    )
}
