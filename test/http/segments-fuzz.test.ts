// Whatever is sent as a condition, the answer is a clear one and quick: never an error of the server, never a statement that hangs.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import fc from 'fast-check'
import { operators } from '../../src/filters/read'
import { makeApplication } from '../../src/http/application'
import { second } from '../../src/lib/time'
import { upsertContacts } from '../../src/modules/audience/contacts/service'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import type { Context } from '../../src/platform/context'
import { anyCharacter } from '../support/any-character'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
let project: MadeProject

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [ctx => segmentsRoutes(ctx)])
  project = await makeProject({ ctx })
  const entries = Array.from({ length: 500 }, (_, index) => ({
    email: `p${index}@x.test`,
    patch: {
      set: { n: index, text: 'a'.repeat(index), deep: { a: { b: index } } },
      remove: [],
      transient: {},
    },
  }))
  await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
})
afterAll(() => database.drop())

/** Long after what was done before: how much of its time the project has used up by then would depend on the machine. */
const create = (condition: unknown) => {
  clock.advance(600 * second)
  return request(app, 'POST', '/segments', { key: project.secretKey, body: { name: 'Fuzz', condition } })
}

/** Creates, and where that works also evaluates every way there is; answers the statuses and how long all took. */
async function tryAll(condition: unknown): Promise<{ statuses: number[]; ms: number }> {
  const begun = performance.now()
  const made = await create(condition)
  const statuses = [made.status]
  if (made.status === 201) {
    const path = `/segments/${made.body.id}`
    const options = { key: project.secretKey }
    for (const [method, end, body] of [
      ['GET', '/contacts?page=3&pageSize=100'],
      ['PATCH', '', { trackMembership: true, condition }],
      ['POST', '/compute'],
      ['POST', '/refresh'],
      ['DELETE', ''],
    ] as Array<[string, string, unknown?]>)
      statuses.push((await request(app, method, path + end, { ...options, body })).status)
  }
  return { statuses, ms: performance.now() - begun }
}

const fields = fc.constantFrom(
  'email',
  'subscribed',
  'createdAt',
  'updatedAt',
  'snoozedUntil',
  'data.n',
  'data.text',
  'data.deep.a.b',
  'data..',
  'data.$',
  'event.x',
  'email.open',
  'contact.data.n',
  'segment.x',
  'purchase',
  '__proto__',
  "data.'; --",
)
const anyOperator = fc.constantFrom(...operators)
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.constantFrom<unknown>(
    1e308,
    -1e308,
    1e-320,
    8.64e15,
    '2026-13-45',
    '0000-00-00',
    '9999-12-31',
    '+275760-09-13T00:00:00.000Z',
    '%_\\',
    '{"a":',
    '$1',
    '2026-01-01T00:00:00+23:59',
    '$.a ? (@ > 1)',
  ),
)
const filter = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      field: fields,
      operator: anyOperator,
      value: values,
      unit: fc.constantFrom('days', 'hours', 'minutes'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        field: fc.oneof(fields, fc.string({ unit: anyCharacter })),
        operator: fc.oneof(anyOperator, fc.string()),
        value: values,
        unit: values,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)
const tree = fc.letrec<{ tree: unknown; group: unknown }>(tie => ({
  tree: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        logic: fc.constantFrom('AND', 'OR'),
        groups: fc.array(tie('group'), { minLength: 1, maxLength: 2 }),
      }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
  group: fc.oneof(
    { weight: 8, arbitrary: fc.record({ filters: fc.array(filter, { minLength: 1, maxLength: 2 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ filters: fc.array(filter, { maxLength: 2 }), conditions: tie('tree') }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
})).tree

test('1,000 random conditions: 201, or a 4xx that says why, and what is stored can be evaluated', async () => {
  let stored = 0
  await fc.assert(
    fc.asyncProperty(tree, async condition => {
      const { statuses } = await tryAll(condition)
      expect([201, 400, 404, 422]).toContain(statuses[0]!)
      if (statuses[0] === 201) {
        stored++
        expect(statuses.slice(1)).toEqual([200, 200, 200, 200, 204])
      }
    }),
    { numRuns: 1_000, seed: 7 },
  )
  expect(stored).toBeGreaterThan(20)
})

const all = (...filters: unknown[]) => ({ logic: 'AND', groups: [{ filters }] })
const nested = (depth: number, width: number, filter: object): unknown =>
  depth === 0
    ? all(filter)
    : {
        logic: 'OR',
        groups: Array.from({ length: width }, () => ({
          filters: [filter],
          conditions: nested(depth - 1, width, filter),
        })),
      }
const evil = `${'(a+)+'.repeat(200)}$`

describe('filter bombs are answered within two seconds', () => {
  test.each<[string, () => unknown, number]>([
    ['nesting of 30', () => nested(30, 1, { field: 'email', operator: 'exists' }), 400],
    ['2^12 branches', () => nested(12, 2, { field: 'data.n', operator: 'exists' }), 422],
    ['20,000 filters', () => all(...Array(20_000).fill({ field: 'data.n', operator: 'exists' })), 422],
    ['20,000 faulty groups', () => ({ logic: 'AND', groups: Array(20_000).fill({}) }), 422],
    [
      'a value of a million characters',
      () => all({ field: 'data.text', operator: 'contains', value: 'a'.repeat(1_000_000) }),
      400,
    ],
    [
      'a field of a million dots',
      () => all({ field: `data${'.'.repeat(1_000_000)}`, operator: 'exists' }),
      400,
    ],
    [
      'text like a pattern that never ends',
      () => all(...Array(100).fill({ field: 'data.text', operator: 'contains', value: evil })),
      201,
    ],
    [
      '100 wildcards',
      () => all(...Array(100).fill({ field: 'email', operator: 'contains', value: '%a%a%a%a%a%a%a%a%b' })),
      201,
    ],
    ['400 dots', () => all({ field: `data${'.'.repeat(400)}`, operator: 'equals', value: 1 }), 201],
    [
      '100 events',
      () =>
        all(
          ...Array.from({ length: 100 }, (_, index) => ({
            field: `event.${index}`,
            operator: 'notTriggered',
          })),
        ),
      201,
    ],
    [
      '100 events joined by OR',
      () => ({
        logic: 'OR',
        groups: Array.from({ length: 100 }, (_, index) => ({
          filters: [{ field: `event.${index}`, operator: 'triggeredOlderThan', value: 1, unit: 'days' }],
        })),
      }),
      201,
    ],
    [
      '100 long texts',
      () =>
        all(
          ...Array(100).fill({
            field: `data.${'k'.repeat(490)}`,
            operator: 'notEquals',
            value: 'v'.repeat(2_000),
          }),
        ),
      201,
    ],
  ])('%s', async (_, make, status) => {
    const { statuses, ms } = await tryAll(make())
    expect(statuses[0]).toBe(status)
    expect(statuses.filter(each => each >= 500)).toEqual([])
    expect(ms).toBeLessThan(status === 201 ? 10_000 : 2_000)
  })

  test('segments that double each other end at 300 filters', async () => {
    let condition: unknown = all({ field: 'data.n', operator: 'greaterThan', value: 3 })
    const statuses: number[] = []
    for (let level = 0; level < 12; level++) {
      const { status, body } = await create(condition)
      statuses.push(status)
      if (status !== 201) break
      const inner = { field: `segment.${body.id}`, operator: 'memberOfSegment' }
      condition = all(inner, inner)
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 201, 400])
  })
})
