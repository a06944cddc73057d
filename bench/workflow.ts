// Steps of workflows per second, compared with the bare job runner running as many jobs that do nothing (aim: 0.4). A step is one of an
// execution, each with a row of history, the trigger included. How many jobs they share is up to the engine. Then what 10,000 calls of
// /v1/track, each of which starts an execution, do to /v1/send: its p99 compared with /v1/send alone (aim: at most twice).
import { Type } from '@sinclair/typebox'
import { lockWorkflow } from '../src/modules/features/workflows/definition/queries/definitions'
import {
  createWorkflow,
  updateWorkflow,
} from '../src/modules/features/workflows/definition/service/definitions'
import { addStep } from '../src/modules/features/workflows/definition/service/steps'
import { addTransition } from '../src/modules/features/workflows/definition/service/transitions'
import { workflowJobs } from '../src/modules/features/workflows/jobs'
import { workflowKinds } from '../src/modules/features/workflows/kinds'
import { startExecutions } from '../src/modules/features/workflows/runs/service/start'
import { addSandboxDomain } from '../src/modules/sending/domains/service'
import { emailKinds } from '../src/modules/sending/emails/kinds'
import { createTemplate } from '../src/modules/sending/templates/service'
import { type Context, inTransaction } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { enqueueMany } from '../src/platform/jobs/enqueue'
import { type BoundJob, type HandlerTable, handle, handlerTable, job } from '../src/platform/jobs/kind'
import { startRunner } from '../src/platform/jobs/runner'
import { makeJobSignal } from '../src/platform/jobs/wake'
import { cpuOfAll } from './support/cpu'
import { benchServer, quietContext } from './support/server'
import { measureBeside } from './support/track-beside-send'

const executions = 4_000
const rounds = 3
const condition = { field: 'data.plan', operator: 'equals', value: 'pro' }
/** So short that it is over by the time its job is looked for: work is measured, not waiting. */
const delay = { type: 'DELAY', config: { amount: 0.0001, unit: 'minutes' } } as const

type Spec = { type: 'CONDITION' | 'DELAY' | 'UPDATE_CONTACT' | 'SEND_EMAIL' | 'EXIT'; config?: object }
const chains: Record<string, Spec[]> = {
  'decide and wait': [
    { type: 'CONDITION', config: condition },
    delay,
    { type: 'CONDITION', config: condition },
    delay,
    { type: 'EXIT', config: { reason: 'over' } },
  ],
  'change the contact': [
    { type: 'CONDITION', config: condition },
    { type: 'UPDATE_CONTACT', config: { updates: { seen: 'yes' } } },
    delay,
    { type: 'EXIT', config: { reason: 'over' } },
  ],
  'send a mail': [
    { type: 'CONDITION', config: condition },
    delay,
    { type: 'SEND_EMAIL' },
    { type: 'EXIT', config: { reason: 'over' } },
  ],
}

interface Measured {
  perSecond: number
  /** Processor time of everything that took part, per step or job. */
  cpuMicroseconds: number
}

/** Runs jobs with these handlers until `isDone`; `units` is how many steps or jobs that is. */
async function runUntil(
  ctx: Context,
  client: DatabaseClient,
  handlers: HandlerTable,
  units: number,
  isDone: () => Promise<boolean>,
): Promise<Measured> {
  const signal = makeJobSignal({ ...ctx, sql: client.sql })
  const [startedAt, cpuBefore] = [performance.now(), cpuOfAll() ?? Number.NaN]
  const runner = await startRunner(
    { ...ctx, jobWaker: signal },
    { handlers, concurrency: ctx.config.jobConcurrency, signal },
  )
  while (!(await isDone())) await Bun.sleep(10)
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = (cpuOfAll() ?? Number.NaN) - cpuBefore
  await runner.stop(5_000)
  await signal.close()
  return { perSecond: units / seconds, cpuMicroseconds: (cpu * 1000) / units }
}

async function inDatabase<T>(
  url: string,
  work: (ctx: Context, client: DatabaseClient) => Promise<T>,
): Promise<T> {
  const client = openDatabase(url, { max: 24 })
  try {
    await migrate(client.sql, migrations, new Date())
    return await work(quietContext(client), client)
  } finally {
    await client.close()
  }
}

/** The floor: as many jobs as there are steps, in the same band. */
function measureJobs(url: string, count: number): Promise<Measured> {
  return inDatabase(url, async (ctx, client) => {
    const nothing = job('bench.nothing', 'workflow', { n: Type.Integer() })
    for (let from = 0; from < count; from += 1_000)
      await enqueueMany(
        ctx,
        nothing,
        Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({ args: { n: from + n } })),
      )
    let left = count
    const handlers = handlerTable([handle(nothing, async () => left--)])
    return await runUntil(ctx, client, handlers, count, async () => left === 0)
  })
}

