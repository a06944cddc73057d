// Builds workflows over HTTP in a few words, and reads back what became of their executions.
import { buildApp } from '../../src/server/app'
import { request } from './request'
import { makeWorld, sender, type World } from './world'

export interface StepSpec {
  type: string
  config?: Record<string, unknown>
  templateId?: string
}

export interface Built {
  id: string
  /** Ids of the steps in the order given; the trigger is not among them. */
  steps: string[]
}

export interface WorkflowWorld extends World {
  /** A chain of steps behind the trigger event, turned on. */
  chain(eventName: string, steps: StepSpec[], options?: Record<string, unknown>): Promise<Built>
  /** Steps without edges, and then these edges between them by their positions; -1 is the trigger. */
  graph(
    eventName: string,
    steps: StepSpec[],
    edges: Edge[],
    options?: Record<string, unknown>,
  ): Promise<Built>
  /** Tracks an event and runs what is due. */
  track(
    email: string,
    event: string,
    data?: Record<string, unknown>,
  ): Promise<{ contact: string; event: string }>
  /** The executions of a workflow, newest first. */
  executions(id: string): Promise<Array<Record<string, never> & { id: string; status: string }>>
  /** One execution with its history; of the only one where none is named. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds.
  execution(id: string, executionId?: string): Promise<any>
  template(changes?: Record<string, unknown>): Promise<string>
}

/** Throws unless each active execution stands and is timed as its own row says, nothing else does, and all are counted. */
export async function checkStandings({ ctx }: World): Promise<void> {
  const wrong = await ctx.sql`
    select coalesce(e.id, a.execution_id) as id, e.status, a.status as standing
      from (select * from workflow_executions where status in ('RUNNING', 'WAITING')) e
      full join workflow_active a
        on a.project_id = e.project_id and a.workflow_id = e.workflow_id and a.execution_id = e.id and a.status = e.status
       and a.started_at = e.started_at
     where e.id is null or a.execution_id is null`
  if (wrong.length > 0) throw new Error(`executions stand elsewhere: ${JSON.stringify(wrong)}`)
  const untimed = await ctx.sql`
    select coalesce(e.id, t.execution_id) as id, e.status, e.wake_at, t.wake_at as timer
      from (select * from workflow_executions where wake_at is not null) e
      full join workflow_timers t on t.project_id = e.project_id and t.execution_id = e.id and t.wake_at = e.wake_at
     where e.id is null or t.execution_id is null`
  if (untimed.length > 0) throw new Error(`timers do not fit their executions: ${JSON.stringify(untimed)}`)
  const miscounted = await ctx.sql`
    select project_id, workflow_id, status, coalesce(counted, 0) as counted, coalesce(there, 0) as there
      from (select project_id, workflow_id, status, sum(executions) as counted
              from (select * from workflow_counts union all select * from workflow_deltas) parts group by 1, 2, 3) c
      full join (select project_id, workflow_id, status, count(*) as there from workflow_executions group by 1, 2, 3) t
           using (project_id, workflow_id, status)
     where coalesce(counted, 0) <> coalesce(there, 0)`
  if (miscounted.length > 0) throw new Error(`executions are miscounted: ${JSON.stringify(miscounted)}`)
}

export type Edge = [from: number, to: number, more?: Record<string, unknown>]

/** Closing it looks whether all that was done left timers, standings and counts right. */
export async function makeWorkflowWorld(): Promise<WorkflowWorld> {
  const world = await makeWorld()
  const app = buildApp(world.ctx)
  const call: World['call'] = (method, path, options = {}) =>
    request(app, method, path, { key: world.project.secretKey, ...options })
  const must = async (method: string, path: string, body: unknown, status: number) => {
    const answer = await call(method, path, { body })
    if (answer.status !== status) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const turnOn = (id: string, options: Record<string, unknown> = {}) =>
    must('PATCH', `/workflows/${id}`, { enabled: true, ...options }, 200)

  const graph: WorkflowWorld['graph'] = async (eventName, specs, edges, options) => {
    const { id } = await must('POST', '/workflows', { name: `On ${eventName}`, eventName }, 201)
    const whole = (await call('GET', `/workflows/${id}`)).body
    const ids: string[] = []
    for (const [index, { type, config = {}, ...more }] of specs.entries()) {
      const body = { type, name: `${type} ${index}`, config, autoConnect: false, ...more }
      ids.push((await must('POST', `/workflows/${id}/steps`, body, 201)).id)
    }
    const place = (index: number): string => (index === -1 ? whole.steps[0].id : ids[index]!)
    for (const [from, to, more] of edges)
      await must(
        'POST',
        `/workflows/${id}/transitions`,
        { fromStepId: place(from), toStepId: place(to), ...more },
        201,
      )
    await turnOn(id, options)
    return { id, steps: ids }
  }

  const executions: WorkflowWorld['executions'] = async id =>
    (await call('GET', `/workflows/${id}/executions?pageSize=100`)).body.data

  return {
    ...world,
    app,
    call,
    graph,
    executions,
    close: () => checkStandings(world).finally(() => world.close()),
    chain: (eventName, specs, options) =>
      graph(
        eventName,
        specs,
        specs.map((_, index): Edge => [index - 1, index]),
        options,
      ),
    async track(email, event, data = {}) {
      const answer = await call('POST', '/v1/track', {
        key: world.project.publicKey,
        body: { email, event, data },
      })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      await world.drain()
      return answer.body.data
    },
    async execution(id, executionId) {
      const which = executionId ?? (await executions(id))[0]?.id
      return (await call('GET', `/workflows/${id}/executions/${which}`)).body
    },
    async template(changes = {}) {
      const body = {
        name: 'T',
        subject: 'Hi {{name}}',
        body: '<p>{{event.code}} {{plan}}</p>',
        from: sender,
        ...changes,
      }
      return (await must('POST', '/templates', body, 201)).id
    },
  }
}
