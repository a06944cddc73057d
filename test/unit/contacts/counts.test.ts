// The counts of contacts and fields must equal a full recount after any history, rolled up or not.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type ContactData, type DataPatch, parsePatch } from '../../../src/modules/audience/contacts/patch'
import {
  rollUpContactDeltas,
  selectContactCounts,
  selectFieldCounts,
} from '../../../src/modules/audience/contacts/queries'
import { deleteContacts, updateContact, upsertContacts } from '../../../src/modules/audience/contacts/service'
import type { Context } from '../../../src/platform/context'
import { testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'

let database: TestDatabase
let ctx: Context

beforeAll(async () => {
  database = await cloneDatabase()
  ctx = testContext(database).ctx
})
afterAll(() => database.drop())

const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'text',
    0,
    1.5,
    true,
    '2026-01-01',
    [],
    {},
    { value: 1, persistent: false },
  ),
  fc.record({ nested: fc.constant(null) }),
)
const data = fc.dictionary(fc.constantFrom('a', 'b', 'c.d', 'e f', 'id', 'constructor', 'é'), value, {
  maxKeys: 5,
})
const person = fc.integer({ min: 0, max: 4 })

type Step =
  | { type: 'upsert'; people: Array<{ person: number; data: ContactData; subscribed?: boolean }> }
  | { type: 'update'; person: number; data: ContactData | null; subscribed?: boolean; rename: boolean }
  | { type: 'delete'; people: number[] }
  | { type: 'fold'; limit: number }

const subscribed = fc.option(fc.boolean(), { nil: undefined })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('upsert' as const),
      people: fc.array(fc.record({ person, data, subscribed }), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('update' as const),
      person,
      data: fc.option(data, { nil: null }),
      subscribed,
      rename: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      people: fc.array(person, { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('fold' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  },
)

const patch = (given: ContactData): DataPatch => {
  const parsed = parsePatch(given)
  if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed))
  return parsed
}
const address = (index: number): string => `p${index}@x.test`

async function idsOf(project: string, people: number[]): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${project}::uuid and email = any(${people.map(address)}::text[])`
  return rows.map(row => row.id)
}

async function apply(project: string, change: Step): Promise<void> {
  if (change.type === 'fold') await rollUpContactDeltas(ctx, change.limit)
  else if (change.type === 'delete') await deleteContacts(ctx, project, await idsOf(project, change.people))
  else if (change.type === 'upsert') {
    const entries = change.people.map(each => ({
      email: address(each.person),
      patch: patch(each.data),
      subscribed: each.subscribed,
    }))
    await upsertContacts(ctx, project, entries, { defaultSubscribed: true })
  } else {
    const [id] = await idsOf(project, [change.person])
    const email = change.rename ? `q${change.person}@x.test` : undefined
    if (id)
      await updateContact(ctx, project, id, {
        data: change.data,
        subscribed: change.subscribed,
        email,
      }).catch(ignoreRefusal)
  }
}

/** The address is taken, or a parallel step deleted the contact. */
function ignoreRefusal(error: { status?: number }): void {
  if (error.status !== 409 && error.status !== 404) throw error
}

interface Recount {
  contacts: number
  subscribed: number
  fields: Record<string, number>
}

async function recount(project: string): Promise<Recount> {
  const [counts] = await ctx.sql<{ contacts: number; subscribed: number }[]>`
    select count(*) as contacts, count(*) filter (where subscribed) as subscribed from contacts
     where project_id = ${project}::uuid`
  const fields = await ctx.sql<{ key: string; contacts: number }[]>`
    select key, count(*) as contacts from contacts, jsonb_each(data)
     where project_id = ${project}::uuid and value <> 'null' group by key`
  return { ...counts!, fields: Object.fromEntries(fields.map(row => [row.key, row.contacts])) }
}

async function kept(project: string): Promise<Recount> {
  const fields = await selectFieldCounts(ctx, project)
  const present = fields.filter(field => field.contacts !== 0).map(field => [field.name, field.contacts])
  return { ...(await selectContactCounts(ctx, project)), fields: Object.fromEntries(present) }
}

test('counts equal a full recount after any mix of upserts, updates, deletes and folds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
      const project = Bun.randomUUIDv7()
      for (const change of steps) {
        await apply(project, change)
        expect(await kept(project)).toEqual(await recount(project))
      }
    }),
    { numRuns: 60 },
  )
})

test('counts equal a full recount after a storm of parallel changes while they are rolled up', async () => {
  const project = Bun.randomUUIDv7()
  const storm = fc.sample(step, 300).map(change => apply(project, change))
  await Promise.all(storm)
  expect(await kept(project)).toEqual(await recount(project))
  while ((await rollUpContactDeltas(ctx, 50)) > 0);
  expect(await kept(project)).toEqual(await recount(project))
})
