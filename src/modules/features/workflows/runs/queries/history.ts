// Reading executions and what they have been through.
import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../../../../platform/context'
import { contacts } from '../../../../audience/contacts'
import type { Graph, StepType } from '../../words'
import { workflowCallAttempts, workflowExecutions, workflowStepExecutions } from '../schema'
import type { ExecutionRow } from './executions'

export interface NamedStep {
  id: string
  name: string
  type: StepType
}

export interface ListedExecution extends ExecutionRow {
  /** Null when the contact is gone. */
  email: string | null
}

export async function selectExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<ListedExecution | undefined> {
  const [row] = await withContacts(ctx).where(
    and(
      eq(workflowExecutions.projectId, projectId),
      eq(workflowExecutions.id, id),
      eq(workflowExecutions.workflowId, workflowId),
    ),
  )
  return row && { ...row.execution, email: row.email }
}

/** Executions with the addresses of their contacts. */
export function withContacts(ctx: Context) {
  return ctx.db
    .select({ execution: workflowExecutions, email: contacts.email })
    .from(workflowExecutions)
    .leftJoin(
      contacts,
      and(
        eq(contacts.projectId, workflowExecutions.projectId),
        eq(contacts.id, workflowExecutions.contactId),
      ),
    )
}

/** Steps of snapshots by name, for executions whose step may have been edited or deleted since. */
export async function selectSnapshotSteps(
  ctx: Context,
  projectId: string,
  snapshotIds: readonly string[],
): Promise<Map<string, NamedStep>> {
  const rows = await ctx.sql<{ snapshotId: string; steps: NamedStep[] }[]>`
    select id as "snapshotId", jsonb_path_query_array(graph, '$.steps[*]') as steps
      from workflow_snapshots where project_id = ${projectId}::uuid and id = any(${snapshotIds as string[]}::uuid[])`
  const named = rows.flatMap(({ steps }) =>
    steps.map(({ id, name, type }) => [id, { id, name, type }] as const),
  )
  return new Map(named)
}

/** The graph of a snapshot, without the parts that only the engine reads. */
export async function selectSnapshotGraph(
  ctx: Context,
  projectId: string,
  snapshotId: string,
): Promise<Graph | undefined> {
  const [row] = await ctx.sql<Graph[]>`
    select graph -> 'steps' as steps, graph -> 'transitions' as transitions
      from workflow_snapshots where project_id = ${projectId}::uuid and id = ${snapshotId}::uuid`
  return row
}

export type StepExecutionRow = typeof workflowStepExecutions.$inferSelect

/** In the order in which they began. */
export async function selectStepExecutions(
  ctx: Context,
  projectId: string,
  executionId: string,
): Promise<StepExecutionRow[]> {
  return await ctx.db
    .select()
    .from(workflowStepExecutions)
    .where(
      and(
        eq(workflowStepExecutions.projectId, projectId),
        inArray(workflowStepExecutions.executionId, [executionId]),
      ),
    )
    .orderBy(workflowStepExecutions.id)
}

export type CallAttemptRow = typeof workflowCallAttempts.$inferSelect

export async function selectCallAttempts(
  ctx: Context,
  projectId: string,
  executionId: string,
): Promise<CallAttemptRow[]> {
  return await ctx.db
    .select()
    .from(workflowCallAttempts)
    .where(
      and(eq(workflowCallAttempts.projectId, projectId), eq(workflowCallAttempts.executionId, executionId)),
    )
    .orderBy(workflowCallAttempts.stepId, workflowCallAttempts.attempt)
}
