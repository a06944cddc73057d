// The kinds of background work of workflows. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { minute } from '../../../lib/time'
import { chore, idArgument, job, projectJob } from '../../../platform/jobs/kind'

/** How much of a slot a run takes that shares its transaction with others: the more there are at once, the less each of them costs. */
const shared = 1 / 16

/** How much of a slot a run takes that does nothing but wait for somebody else's answer. */
const waiting = 1 / 16

export const workflowKinds = {
  /** Moves an execution on that was started or resumed, or whose time has come; valid for that version of it only. */
  advance: projectJob(
    'workflow.advance',
    'workflow',
    { executionId: idArgument, version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
    { slotShare: shared },
  ),
  /** Continues cancelling the executions of a workflow. */
  cancel: projectJob('workflow.cancel', 'system', { workflowId: idArgument }),
  /** Rolls up the counts of executions. */
  rollUp: job('workflow.rollUp', 'system', {}, { ...chore, formerly: 'workflow.fold' }),
  /** Enqueues again the ticks of schedules whose job was lost. */
  restoreTicks: job('workflow.restoreTicks', 'system', {}, { ...chore, formerly: 'workflow.mend' }),
  /** Deletes what the executions of a deleted workflow left. */
  purge: projectJob('workflow.purge', 'system', { workflowId: idArgument }, { timeLimitMs: 30 * minute }),
  /** Starts a workflow for those contacts past `after` that a tick of its schedule is for. */
  startPage: projectJob(
    'workflow.startPage',
    'workflow',
    {
      workflowId: idArgument,
      at: Type.String({ maxLength: 30 }),
      after: idArgument,
    },
    { formerly: 'workflow.sweep' },
  ),
  /** A tick of a workflow's schedule. */
  tick: projectJob('workflow.tick', 'workflow', {
    workflowId: idArgument,
    at: Type.String({ maxLength: 30 }),
  }),
  /** Makes versions of workflows that nothing runs on stop listening, and deletes counts that are zero. */
  prune: job('workflow.prune', 'system', {}, { ...chore, formerly: 'workflow.tidy' }),
  /** Makes one attempt at a webhook call; the call's own record says when the next one is due. */
  webhook: projectJob(
    'workflow.webhook',
    'workflow',
    { callId: idArgument },
    { maxAttempts: 50, timeLimitMs: 2 * minute, slotShare: waiting },
  ),
}
