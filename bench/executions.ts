// The lists of workflows and executions of a project in which a million contacts went through one workflow: how long the database works
// on each answer (aim: below 50 ms, and no table read from end to end). `bun bench/executions.ts 100000` sets how many.

import { createWorkflow } from '../src/modules/features/workflows/definition/service/definitions'
import { listWorkflows } from '../src/modules/features/workflows/definition/service/read'
import { listExecutions } from '../src/modules/features/workflows/runs/service/executions'
import type { ExecutionStatus } from '../src/modules/features/workflows/words'
import type { Context } from '../src/platform/context'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { openPlanReader } from './support/plans'
import { askAll, type Question } from './support/questions'
import { benchServer, quietContext } from './support/server'

const aim = { ms: 50, large: ['workflow_executions', 'workflow_active'] }
/** Deltas that are not rolled up yet. */
const unfolded = 5_000

interface Filled {
  projectId: string
  workflowId: string
  contactId: string
}

/** Six in ten wait, very few run or have failed, and the others have ended in one of two ways; `share` of them has been rolled up. */
async function fill(ctx: Context, count: number): Promise<Filled> {
  const projectId = ctx.random.uuid(ctx.clock.now())
  const { id: workflowId } = await createWorkflow(ctx, projectId, { name: 'Bench', eventName: 'bench' })
  await ctx.sql`
    insert into workflow_executions (id, project_id, workflow_id, snapshot_id, contact_id, status, current_step_id, is_inside,
                                     context, version, once, wait_event, started_at, completed_at, created_at, updated_at)
    select uuid_v7(at, n), ${projectId}, ${workflowId}, ${workflowId}, md5(n::text)::uuid, status, ${workflowId}, true,
           '{"n": 1}', 1, false, case when status = 'WAITING' then 'answer' end, at,
           case when status not in ('RUNNING', 'WAITING') then at end, at, at
      from generate_series(1, ${count}::int) n
     cross join lateral (select now() - n * interval '1 second' as at,
                                case when n % 50000 = 1 then 'RUNNING' when n % 50000 = 7 then 'FAILED' when n % 10 < 6 then 'WAITING'
                                     when n % 10 = 7 then 'EXITED' else 'COMPLETED' end as status) as one`
  await ctx.sql`
    insert into workflow_active (project_id, workflow_id, status, started_at, execution_id)
    select project_id, workflow_id, status, started_at, id from workflow_executions where completed_at is null`
  await ctx.sql`
    insert into workflow_counts (project_id, workflow_id, status, executions)
    select project_id, workflow_id, status, count(*) from workflow_executions group by 1, 2, 3`
  await ctx.sql`
    insert into workflow_deltas (project_id, workflow_id, status, executions)
    select ${projectId}, ${workflowId}, 'RUNNING', case when n % 2 = 0 then 1 else -1 end
      from generate_series(1, ${unfolded}::int) n`
  for (const table of [...aim.large, 'workflow_counts', 'workflow_deltas'])
    await ctx.sql.unsafe(`vacuum analyze ${table}`)
  const [row] = await ctx.sql<{ contactId: string }[]>`
    select contact_id as "contactId" from workflow_executions limit 1`
  return { projectId, workflowId, contactId: row!.contactId }
}

function questions({ projectId, workflowId, contactId }: Filled, count: number): Question[] {
  const pageSize = 20
  const list =
    (of: { status?: ExecutionStatus; contactId?: string }, share = 0) =>
    async (ctx: Context): Promise<void> => {
      const offset = Math.floor((count * share) / pageSize) * pageSize
      const page = { page: offset / pageSize + 1, pageSize, offset }
      const { rows, total } = await listExecutions(ctx, projectId, { workflowId, ...of }, page)
      if (rows.length !== Math.min(pageSize, Math.max(0, total - offset))) throw new Error('rows are missing')
    }
  const workflows = (ctx: Context) =>
    listWorkflows(ctx, projectId, { sort: 'createdAt', dir: 'desc' }, { page: 1, pageSize, offset: 0 })
  return [
    ['workflows', workflows],
    ['executions', list({})],
    ['executions, page in the middle', list({}, 0.5)],
    ['executions, page three quarters down', list({}, 0.75)],
    ['executions, last page', list({}, 1 - pageSize / count)],
    ['WAITING', list({ status: 'WAITING' })],
    ['WAITING, page in the middle', list({ status: 'WAITING' }, 0.3)],
    ['RUNNING (few)', list({ status: 'RUNNING' })],
    ['COMPLETED', list({ status: 'COMPLETED' })],
    ['COMPLETED, page in the middle', list({ status: 'COMPLETED' }, 0.15)],
    ['EXITED', list({ status: 'EXITED' })],
    ['FAILED (few)', list({ status: 'FAILED' })],
    ['CANCELLED (none)', list({ status: 'CANCELLED' })],
    ['of a contact', list({ contactId })],
    ['of a contact, FAILED', list({ contactId, status: 'FAILED' })],
  ]
}

export async function run(count = 1_000_000): Promise<void> {
  const server = await benchServer()
  try {
    const url = await server.createDatabase()
    const database = openDatabase(url, { max: 4 })
    await migrate(database.sql, migrations, new Date())
    const filled = await fill(quietContext(database), count)
    const reader = await openPlanReader(database, url)
    await askAll(reader, async () => questions(filled, count), aim).finally(() => reader.close())
    await database.close()
  } finally {
    await server.stop()
  }
}

if (import.meta.main) await run(Number(process.argv.slice(2).find(each => /^\d+$/.test(each)) ?? 1_000_000))
