// Races of executions, by real concurrency: each is run many times, and whoever comes first, the outcome is whole. RACES sets how
// many times.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deleteExecutionsOfContacts } from '../../src/modules/features/workflows/definition/service/remove'
import { workflowKinds } from '../../src/modules/features/workflows/kinds'
import { advanceExecution } from '../../src/modules/features/workflows/runs/service/advance'
import {
  stopAllExecutions,
  stopExecution,
} from '../../src/modules/features/workflows/runs/service/executions'
import { routeEvent } from '../../src/modules/features/workflows/runs/service/route'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { jobHandlers } from '../../src/server/jobs'
import { drain } from '../support/drain'
import { until } from '../support/until'
import { type Edge, makeWorkflowWorld, type StepSpec, type WorkflowWorld } from '../support/workflows'

const rounds = Number(process.env['RACES'] ?? 20)

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0
const fresh = (): { email: string; event: string } => {
  counter++
  return { email: `racer${counter}@example.com`, event: `race.${counter}` }
}

const exits: StepSpec[] = [
  { type: 'WAIT_FOR_EVENT', config: { eventName: 'answer', timeout: 60 } },
  { type: 'UPDATE_CONTACT', config: { updates: { came: 'event' } } },
  { type: 'EXIT', config: { reason: 'event' } },
  { type: 'UPDATE_CONTACT', config: { updates: { came: 'timeout' } } },
  { type: 'EXIT', config: { reason: 'timeout' } },
]
const edges: Edge[] = [
  [-1, 0],
  [0, 1, { waitOutcome: 'EVENT' }],
  [1, 2],
  [0, 3, { waitOutcome: 'TIMEOUT' }],
  [3, 4],
]

/** Records an event without running anything. */
async function record(email: string, event: string, data = {}): Promise<{ contact: string; event: string }> {
  const answer = await world.call('POST', '/v1/track', {
    key: world.project.publicKey,
    body: { email, event, data },
  })
  expect(answer.status).toBe(200)
  return answer.body.data
}

/** Runs what is due with several runners at once. */
async function drainTogether(runners = 3): Promise<void> {
  const handlers = jobHandlers(world.ctx)
  await Promise.all(Array.from({ length: runners }, () => drain(world.ctx, handlers)))
  await world.drain()
}

test('the event against the deadline: one of the two branches, never both', async () => {
  const { event } = fresh()
  const { id } = await world.graph(event, exits, edges)
  const seen = new Map<string, number>()
  for (let round = 0; round < rounds; round++) {
    const { email } = fresh()
    await world.track(email, event)
    const execution = await world.execution(id)
    const tracked = await record(email, 'answer')
    world.clock.advance(60_000)
    const [row] = await world.ctx
      .sql`select version from workflow_executions where id = ${execution.id}::uuid`
    // The deadline's job and the event's, at once and twice each.
    const act = [
      () => routeEvent(world.ctx, world.project.id, tracked.event),
      () => advanceExecution(world.ctx, world.project.id, execution.id, row!['version']),
    ]
    const order = round % 2 === 0 ? act : act.reverse()
    await Promise.all([...order, ...order].map(one => one()))
    await drainTogether()
    const ended = await world.execution(id, execution.id)
    expect(ended.status).toBe('EXITED')
    expect(ended.stepExecutions).toHaveLength(4)
    const { body: contact } = await world.call('GET', `/contacts/${tracked.contact}`)
    expect(contact.data.came).toBe(ended.exitReason)
    seen.set(ended.exitReason, (seen.get(ended.exitReason) ?? 0) + 1)
  }
  expect([...seen.values()].reduce((a, b) => a + b)).toBe(rounds)
})

test('an event that comes while the wait begins is never lost', async () => {
  const { event } = fresh()
  const { id } = await world.graph(
    event,
    [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'quick' } }],
    [[-1, 0]],
  )
  for (let round = 0; round < rounds; round++) {
    const { email } = fresh()
    const { contact } = await record(email, event)
    // Starts the execution, and leaves the job that enters the wait for the race.
    const started = await startOf(contact, id, event)
    const entering = advanceExecution(world.ctx, world.project.id, started, 0)
    // From before the wait's beginning to well behind it.
    await pause(round % 8)
    const tracking = record(email, 'quick').then(async ({ event: eventId }) => {
      await routeEvent(world.ctx, world.project.id, eventId)
      return eventId
    })
    await Promise.all([entering, tracking])
    await forgetRouting()
    await drainTogether()
    const ended = await world.execution(id, started)
    if (ended.status === 'WAITING') {
      // Only an event from before the beginning of the wait may count for nothing.
      const [row] = await world.ctx
        .sql`select wait_from as "waitFrom" from workflow_executions where id = ${started}::uuid`
      expect((await tracking) < row!['waitFrom']).toBe(true)
    } else expect(ended.status).toBe('COMPLETED')
  }
})