function measureSteps(url: string, specs: Spec[]): Promise<Measured> {
  return inDatabase(url, async (ctx, client) => {
    const projectId = await makeProject(ctx)
    const workflowId = await makeWorkflow(ctx, projectId, specs)
    await startAll(ctx, projectId, workflowId)
    // Mails stay in the ledger: sending them is not part of a step.
    const mail = [emailKinds.deliverWorkflow, emailKinds.deliver].map(kind => handle(kind, async () => {}))
    const jobs = workflowJobs(ctx)
    // Counted here, as the floor counts its jobs: asking the database a hundred times a second would add work that belongs to neither.
    let left = executions * (1 + specs.filter(({ type }) => type === 'DELAY').length)
    const advance = jobs.find(({ definition }) => definition === workflowKinds.advance)!
    const counting: BoundJob = {
      ...advance,
      handle: async (...job) => {
        await advance.handle(...job)
        left--
      },
    }
    const steps = executions * (specs.length + 1)
    const handlers = handlerTable([...jobs, counting, ...mail])
    const measured = await runUntil(ctx, client, handlers, steps, async () => left === 0)
    const [row] = await client.sql<{ taken: number; open: number }[]>`
      select (select count(*) from workflow_step_executions where status = 'COMPLETED') as taken,
             (select count(*) from workflow_executions where status in ('RUNNING', 'WAITING')) as open`
    if (row!.taken !== steps || row!.open > 0)
      throw new Error(`${row!.taken} steps were taken, ${row!.open} are open`)
    return measured
  })
}

async function makeProject(ctx: Context): Promise<string> {
  const projectId = ctx.random.uuid(ctx.clock.now())
  await ctx.sql`
    insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed,
                          webhook_secret_sealed, created_at, updated_at)
    values (${projectId}, 'Bench', 'x', 'y', 'x', 'y', 'z', now(), now())`
  await addSandboxDomain(ctx, { id: projectId, name: 'Bench' })
  await ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select uuid_v7(now(), n), ${projectId}, 'ada-' || n || '@example.com', true,
           jsonb_build_object('name', 'Ada ' || n, 'plan', 'pro'), now(), now() from generate_series(1, ${executions}::int) n`
  return projectId
}

async function makeWorkflow(ctx: Context, projectId: string, specs: Spec[]): Promise<string> {
  const { id } = await createWorkflow(ctx, projectId, { name: 'Bench', eventName: 'bench' })
  const template = await createTemplate(ctx, projectId, {
    ...{ name: 'T', subject: 'Hi {{name}}', body: '<p>Hi {{name}}</p>', from: 'a@bench.example' },
  })
  const [trigger] = await ctx.sql<{ id: string }[]>`select id from workflow_steps where workflow_id = ${id}`
  let last: { id: string; type: string } = { id: trigger!.id, type: 'TRIGGER' }
  for (const { type, config = {} } of specs) {
    const body = { type, name: type, config: { ...config }, autoConnect: false }
    const step = await addStep(ctx, projectId, id, {
      ...body,
      ...(type === 'SEND_EMAIL' ? { templateId: template.id } : {}),
    })
    const branch = last.type === 'CONDITION' ? { branch: 'yes' } : {}
    await addTransition(ctx, projectId, id, { fromStepId: last.id, toStepId: step.id, ...branch })
    last = step
  }
  await updateWorkflow(ctx, projectId, id, { enabled: true })
  return id
}

async function startAll(ctx: Context, projectId: string, workflowId: string): Promise<void> {
  const contacts = await ctx.sql<{ id: string }[]>`select id from contacts where project_id = ${projectId}`
  await inTransaction(ctx, async tx => {
    const workflow = await lockWorkflow(tx, projectId, workflowId, 'use')
    const starts = contacts.map(({ id }) => ({ contactId: id, sourceEventId: null, context: { n: 1 } }))
    await startExecutions(tx, workflow!, starts)
  })
  await ctx.sql`vacuum analyze`
}

const median = (values: number[]): string =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(2)

async function reportSteps(): Promise<void> {
  const server = await benchServer()
  try {
    for (const [name, specs] of Object.entries(chains)) {
      const [speed, thrift]: [number[], number[]] = [[], []]
      // They alternate, so that whatever else the machine does affects both.
      for (let round = 0; round < rounds; round++) {
        const floor = await measureJobs(await server.createDatabase(), executions * (specs.length + 1))
        const ours = await measureSteps(await server.createDatabase(), specs)
        speed.push(ours.perSecond / floor.perSecond)
        thrift.push(floor.cpuMicroseconds / ours.cpuMicroseconds)
        console.log(
          `${name}: ${ours.perSecond.toFixed(0)} steps/s at ${ours.cpuMicroseconds.toFixed(0)} µs of processor time;` +
            ` ${floor.perSecond.toFixed(0)} jobs/s at ${floor.cpuMicroseconds.toFixed(0)} µs`,
        )
      }
      console.log(
        `${name}: ratio ${median(speed)} in a second, ${median(thrift)} for a second of processor time`,
      )
    }
  } finally {
    await server.stop()
  }
}

if (import.meta.main) {
  await reportSteps()
  await measureBeside()
}
