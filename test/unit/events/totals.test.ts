// The counts of events must equal a full recount after any history of recording, deleting and folding.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { day, hour } from '../../../src/lib/time'
import {
  deleteNamedEvents,
  rollUpEventDeltas,
  selectCount,
  selectDayCounts,
  selectNameCounts,
} from '../../../src/modules/audience/events/queries'
import {
  deleteEvents,
  deleteEventsOfContacts,
  recordEvents,
} from '../../../src/modules/audience/events/service'
import type { Context } from '../../../src/platform/context'
import { jobHandlers } from '../../../src/server/jobs'
import { type ManualClock, testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'
import { drain } from '../../support/drain'

let database: TestDatabase
let ctx: Context
let clock: ManualClock

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database))
})
afterAll(() => database.drop())

const people = Array.from({ length: 3 }, () => Bun.randomUUIDv7())
const name = fc.constantFrom('a', 'b', 'c d', 'ü')
const person = fc.constantFrom(...people, null)

type Step =
  | { type: 'record'; events: Array<{ name: string; contactId: string | null }> }
  | { type: 'delete'; name: string }
  | { type: 'deleteSome'; name: string; limit: number }
  | { type: 'purge'; contactIds: string[] }
  | { type: 'fold'; limit: number }
  | { type: 'wait'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('record' as const),
      events: fc.array(fc.record({ name, contactId: person }), { minLength: 1, maxLength: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('deleteSome' as const),
      name,
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('purge' as const),
      contactIds: fc.subarray(people, { minLength: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('fold' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.integer({ min: hour, max: 2 * day }) }),
  },
)

async function apply(project: string, change: Step): Promise<void> {
  switch (change.type) {
    case 'record':
      return void (await recordEvents(ctx, project, change.events))
    case 'delete':
      return void (await deleteEvents(ctx, project, change.name))
    case 'deleteSome': {
      const span = { name: change.name, from: new Date(0), until: clock.now() }
      return void (await deleteNamedEvents(ctx, project, span, change.limit))
    }
    case 'purge':
      return void (await deleteEventsOfContacts(ctx, project, change.contactIds))
    case 'fold':
      return void (await rollUpEventDeltas(ctx, change.limit))
    case 'wait':
      return clock.advance(change.ms)
  }
}

type Counts = Record<string, number>

const toCounts = (rows: ReadonlyArray<{ name: string; count: number }>): Counts =>
  Object.fromEntries(rows.map(row => [row.name, row.count]))

async function expectExact(project: string): Promise<void> {
  const rows = await ctx.sql<{ name: string; count: number; day: string }[]>`
    select name, count(*) as count, (created_at at time zone 'UTC')::date::text as day
      from events where project_id = ${project}::uuid group by 1, 3`
  const all: Counts = {}
  for (const row of rows) all[row.name] = (all[row.name] ?? 0) + row.count
  expect(toCounts(await selectNameCounts(ctx, project))).toEqual(all)
  expect(await selectCount(ctx, project, null)).toBe(rows.reduce((sum, row) => sum + row.count, 0))
  expect(await selectCount(ctx, project, 'a')).toBe(all['a'] ?? 0)
  for (const date of new Set(rows.map(row => row.day)))
    expect(toCounts(await selectDayCounts(ctx, project, { first: date, last: date }))).toEqual(
      toCounts(rows.filter(row => row.day === date)),
    )
}

test('totals equal a recount after any mix of recording, deleting and folding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async steps => {
      const project = Bun.randomUUIDv7()
      for (const change of steps) {
        await apply(project, change)
        await expectExact(project)
      }
    }),
    { numRuns: 60 },
  )
})

test('totals equal a recount after a storm of parallel changes while they are rolled up', async () => {
  const project = Bun.randomUUIDv7()
  await Promise.all(fc.sample(step, 300).map(change => apply(project, change)))
  await expectExact(project)
  while ((await rollUpEventDeltas(ctx, 50)) > 0);
  await expectExact(project)
})

test('totals equal a recount after a deletion that a job had to finish', async () => {
  const project = Bun.randomUUIDv7()
  const events = (count: number, of: string) => Array.from({ length: count }, () => ({ name: of }))
  for (const count of [6_000, 6_000, 3_000]) {
    await recordEvents(ctx, project, events(count, 'many'))
    await rollUpEventDeltas(ctx, 2)
    clock.advance(day)
  }
  await recordEvents(ctx, project, events(10, 'few'))
  expect(await deleteEvents(ctx, project, 'many')).toBe(15_000)
  await expectExact(project)
  expect(await selectCount(ctx, project, 'many')).toBe(5_000)
  await drain(ctx, jobHandlers(ctx))
  await expectExact(project)
  expect(await selectCount(ctx, project, 'many')).toBe(0)
})