test('an event that is routed between the look for it and the commit of the wait is not lost', async () => {
  const { email, event } = fresh()
  const { id, steps } = await world.graph(
    event,
    [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'quick' } }],
    [[-1, 0]],
  )
  const { contact } = await record(email, event)
  const started = await startOf(contact, id, event)
  await heldUp(started, steps[0]!, async () => {
    const entering = advanceExecution(world.ctx, world.project.id, started, 0)
    await blocked(1)
    const { event: eventId } = await record(email, 'quick')
    let isRouted = false
    const routing = routeEvent(world.ctx, world.project.id, eventId).then(() => {
      isRouted = true
    })
    await blocked(2, () => isRouted)
    return [entering, routing]
  })
  await forgetRouting()
  await drainTogether()
  expect((await world.execution(id, started)).status).toBe('COMPLETED')
})

/**
 * Begins works of which the first one enters a step, while a history row under the same key holds it up right before its commit,
 * after it has looked for events. Resolves when all of them are through.
 */
async function heldUp(
  execution: string,
  step: string,
  begin: () => Promise<Promise<unknown>[]>,
): Promise<void> {
  const undo = new Error('undo')
  let works: Promise<unknown>[] = []
  await world.database.sql
    .begin(async sql => {
      await sql`
        insert into workflow_step_executions (id, project_id, execution_id, step_id, status, created_at, updated_at)
        values (${world.ctx.random.uuid(world.clock.now())}::uuid, ${world.project.id}::uuid, ${execution}::uuid,
                ${step}::uuid, 'RUNNING', ${world.clock.now()}::timestamptz, ${world.clock.now()}::timestamptz)`
      works = await begin()
      throw undo
    })
    .catch(error => {
      if (error !== undo) throw error
    })
  await Promise.all(works)
}

/** The events have been routed by hand: their jobs must not make up for what that missed. */
async function forgetRouting(): Promise<void> {
  await world.ctx.sql`delete from jobs where kind = 'event.route'`
}

