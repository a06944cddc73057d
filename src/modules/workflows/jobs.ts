// Background work of workflows: routing events, moving executions on, calling endpoints, ticking, cleaning.
import { hour, minute } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { JobHandlers, JobRun } from '../../platform/jobs/handlers'
import { Discard } from '../../platform/jobs/outcome'
import { type Schedule, schedule } from '../../platform/jobs/schedule'
import {
  advanceExecution,
  cancelBatches,
  makeCall,
  mendSchedules,
  purgeExecutions,
  routeEvent,
  runTick,
  sweepTick,
  tidyListeners,
} from './service'

const all = Number.POSITIVE_INFINITY

export const workflowJobs = {
  'event.route': (ctx, { eventId }, run) => routeEvent(ctx, projectOf(run), eventId),
  'workflow.advance': (ctx, { executionId, version }, run) =>
    advanceExecution(ctx, projectOf(run), executionId, version),
  'workflow.cancel': (ctx, { workflowId }, run) =>
    cancelBatches(ctx, projectOf(run), workflowId, all, run.signal),
  'workflow.mend': (ctx: Context) => mendSchedules(ctx),
  'workflow.purge': (ctx, { workflowId }, run) =>
    purgeExecutions(ctx, projectOf(run), workflowId, run.signal),
  'workflow.sweep': (ctx, { workflowId, at, after }, run) =>
    sweepTick(ctx, projectOf(run), workflowId, new Date(at), after),
  'workflow.tick': (ctx, { workflowId, at }, run) => runTick(ctx, projectOf(run), workflowId, new Date(at)),
  'workflow.tidy': (ctx: Context) => tidyListeners(ctx),
  'workflow.webhook': (ctx, { callId }, run) => makeCall(ctx, projectOf(run), callId, run.signal),
} satisfies JobHandlers

export const workflowSchedules: Schedule[] = [
  schedule('workflow.mend', { everyMs: 5 * minute }, {}),
  schedule('workflow.tidy', { everyMs: hour }, {}),
]

function projectOf({ projectId }: JobRun): string {
  if (projectId === null) throw new Discard('the job names no project')
  return projectId
}
