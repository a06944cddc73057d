// Steps and transitions.
import { Elysia } from 'elysia'
import type { Context } from '../../../../../platform/context'
import { projectAccess } from '../../../../accounts/projects'
import { toStep, toTransition, toWholeWorkflow } from '../answer-model'
import { type GraphBody, graphBody } from '../graph-model'
import * as model from '../model'
import { getWholeWorkflow } from '../service/definitions'
import { saveGraph } from '../service/save-graph'
import { addStep, removeStep, updateStep } from '../service/steps'
import { addTransition, removeTransition } from '../service/transitions'
import { listWorkflowWarnings } from '../service/warnings'
import { requireCalling, requireCallingOf, requireChanging } from './rights'

export function graphRoutes(ctx: Context) {
  return new Elysia({ prefix: '/workflows', tags: ['Workflows'] })
    .use(projectAccess(ctx))
    .put(
      '/:id/graph',
      async ({ access, params: { id }, body }) => {
        await requireChanging(ctx, access, id)
        for (const step of (body as GraphBody).steps) requireCalling(access, step)
        await saveGraph(ctx, access.project.id, id, body as GraphBody)
        const [whole, warnings] = await Promise.all([
          getWholeWorkflow(ctx, access.project.id, id),
          listWorkflowWarnings(ctx, access.project.id, id),
        ])
        return { ...toWholeWorkflow(whole), warnings }
      },
      {
        scope: 'write',
        params: model.idParams,
        body: graphBody,
        response: model.savedWorkflow,
        detail: {
          summary: 'Replace all steps and transitions',
          description:
            'What an editor saves: steps that are missing are deleted, those with new ids added, and all faults reported at once. `warnings` are those that turning it on would give.',
          addition: true,
          errors: [409],
        },
      },
    )
    .post(
      '/:id/steps',
      async ({ access, params, body, status }) => {
        await requireChanging(ctx, access, params.id)
        requireCalling(access, body)
        return status(201, toStep(await addStep(ctx, access.project.id, params.id, body as model.StepBody)))
      },
      {
        scope: 'write',
        params: model.idParams,
        body: model.stepBody,
        response: { 201: model.stepAnswer },
        detail: {
          summary: 'Add a step',
          description:
            'It is connected to the last step as long as the steps form a plain chain, unless `autoConnect` is false. `config` depends on the type; a second TRIGGER is 400. Executions that have started keep their graph.',
          shortErrors: [400],
        },
      },
    )
    .patch(
      '/:id/steps/:stepId',
      async ({ access, params, body }) => {
        await requireChanging(ctx, access, params.id)
        await requireCallingOf(ctx, access, params, body.config)
        return toStep(await updateStep(ctx, access.project.id, params.id, params.stepId, body))
      },
      {
        scope: 'write',
        params: model.stepParams,
        body: model.stepPatch,
        response: model.stepAnswer,
        detail: {
          summary: 'Change a step',
          description: 'Executions that are running keep the step that they started with.',
          errors: [409],
        },
      },
    )
    .delete(
      '/:id/steps/:stepId',
      async ({ access, params, query, status }) => {
        await requireChanging(ctx, access, params.id)
        const splice = query.splice === 'true' || query.splice === '1'
        await removeStep(ctx, access.project.id, params.id, params.stepId, splice)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: model.stepParams,
        query: model.spliceQuery,
        detail: {
          summary: 'Delete a step and the transitions at it',
          description: '`splice=true` connects what comes before it to what comes after it.',
        },
      },
    )
    .post(
      '/:id/transitions',
      async ({ access, params, body, status }) => {
        await requireChanging(ctx, access, params.id)
        return status(
          201,
          toTransition(await addTransition(ctx, access.project.id, params.id, body as model.TransitionBody)),
        )
      },
      {
        scope: 'write',
        params: model.idParams,
        body: model.transitionBody,
        response: { 201: model.transitionAnswer },
        detail: {
          summary: 'Connect two steps',
          description:
            'A CONDITION needs a `branch`, a WAIT_FOR_EVENT a `waitOutcome`. 400 for a transition that would make a loop, or give a step a second way out.',
          shortErrors: [400],
        },
      },
    )
    .delete(
      '/:id/transitions/:transitionId',
      async ({ access, params, status }) => {
        await requireChanging(ctx, access, params.id)
        await removeTransition(ctx, access.project.id, params.id, params.transitionId)
        return status(204, undefined)
      },
      {
        scope: 'write',
        params: model.transitionParams,
        detail: {
          summary: 'Delete a transition',
          description: 'Both steps stay. Executions that have started keep their graph.',
        },
      },
    )
}
