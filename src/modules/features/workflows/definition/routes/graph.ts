// Steps and transitions.
import { Elysia } from 'elysia'
import type { Context } from '../../../../../platform/context'
import { liveRule, projectAccess } from '../../../../accounts/projects'
import { toStep, toTransition, toWholeWorkflow } from '../answer-model'
import { type GraphBody, graphBody } from '../graph-model'
import * as model from '../model'
import { getWholeWorkflow } from '../service/read'
import { saveGraph } from '../service/save-graph'
import { addStep, removeStep, updateStep } from '../service/steps'
import { addTransition, removeTransition } from '../service/transitions'
import { listWorkflowWarnings } from '../service/warnings'
import { requireCalling, requireCallingOf } from './rights'

export function graphRoutes(ctx: Context) {
  return new Elysia({ prefix: '/workflows', tags: ['Workflows'] })
    .use(projectAccess(ctx))
    .put(
      '/:id/graph',
      async ({ access, params: { id }, body }) => {
        for (const step of (body as GraphBody).steps) requireCalling(access, step)
        await saveGraph(ctx, access.project.id, id, body as GraphBody, liveRule(access))
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
        requireCalling(access, body)
        const given = body as model.StepBody
        return status(201, toStep(await addStep(ctx, access.project.id, params.id, given, liveRule(access))))
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
        await requireCallingOf(ctx, access, params, body.config)
        return toStep(
          await updateStep(ctx, access.project.id, params.id, params.stepId, body, liveRule(access)),
        )
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
        const splice = query.splice === 'true' || query.splice === '1'
        await removeStep(ctx, access.project.id, params.id, params.stepId, splice, liveRule(access))
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
        const given = body as model.TransitionBody
        const edge = await addTransition(ctx, access.project.id, params.id, given, liveRule(access))
        return status(201, toTransition(edge))
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
        await removeTransition(ctx, access.project.id, params.id, params.transitionId, liveRule(access))
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
