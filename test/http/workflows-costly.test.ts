// Workflows whose steps render something costly: the step fails with the reason, nobody comes back to it for ever, and executions that
// move in the same transaction go on without it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeAdvancing } from '../../src/modules/features/workflows/runs/service/advance'
import { makeRouting } from '../../src/modules/features/workflows/runs/service/route'
import { isGivenUp } from '../../src/modules/sending/templates/service/overruns'
import { makeWorkflowWorld, type StepSpec, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0
const endless = (n: number): string =>
  `${n}{{ name }}${'{% for i in (1..9999) %}'.repeat(3)}${'{% endfor %}'.repeat(3)}`
const sets = (value: string): StepSpec => ({ type: 'UPDATE_CONTACT', config: { updates: { came: value } } })

interface At {
  projectId: string
  executionId: string
  version: number
}

/** Executions of a workflow with one step, started and not moved. */
async function started(step: StepSpec, count: number): Promise<{ id: string; ats: At[] }> {
  const event = `costly.${++counter}`
  const { id } = await world.chain(event, [step])
  const projectId = world.project.id
  const route = makeRouting(world.ctx)
  for (let n = 0; n < count; n++) {
    const body = { email: `costly${++counter}@example.com`, event }
    const { data } = (await world.call('POST', '/v1/track', { key: world.project.publicKey, body })).body
    await route({ projectId, eventId: data.event })
  }
  await world.ctx.sql`delete from jobs where kind in ('event.route', 'workflow.advance')`
  const rows = await world.ctx.sql<{ id: string; version: number }[]>`
    select id, version from workflow_executions where workflow_id = ${id}`
  return { id, ats: rows.map(({ id: executionId, version }) => ({ projectId, executionId, version })) }
}

const statuses = async (id: string): Promise<string[]> =>
  (await world.executions(id)).map(({ status }) => status).sort()

test('a step that renders without end fails with the reason, and is not tried again for an hour', async () => {
  const templateId = await world.template({ type: 'TRANSACTIONAL', body: endless(0) })
  const { id } = await world.chain('never.ends', [{ type: 'SEND_EMAIL', templateId }, { type: 'EXIT' }])
  const reasons: string[] = []
  for (let n = 0; n < 4; n++) {
    await world.track(`endless${n}@example.com`, 'never.ends')
    const [newest] = await world.executions(id)
    const { status, stepExecutions } = await world.execution(id, newest!.id)
    expect(status).toBe('FAILED')
    reasons.push(stepExecutions.at(-1).error)
  }
  for (const reason of reasons) expect(reason).toContain('The template is too costly to render body: t')
  expect(reasons.map(reason => reason.includes('not tried again for an hour'))).toEqual([
    false,
    false,
    false,
    true,
  ])
  const [left] = await world.ctx.sql<{ count: number }[]>`
    select count(*)::int as count from jobs where kind = 'workflow.advance' and state in ('queued', 'running')`
  expect(left!.count).toBe(0)
})

test('whatever shares its transaction is done while it is still rendered', async () => {
  const quick = await started(sets('{{ email }}'), 12)
  const costly = await started(sets(endless(1)), 1)
  const advance = makeAdvancing(world.ctx)
  const order: string[] = []
  const move = (at: At, name: string) => advance(at).then(() => void order.push(name))
  await Promise.all([
    // Those that find a free slot go alone; these share one.
    ...quick.ats.slice(0, 6).map(at => move(at, 'quick')),
    ...costly.ats.map(at => move(at, 'costly')),
    ...quick.ats.slice(6).map(at => move(at, 'quick')),
  ])
  expect(order).toEqual([...Array<string>(12).fill('quick'), 'costly'])
  expect(await statuses(quick.id)).toEqual(Array(12).fill('COMPLETED'))
  expect(await statuses(costly.id)).toEqual(['FAILED'])
})

test('of one project two such executions take a place at most, and the others come back', async () => {
  const costly = await started(sets(endless(2)), 5)
  const advance = makeAdvancing(world.ctx)
  const ends = await Promise.allSettled(costly.ats.map(at => advance(at)))
  const names = ends.map(end => (end.status === 'rejected' ? (end.reason as Error).name : end.status))
  expect(names.filter(name => name === 'Snooze').length).toBeGreaterThan(0)
  expect(new Set(names)).toEqual(new Set(['Snooze', 'fulfilled']))
  const again = costly.ats.filter((_, index) => names[index] === 'Snooze')
  for (const at of again) await advance(at)
  expect(await statuses(costly.id)).toEqual(Array(5).fill('FAILED'))
})

test('a process that has seen nothing of it knows from the database what others gave up', async () => {
  const [row] = await world.ctx.sql<{ hash: string }[]>`
    select hash from template_strikes where project_id = ${world.project.id} and count >= 3 limit 1`
  const overruns = new URL('../../src/modules/sending/templates/service/overruns.ts', import.meta.url)
    .pathname
  // Loaded under another name it remembers nothing, like another process.
  const other = (await import(`${overruns}?other`)) as { isGivenUp: typeof isGivenUp; isKnownSlow: never }
  expect(other.isGivenUp).not.toBe(isGivenUp)
  expect(await other.isGivenUp(world.ctx, world.project.id, row!.hash)).toBe(true)
  expect(await other.isGivenUp(world.ctx, world.project.id, 'ff'.repeat(32))).toBe(false)
})
