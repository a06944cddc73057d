// Executions and events whose turn comes at the same moment share a transaction: each still gets its own end, and what is wrong with
// one is no matter of the others.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteContact, updateContact } from '../../src/modules/audience/contacts/service'
import { makeAdvancing } from '../../src/modules/features/workflows/runs/service/advance'
import { makeRouting } from '../../src/modules/features/workflows/runs/service/route'
import { Snooze } from '../../src/platform/jobs/outcome'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0

/** Contacts that have tracked a new event; nothing is routed yet. Answers the ids of the events. */
async function tracked(event: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const email = `together${++counter}@example.com`
    const { body } = await world.call('POST', '/v1/track', {
      key: world.project.publicKey,
      body: { email, event, data: { n } },
    })
    ids.push(body.data.event)
  }
  await world.ctx.sql`delete from jobs where kind = 'event.route'`
  return ids
}

interface Row {
  id: string
  status: string
  version: number
  context: { n: number }
}

async function rowsOf(workflowId: string): Promise<Row[]> {
  return await world.ctx.sql<Row[]>`
    select id, status, version, context from workflow_executions
     where workflow_id = ${workflowId} order by (context ->> 'n')::int`
}

const updates = { updates: { came: '{{event.n}}' } }

/** A workflow with executions that were started together and have not moved; their rows. */
async function started(count: number): Promise<{ id: string; rows: Row[] }> {
  const event = `together.${++counter}`
  const { id } = await world.chain(event, [
    { type: 'UPDATE_CONTACT', config: updates },
    { type: 'DELAY', config: { amount: 1, unit: 'minutes' } },
    { type: 'EXIT', config: { reason: 'over' } },
  ])
  const route = makeRouting(world.ctx)
  const projectId = world.project.id
  await Promise.all((await tracked(event, count)).map(eventId => route({ projectId, eventId })))
  await world.ctx.sql`delete from jobs where kind = 'workflow.advance'`
  return { id, rows: await rowsOf(id) }
}

const at = ({ id: executionId, version }: Row) => ({ projectId: world.project.id, executionId, version })

test('events that are routed together start an execution each, with its own context', async () => {
  const { rows } = await started(30)
  expect(rows.map(row => [row.status, row.version, row.context.n])).toEqual(
    Array.from({ length: 30 }, (_, n) => ['RUNNING', 0, n]),
  )
})

test('two events of one contact, routed together, start one execution', async () => {
  const event = `together.${++counter}`
  const { id } = await world.chain(event, [{ type: 'EXIT', config: { reason: 'x' } }])
  const email = 'twice@example.com'
  const ids = await Promise.all(
    [1, 2].map(async n => {
      const body = { email, event, data: { n } }
      return (await world.call('POST', '/v1/track', { key: world.project.publicKey, body })).body.data.event
    }),
  )
  const route = makeRouting(world.ctx)
  const projectId = world.project.id
  await Promise.all(ids.map(eventId => route({ projectId, eventId })))
  expect(await rowsOf(id)).toHaveLength(1)
})

test('executions that are called together each take their steps once, also when one is called twice', async () => {
  const { id, rows } = await started(40)
  const advance = makeAdvancing(world.ctx)
  await Promise.all([...rows, ...rows.slice(0, 10)].map(row => advance(at(row))))
  const waiting = await rowsOf(id)
  expect(new Set(waiting.map(row => row.status))).toEqual(new Set(['WAITING']))
  const [timers] = await world.ctx.sql<{ count: number }[]>`
    select count(*) as count from jobs
     where kind = 'workflow.advance' and (args ->> 'executionId')::uuid = any(${rows.map(row => row.id)}::uuid[])`
  expect(timers!.count).toBe(40)
  const changed = await world.ctx.sql<{ n: string; came: string }[]>`
    select e.context ->> 'n' as n, c.data ->> 'came' as came
      from workflow_executions e join contacts c on c.id = e.contact_id where e.workflow_id = ${id}`
  expect(changed.filter(row => row.n !== row.came)).toEqual([])
})

test('one whose time has not come goes back by itself, and the others go on', async () => {
  const { id, rows } = await started(3)
  const advance = makeAdvancing(world.ctx)
  await Promise.all(rows.map(row => advance(at(row))))
  const waiting = await rowsOf(id)
  world.clock.advance(60_000)
  await world.ctx.sql`
    with later as (
      update workflow_executions set wake_at = wake_at + interval '1 hour' where id = ${waiting[1]!.id} returning id, wake_at
    )
    update workflow_timers t set wake_at = later.wake_at from later where t.execution_id = later.id`
  const results = await Promise.allSettled(waiting.map(row => advance(at(row))))
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(Snooze)
  expect((await rowsOf(id)).map(row => row.status)).toEqual(['EXITED', 'WAITING', 'EXITED'])
})

