// The counts of executions, and where active ones stand, against the executions themselves: while everything that moves executions runs
// at the same time, and when it is over. RACES sets how much is done, SEED what.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteContact } from '../../src/modules/audience/contacts/service'
import { listWorkflows } from '../../src/modules/features/workflows/definition/service/read'
import { pruneVersions, removeWorkflow } from '../../src/modules/features/workflows/definition/service/remove'
import {
  listExecutions,
  rollUpWorkflowCounts,
  stopAllExecutions,
  stopExecution,
} from '../../src/modules/features/workflows/runs/service/executions'
import { makeRandom, seed } from '../support/random'
import { checkStandings, type Edge, makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

const rounds = Number(process.env['RACES'] ?? 20)

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

/** An answer, a second wait for a time, a webhook or a failure: every way from one state to another. */
async function makeFlows(): Promise<string[]> {
  const edges: Edge[] = [
    [-1, 0],
    [0, 1, { waitOutcome: 'EVENT' }],
    [0, 2, { waitOutcome: 'TIMEOUT' }],
    [1, 3],
  ]
  const flows = await Promise.all(
    [1, 2].map(n =>
      world.graph(
        `begin.${n}`,
        [
          { type: 'WAIT_FOR_EVENT', config: { eventName: 'answer', timeout: 120 } },
          { type: 'WEBHOOK', config: { url: 'https://x.example.com/' } },
          { type: 'EXIT', config: { reason: 'late' } },
          { type: 'DELAY', config: { amount: 1, unit: 'minutes' } },
        ],
        edges,
        { allowReentry: true },
      ),
    ),
  )
  return flows.map(({ id }) => id)
}

const late = (): void => {}

test(`counts are exact at any moment (SEED=${seed})`, async () => {
  const random = makeRandom(seed)
  const { ctx, project } = world
  const flows = await makeFlows()
  const doomed = (await world.chain('begin.1', [{ type: 'EXIT', config: { reason: 'x' } }])).id
  const emailOf = (): string => `counted${random(12)}@example.com`
  const track = (event: string) => () =>
    world.call('POST', '/v1/track', { key: project.publicKey, body: { email: emailOf(), event } })
  const anyOf = async (table: string): Promise<{ id: string; workflow: string } | undefined> => {
    const rows = await ctx.sql<{ id: string; workflow: string }[]>`
      select id, ${table === 'contacts' ? ctx.sql`id` : ctx.sql`workflow_id`} as workflow from ${ctx.sql(table)} limit 20`
    return rows[random(rows.length || 1)]
  }
  const acts: Array<() => Promise<unknown>> = [
    ...[track('begin.1'), track('begin.2'), track('begin.1'), track('answer'), track('answer')],
    ...[() => world.drain(), () => world.drain(), () => rollUpWorkflowCounts(ctx)],
    async () => {
      const one = await anyOf('workflow_executions')
      if (one) await stopExecution(ctx, project.id, one.workflow, one.id).catch(late)
    },
    async () => {
      const one = await anyOf('contacts')
      if (one && random(2) === 0) await deleteContact(ctx, project.id, one.id).catch(late)
    },
    async () => {
      if (random(3) === 0) await stopAllExecutions(ctx, project.id, flows[random(2)]!)
    },
    async () => world.clock.advance(random(60_000)),
    () => pruneVersions(ctx),
  ]
  for (let round = 0; round < rounds; round++) {
    const chosen = Array.from({ length: 12 }, () => acts[random(acts.length)]!)
    if (round === Math.floor(rounds / 2))
      chosen.push(() => removeWorkflow(ctx, project.id, doomed).catch(late))
    await Promise.all([...chosen.map(act => act()), checkStandings(world), checkStandings(world)])
    await checkStandings(world)
  }
  await removeWorkflow(ctx, project.id, doomed).catch(late)
  // One of each end for certain, whatever chance made of the others.
  await world.track('cancelled@example.com', 'begin.2')
  await stopAllExecutions(ctx, project.id, flows[1]!)
  await world.track('answers@example.com', 'begin.1')
  await world.track('answers@example.com', 'answer')
  await world.track('late@example.com', 'begin.2')
  for (let times = 0; times < 3; times++) {
    world.clock.advance(3_600_000)
    await world.drain()
  }
  await rollUpWorkflowCounts(ctx)
  await pruneVersions(ctx)
  await checkStandings(world)
  expect(await ctx.sql`select from workflow_deltas`).toHaveLength(0)
  expect(await ctx.sql`select from workflow_counts where workflow_id = ${doomed}::uuid`).toHaveLength(0)
  const seen = await ctx.sql<{ status: string }[]>`select distinct status from workflow_counts`
  expect(seen.map(row => row.status).sort()).toEqual(['CANCELLED', 'COMPLETED', 'EXITED'])
})

test('a list has each execution once and in order, from whichever end its page is read', async () => {
  const { ctx, project } = world
  const { id: workflowId } = await world.graph(
    'listed',
    [{ type: 'WAIT_FOR_EVENT', config: { eventName: 'go' } }, { type: 'EXIT' }],
    [
      [-1, 0],
      [0, 1],
    ],
    { allowReentry: true },
  )
  const emails = Array.from({ length: 17 }, (_, n) => `listed${n}@example.com`)
  for (const [n, email] of emails.entries()) {
    await world.track(email, 'listed')
    if (n % 3 === 0) await world.track(email, 'go')
    // Some begin in the same millisecond.
    if (n % 2 === 0) world.clock.advance(1_000)
  }
  const rows = await ctx.sql<{ id: string; status: string; contactId: string }[]>`
    select id, status, contact_id as "contactId" from workflow_executions
     where workflow_id = ${workflowId}::uuid order by started_at desc, id desc`
  const stopped = rows.find(row => row.status === 'WAITING')!
  await stopExecution(ctx, project.id, workflowId, stopped.id)
  stopped.status = 'CANCELLED'
  const filters = [
    ...[undefined, 'RUNNING', 'WAITING', 'EXITED', 'CANCELLED', 'FAILED'].map(status => ({ status })),
    { contactId: rows[4]!.contactId, status: undefined },
    { contactId: rows[4]!.contactId, status: 'FAILED' },
  ] as Array<{ status: 'WAITING' | undefined; contactId?: string }>
  for (const pageSize of [1, 4, 7, 100])
    for (const filter of filters) {
      const expected = rows.filter(
        row =>
          (!filter.status || row.status === filter.status) &&
          (!filter.contactId || row.contactId === filter.contactId),
      )
      for (let page = 1; page <= Math.ceil(expected.length / pageSize) + 1; page++) {
        const offset = (page - 1) * pageSize
        const listing = { workflowId, ...filter }
        const list = await listExecutions(ctx, project.id, listing, { page, pageSize, offset })
        expect(list.total).toBe(expected.length)
        expect(list.rows.map(row => row.id)).toEqual(
          expected.slice(offset, offset + pageSize).map(row => row.id),
        )
      }
    }
  const all = await listWorkflows(
    ctx,
    project.id,
    { sort: 'createdAt', dir: 'desc' },
    { page: 1, pageSize: 1, offset: 0 },
  )
  const [listed] = all.rows
  expect(listed).toMatchObject({ id: workflowId, steps: 3 })
  expect(Object.values(listed!.executions).reduce((sum, count) => sum + count, 0)).toBe(rows.length)
})
