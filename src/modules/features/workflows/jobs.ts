// Background work of workflows: routing events, moving executions on, calling endpoints, running schedules, cleaning up.
import { hour, minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { handle } from '../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import { eventKinds } from '../../audience/events'
import { deleteLeftExecutions, pruneVersions } from './definition/service/remove'
import { workflowKinds } from './kinds'
import { hasWorkflowDeltas } from './runs/queries/counts'
import { makeAdvancing } from './runs/service/advance'
import { makeCall } from './runs/service/call'
import { cancelBatches, rollUpWorkflowCounts } from './runs/service/executions'
import { makeRouting } from './runs/service/route'
import { requeueLostTicks, runTick, startTickPage } from './runs/service/schedule'

const all = Number.POSITIVE_INFINITY

/** `ctx` is the instance's own: executions and events whose turn comes at the same moment share its transactions. */
export function workflowJobs(ctx: Context) {
  const advance = makeAdvancing(ctx)
  const route = makeRouting(ctx)
  return [
    handle(eventKinds.route, (_, { eventId }, run) => route({ projectId: run.projectId, eventId })),
    handle(workflowKinds.advance, (_, at, run) => advance({ projectId: run.projectId, ...at })),
    handle(workflowKinds.cancel, (job, { workflowId }, run) =>
      cancelBatches(job, run.projectId, workflowId, all, run.signal),
    ),
    handle(workflowKinds.rollUp, (job, _, run) => rollUpWorkflowCounts(job, run.signal)),
    handle(workflowKinds.restoreTicks, job => requeueLostTicks(job)),
    handle(workflowKinds.purge, (job, { workflowId }, run) =>
      deleteLeftExecutions(job, run.projectId, workflowId, run.signal),
    ),
    handle(workflowKinds.startPage, (job, { workflowId, at, after }, run) =>
      startTickPage(job, run.projectId, workflowId, new Date(at), after),
    ),
    handle(workflowKinds.tick, (job, { workflowId, at }, run) =>
      runTick(job, run.projectId, workflowId, new Date(at)),
    ),
    handle(workflowKinds.prune, job => pruneVersions(job)),
    handle(workflowKinds.webhook, (job, { callId }, run) =>
      makeCall(job, ctx, run.projectId, callId, run.signal),
    ),
  ]
}

export const workflowSchedules: Schedule[] = [
  schedule(workflowKinds.rollUp, 10 * second, hasWorkflowDeltas),
  schedule(workflowKinds.restoreTicks, 5 * minute),
  schedule(workflowKinds.prune, hour),
]
