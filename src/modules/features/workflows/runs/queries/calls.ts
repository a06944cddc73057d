// Webhook calls under way, and their attempts.
import type { Context } from '../../../../../platform/context'
import { insertRows } from '../../../../../platform/db/insert-rows'
import { workflowCalls } from '../schema'
import type { CallAttemptRow } from './history'

export interface NewCall {
  id: string
  projectId: string
  executionId: string
  stepId: string
  version: number
  url: string
  method: string
  headers: Record<string, string>
  body: string | null
}

const callNames = [
  'id',
  'projectId',
  'executionId',
  'stepId',
  'version',
  'url',
  'method',
  'headers',
  'body',
  'createdAt',
] as const

export async function insertCalls(ctx: Context, calls: readonly NewCall[]): Promise<void> {
  const createdAt = ctx.clock.now()
  await insertRows(
    ctx,
    workflowCalls,
    callNames,
    calls.map(call => ({ ...call, createdAt })),
  )
}

export interface DueCall extends NewCall {
  createdAt: Date
  /** Attempts so far. */
  attempts: number
  /** Null when the project is gone. */
  webhookSecretSealed: string | null
  projectDisabled: boolean
  isCurrent: boolean
}

/** The call with what its next attempt needs; `isCurrent` is false when its execution has moved on. */
export async function selectCall(ctx: Context, projectId: string, id: string): Promise<DueCall | undefined> {
  const [row] = await ctx.sql<DueCall[]>`
    select k.id, k.project_id as "projectId", k.execution_id as "executionId", k.step_id as "stepId", k.version, k.url, k.method,
           k.headers, k.body, k.created_at as "createdAt",
           p.webhook_secret_sealed as "webhookSecretSealed", coalesce(p.disabled or p.closing is not null, true) as "projectDisabled",
           (select count(*) from workflow_call_attempts a
             where a.project_id = k.project_id and a.execution_id = k.execution_id and a.step_id = k.step_id) as attempts,
           exists (select from workflow_executions e
                    where e.project_id = k.project_id and e.id = k.execution_id and e.version = k.version
                      and e.status = 'RUNNING') as "isCurrent"
      from workflow_calls k left join projects p on p.id = k.project_id
     where k.project_id = ${projectId}::uuid and k.id = ${id}::uuid`
  return row
}

/** False when the same attempt has been recorded already: the job was run twice. */
export async function insertAttempt(ctx: Context, row: CallAttemptRow): Promise<boolean> {
  const inserted = await ctx.sql`
    insert into workflow_call_attempts (project_id, execution_id, step_id, attempt, url, outcome, status_code, error, response,
                                        started_at, finished_at)
    values (${row.projectId}, ${row.executionId}, ${row.stepId}, ${row.attempt}, ${row.url}, ${row.outcome}, ${row.statusCode},
            ${row.error}, ${row.response}, ${row.startedAt}::timestamptz, ${row.finishedAt}::timestamptz)
    on conflict do nothing`
  return inserted.count === 1
}

export async function deleteCall(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql`delete from workflow_calls where project_id = ${projectId}::uuid and id = ${id}::uuid`
}