test('one that fails fails alone', async () => {
  const { id, rows } = await started(5)
  await world.ctx.sql`
    update workflow_executions set snapshot_id = ${world.project.id} where id = ${rows[2]!.id}`
  const advance = makeAdvancing(world.ctx)
  const results = await Promise.allSettled(rows.map(row => advance(at(row))))
  expect(results.map(result => result.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  expect((await rowsOf(id)).map(row => row.status)).toEqual([
    'WAITING',
    'WAITING',
    'RUNNING',
    'WAITING',
    'WAITING',
  ])
})

test('one whose change of the contact is refused fails alone, and the others change theirs', async () => {
  const { id, rows } = await started(12)
  const full = rows[7]!.id
  await world.ctx.sql`
    update contacts c set data = jsonb_build_object('big', repeat('x', 65520))
      from workflow_executions e where e.id = ${full} and c.project_id = e.project_id and c.id = e.contact_id`
  const advance = makeAdvancing(world.ctx)
  await Promise.all(rows.map(row => advance(at(row))))
  expect((await rowsOf(id)).map(row => row.status)).toEqual(
    Array.from({ length: 12 }, (_, n) => (n === 7 ? 'FAILED' : 'WAITING')),
  )
  const changed = await world.ctx.sql<{ came: string | null }[]>`
    select c.data ->> 'came' as came from workflow_executions e
      join contacts c on c.project_id = e.project_id and c.id = e.contact_id
     where e.workflow_id = ${id} order by (e.context ->> 'n')::int`
  expect(changed.map(row => row.came)).toEqual(
    Array.from({ length: 12 }, (_, n) => (n === 7 ? null : String(n))),
  )
})

test('executions of one contact that change it at the same moment change it both', async () => {
  const event = `together.${++counter}`
  const ids: string[] = []
  for (const key of ['a', 'b']) {
    const config = { updates: { [key]: '{{event.n}}', last: key }, subscriptionAction: 'unsubscribe' }
    ids.push((await world.chain(event, [{ type: 'UPDATE_CONTACT', config }, { type: 'EXIT' }])).id)
  }
  const route = makeRouting(world.ctx)
  const projectId = world.project.id
  const [eventId] = await tracked(event, 1)
  await route({ projectId, eventId: eventId! })
  const rows = (await Promise.all(ids.map(rowsOf))).flat()
  const advance = makeAdvancing(world.ctx)
  // One that is not there takes the only slot, so that the two share what comes behind it.
  await Promise.all([{ ...rows[0]!, id: projectId }, ...rows].map(row => advance(at(row))))
  expect((await Promise.all(ids.map(rowsOf))).flat().map(row => row.status)).toEqual(['EXITED', 'EXITED'])
  const { body } = await world.call('GET', `/contacts?search=together${counter}@`)
  expect(body.data).toMatchObject([{ subscribed: false, data: { a: '0', b: '0' } }])
  const [flips] = await world.ctx.sql<{ count: number }[]>`
    select count(*) as count from events where name = 'contact.unsubscribed' and contact_id = ${body.data[0].id}`
  expect(flips!.count).toBe(1)
})

test('contacts that are renamed or deleted meanwhile are changed as they are, and none comes back', async () => {
  const { id, rows } = await started(40)
  const { projectId } = at(rows[0]!)
  const people = await world.ctx.sql<{ id: string }[]>`
    select c.id from contacts c join workflow_executions e on e.project_id = c.project_id and e.contact_id = c.id
     where e.workflow_id = ${id} order by c.id`
  const [before] = await world.ctx.sql<{ count: number }[]>`select count(*) as count from contacts`
  const advance = makeAdvancing(world.ctx)
  const change = async (contactId: string, n: number): Promise<unknown> =>
    n % 4 === 0
      ? deleteContact(world.ctx, projectId, contactId)
      : updateContact(world.ctx, projectId, contactId, { email: `renamed${n}.${counter}@example.com` })
  await Promise.all([
    ...people.map((person, n) => change(person.id, n)),
    ...rows.map(row => advance(at(row))),
  ])
  const [after] = await world.ctx.sql<{ count: number; changed: number }[]>`
    select count(*) as count, count(*) filter (where email like ${`renamed%.${counter}@example.com`} and data ? 'came') as changed
      from contacts`
  expect(after).toEqual({ count: before!.count - 10, changed: 30 })
  const ends = (await rowsOf(id)).map(row => row.status)
  expect(ends.filter(status => status === 'WAITING').length).toBeGreaterThanOrEqual(30)
  expect(ends.filter(status => status !== 'WAITING' && status !== 'CANCELLED')).toEqual([])
})
