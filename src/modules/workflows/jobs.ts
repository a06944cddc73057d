// Background work of workflows: routing events, moving executions on, calling endpoints, ticking, cleaning.
import { hour, minute, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { JobHandlers, JobRun } from '../../platform/jobs/handlers'
import { Discard } from '../../platform/jobs/outcome'
import { type Schedule, schedule } from '../../platform/jobs/schedule'
import {
  cancelBatches,
  foldWorkflowCounts,
  makeAdvancing,
  makeCall,
  makeRouting,
  mendSchedules,
  purgeExecutions,
  runTick,
  sweepTick,
  tidyWorkflows,
} from './service'

const all = Number.POSITIVE_INFINITY

/** `ctx` is the instance's own: executions and events whose turn comes at the same moment share its transactions. */
export function workflowJobs(ctx: Context) {
  const advance = makeAdvancing(ctx)
  const route = makeRouting(ctx)
  return {
    'event.route': (_, { eventId }, run) => route({ projectId: projectOf(run), eventId }),
    'workflow.advance': (_, at, run) => advance({ projectId: projectOf(run), ...at }),
    'workflow.cancel': (job, { workflowId }, run) =>
      cancelBatches(job, projectOf(run), workflowId, all, run.signal),
    'workflow.fold': (job, _, run) => foldWorkflowCounts(job, run.signal),
    'workflow.mend': job => mendSchedules(job),
    'workflow.purge': (job, { workflowId }, run) =>
      purgeExecutions(job, projectOf(run), workflowId, run.signal),
    'workflow.sweep': (job, { workflowId, at, after }, run) =>
      sweepTick(job, projectOf(run), workflowId, new Date(at), after),
    'workflow.tick': (job, { workflowId, at }, run) => runTick(job, projectOf(run), workflowId, new Date(at)),
    'workflow.tidy': job => tidyWorkflows(job),
    'workflow.webhook': (job, { callId }, run) => makeCall(job, ctx, projectOf(run), callId, run.signal),
  } satisfies JobHandlers
}

export const workflowSchedules: Schedule[] = [
  schedule('workflow.fold', { everyMs: 10 * second }, {}),
  schedule('workflow.mend', { everyMs: 5 * minute }, {}),
  schedule('workflow.tidy', { everyMs: hour }, {}),
]

function projectOf({ projectId }: JobRun): string {
  if (projectId === null) throw new Discard('the job names no project')
  return projectId
}
