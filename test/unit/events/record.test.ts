// Recording events against a real database: rows, totals, and the job for those somebody listens for.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { day } from '../../../src/lib/time'
import { selectEventsById, selectNameCounts } from '../../../src/modules/audience/events/queries'
import {
  recordEvents,
  recordProjectEvents,
  rollUpEventTotals,
  setListener,
} from '../../../src/modules/audience/events/service'
import { type Context, inTransaction } from '../../../src/platform/context'
import { type ManualClock, testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'

let database: TestDatabase
let ctx: Context
let clock: ManualClock

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database))
})
afterAll(() => database.drop())

const id = () => Bun.randomUUIDv7()
const jobs = (project: string) =>
  ctx.sql<{ args: { eventId: string } }[]>`
    select args from jobs where project_id = ${project}::uuid and kind = 'event.route' order by id`

test('an event is stored as given, with nulls for what is absent', async () => {
  const project = id()
  const [contactId, emailId] = [id(), id()]
  const data = { list: [1, 'two', null], nested: { a: { b: 1 } }, code: { value: 7, persistent: false } }
  const [full, bare] = await recordEvents(ctx, project, [
    { name: 'a:b@c/d-e', contactId, emailId, data },
    { name: 'bare' },
  ])
  expect((await selectEventsById(ctx, project, [full!.id]))[0]).toEqual({
    id: full!.id,
    projectId: project,
    name: 'a:b@c/d-e',
    contactId,
    emailId,
    data,
    hops: 0,
    createdAt: clock.now(),
  })
  expect((await selectEventsById(ctx, project, [bare!.id]))[0]).toMatchObject({
    contactId: null,
    emailId: null,
    data: null,
  })
  expect((await selectEventsById(ctx, id(), [full!.id]))[0]).toBeUndefined()
})

test('events of one call keep their order', async () => {
  const rows = await recordEvents(
    ctx,
    id(),
    Array.from({ length: 100 }, (_, index) => ({ name: `n${index}` })),
  )
  expect(rows.map(row => row.id).toSorted()).toEqual(rows.map(row => row.id))
})

test('names are counted exactly, rolled up or not, over days and parallel requests', async () => {
  const project = id()
  for (const name of ['rare', 'often', 'often']) {
    await Promise.all(Array.from({ length: 10 }, () => recordEvents(ctx, project, [{ name }])))
    clock.advance(day)
  }
  const expected = [
    { name: 'often', count: 20 },
    { name: 'rare', count: 10 },
  ]
  expect([...(await selectNameCounts(ctx, project))]).toEqual(expected)
  expect(await rollUpEventTotals(ctx)).toBeGreaterThan(0)
  expect([...(await selectNameCounts(ctx, project))]).toEqual(expected)
  await recordProjectEvents(ctx, [
    { projectId: project, name: 'rare' },
    { projectId: id(), name: 'rare' },
  ])
  expect([...(await selectNameCounts(ctx, project))]).toEqual([expected[0]!, { name: 'rare', count: 11 }])
  const totals =
    await ctx.sql`select count(*) as days from event_totals where project_id = ${project}::uuid and name = 'often'`
  expect(totals[0]).toEqual({ days: 2 })
})

test('an event without a listener for its name costs no job', async () => {
  const project = id()
  await setListener(ctx, id(), id(), ['order'])
  await setListener(ctx, project, id(), ['other'])
  await recordEvents(ctx, project, [{ name: 'order', contactId: id() }])
  expect(await jobs(project)).toBeEmpty()
})

test('an event with a listener is routed once, however many listen', async () => {
  const project = id()
  const [first, second] = [id(), id()]
  await setListener(ctx, project, first, ['order', 'order', 'visit'])
  await setListener(ctx, project, second, ['order'])
  const rows = await recordEvents(ctx, project, [
    { name: 'order', contactId: id() },
    { name: 'quiet', contactId: id() },
    { name: 'order' },
  ])
  expect((await jobs(project)).map(job => job.args.eventId)).toEqual([rows[0]!.id])
  await setListener(ctx, project, first, ['visit'])
  await setListener(ctx, project, second, [])
  await recordEvents(ctx, project, [{ name: 'order', contactId: id() }])
  expect(await jobs(project)).toHaveLength(1)
})

test('a transaction that rolls back leaves neither event nor count nor job', async () => {
  const project = id()
  await setListener(ctx, project, id(), ['order'])
  const failing = inTransaction(ctx, async tx => {
    await recordEvents(tx, project, [{ name: 'order', contactId: id() }])
    throw new Error('stop')
  })
  await expect(failing).rejects.toThrow('stop')
  expect(await selectNameCounts(ctx, project)).toBeEmpty()
  expect(await jobs(project)).toBeEmpty()
})
