// The workflows that a contact is in or went through.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { answeredId } from '../../../../../lib/answered'
import { describedAs } from '../../../../../lib/described'
import type { Context } from '../../../../../platform/context'
import { projectAccess } from '../../../../accounts/projects'
import { getContact } from '../../../../audience/contacts'
import { executionStatuses } from '../../words'
import { type ContactExecution, selectContactExecutions } from '../queries/of-contact'

const maxShown = 100

const answer = Type.Object({
  executions: Type.Array(
    Type.Object({
      id: answeredId(),
      workflow: Type.Object({ id: answeredId(), name: Type.String() }),
      status: describedAs(Type.String(), {
        title: 'ExecutionStatus',
        type: 'string',
        enum: executionStatuses,
      }),
      startedAt: Type.String({ format: 'date-time' }),
      completedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    }),
  ),
})

export function contactRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts', tags: ['Workflows'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/:id/executions',
      async ({ access, params }) => {
        const { id } = await getContact(ctx, access.project.id, params.id)
        const found = await selectContactExecutions(ctx, access.project.id, id, maxShown)
        return { executions: found.map(toWire) }
      },
      {
        scope: 'read',
        params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
        response: answer,
        detail: {
          summary: 'The newest 100 executions of a contact, in all workflows',
          description: 'Newest first, each with its workflow and its state.',
        },
      },
    )
}

function toWire({ id, workflowId, workflowName, status, startedAt, completedAt }: ContactExecution) {
  return {
    id,
    workflow: { id: workflowId, name: workflowName },
    status,
    startedAt: startedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}