/** Resolves when so many statements wait for a lock, or `isOver` says that none will. */
async function blocked(count: number, isOver: () => boolean = () => false): Promise<void> {
  await until('statements wait for the lock', async () => {
    if (isOver()) return true
    const [row] = await world.ctx.sql`
      select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return row!['waiting'] >= count
  })
}

const pause = (ms: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, ms))

async function startOf(contact: string, workflow: string, name: string): Promise<string> {
  const [event] = await world.ctx.sql`
    select id from events where project_id = ${world.project.id}::uuid and contact_id = ${contact}::uuid and name = ${name}`
  await routeEvent(world.ctx, world.project.id, event!['id'])
  const [row] = await world.ctx.sql`
    select id from workflow_executions where workflow_id = ${workflow}::uuid and contact_id = ${contact}::uuid`
  return row!['id']
}

test('a cancellation against the event: cancelled and nothing done, or done and not cancelled', async () => {
  const { event } = fresh()
  const { id } = await world.graph(event, exits, edges)
  for (let round = 0; round < rounds; round++) {
    const { email } = fresh()
    await world.track(email, event)
    const execution = await world.execution(id)
    const tracked = await record(email, 'answer')
    const act = [
      () => world.drain(),
      () =>
        stopExecution(world.ctx, world.project.id, id, execution.id).then(
          () => 'cancelled',
          () => 'late',
        ),
    ]
    const results = await Promise.all((round % 2 === 0 ? act : act.reverse()).map(one => one()))
    await drainTogether()
    const ended = await world.execution(id, execution.id)
    const { body: contact } = await world.call('GET', `/contacts/${tracked.contact}`)
    if (results.includes('cancelled')) {
      expect(ended).toMatchObject({ status: 'CANCELLED', exitReason: 'Cancelled by user' })
      expect(contact.data.came).toBeUndefined()
    } else {
      expect(ended).toMatchObject({ status: 'EXITED', exitReason: 'event' })
      expect(contact.data.came).toBe('event')
    }
  }
})

describe('a wait that is committed while the row is waited for leaves nothing behind', () => {
  const enters: Record<string, (id: string, execution: string, contact: string) => Promise<unknown>> = {
    'of an execution that is cancelled': (id, execution) =>
      stopExecution(world.ctx, world.project.id, id, execution),
    'where all are cancelled': id => stopAllExecutions(world.ctx, world.project.id, id),
    'of a contact that is deleted': (_, __, contact) =>
      deleteExecutionsOfContacts(world.ctx, { projectId: world.project.id, contactIds: [contact] }),
  }
  for (const [words, end] of Object.entries(enters))
    test(words, async () => {
      const { email, event } = fresh()
      const { id, steps } = await world.graph(event, exits, edges)
      const { contact } = await record(email, event)
      const started = await startOf(contact, id, event)
      await heldUp(started, steps[0]!, async () => {
        const entering = advanceExecution(world.ctx, world.project.id, started, 0)
        await blocked(1)
        const ending = end(id, started, contact)
        await blocked(2)
        return [entering, ending]
      })
      const open = await world.ctx.sql`
        select status from workflow_step_executions where execution_id = ${started}::uuid and status in ('RUNNING', 'WAITING')`
      expect(open).toHaveLength(0)
      expect(
        await world.ctx.sql`select from workflow_active where execution_id = ${started}::uuid`,
      ).toHaveLength(0)
      expect(
        await world.ctx.sql`select from workflow_timers where execution_id = ${started}::uuid`,
      ).toHaveLength(0)
      await drainTogether()
    })
})

describe('two triggers at once', () => {
  for (const [words, allowReentry] of [
    ['where a contact may enter once', false],
    ['where a contact may enter again after the end', true],
  ] as const)
    test(`start one execution ${words}`, async () => {
      const { event } = fresh()
      const { id } = await world.graph(
        event,
        [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'never' } }],
        [[-1, 0]],
        { allowReentry },
      )
      for (let round = 0; round < rounds; round++) {
        const { email } = fresh()
        const tracked = await Promise.all([record(email, event), record(email, event), record(email, event)])
        const manual = world.call('POST', `/workflows/${id}/executions`, {
          body: { contactId: tracked[0].contact },
        })
        const routed = tracked.map(each => routeEvent(world.ctx, world.project.id, each.event))
        const [{ status }] = await Promise.all([manual, ...routed])
        expect([201, 409]).toContain(status)
        await drainTogether()
        const of = await world.call('GET', `/workflows/${id}/executions?contactId=${tracked[0].contact}`)
        expect(of.body).toMatchObject({ total: 1, data: [{ status: 'WAITING' }] })
      }
    })
})

test('the same job run twice at once does its work once', async () => {
  const { event } = fresh()
  const templateId = await world.template({ type: 'TRANSACTIONAL' })
  const { id } = await world.chain(
    event,
    [
      { type: 'SEND_EMAIL', templateId },
      { type: 'WEBHOOK', config: { url: 'https://x.example.com/' } },
    ],
    {
      allowReentry: true,
    },
  )
  for (let round = 0; round < rounds; round++) {
    const { email } = fresh()
    const tracked = await record(email, event)
    await Promise.all([1, 2, 3].map(() => routeEvent(world.ctx, world.project.id, tracked.event)))
    const [row] = await world.ctx.sql`
      select id from workflow_executions where workflow_id = ${id}::uuid and contact_id = ${tracked.contact}::uuid`
    await Promise.all([1, 2, 3].map(() => advanceExecution(world.ctx, world.project.id, row!['id'], 0)))
    const [call] = await world.ctx.sql`select id from workflow_calls where execution_id = ${row!['id']}::uuid`
    for (const _ of [1, 2])
      await enqueue(
        world.ctx,
        workflowKinds.webhook,
        { callId: call!['id'] },
        { projectId: world.project.id },
      )
    await drainTogether()
    // Again when all is over: a job that comes back after a crash.
    await routeEvent(world.ctx, world.project.id, tracked.event)
    await world.drain()
    const mails = await world.ctx.sql`select id from emails where contact_id = ${tracked.contact}::uuid`
    expect(mails).toHaveLength(1)
    const list = await world.call('GET', `/workflows/${id}/executions?contactId=${tracked.contact}`)
    expect(list.body).toMatchObject({ total: 1, data: [{ status: 'COMPLETED' }] })
    const whole = await world.execution(id, row!['id'])
    expect(whole.stepExecutions).toHaveLength(3)
    expect(whole.stepExecutions[2].attempts).toHaveLength(1)
  }
})

test('a workflow is deleted, or an execution starts in it: never both', async () => {
  for (let round = 0; round < rounds; round++) {
    const { email, event } = fresh()
    const { id } = await world.graph(
      event,
      [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'never' } }],
      [[-1, 0]],
    )
    const tracked = await record(email, event)
    const [deleted] = await Promise.all([
      world.call('DELETE', `/workflows/${id}`),
      routeEvent(world.ctx, world.project.id, tracked.event),
    ])
    const left = await world.ctx.sql`select 1 from workflow_executions where workflow_id = ${id}::uuid`
    expect([deleted.status, left.length]).toEqual(deleted.status === 204 ? [204, 0] : [409, 1])
    await drainTogether()
  }
})
