// Type inference: the table of the interface document, and the registry that the database keeps by the same rule.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { inferType } from '../../../src/modules/audience/contacts/fields'
import { type DataPatch, parsePatch } from '../../../src/modules/audience/contacts/patch'
import { selectFieldCounts } from '../../../src/modules/audience/contacts/queries'
import { updateContact, upsertContacts } from '../../../src/modules/audience/contacts/service'
import type { Context } from '../../../src/platform/context'
import { testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'

const cases: Array<[unknown, 'string' | 'number' | 'boolean' | 'date']> = [
  [1, 'number'],
  [-0.5, 'number'],
  [1e21, 'number'],
  [true, 'boolean'],
  [false, 'boolean'],
  ['2026-01-31', 'date'],
  ['2026-01-31T10:20:30Z', 'date'],
  ['2026-01-31T10:20:30.123Z', 'date'],
  ['2026-01-31T10:20:30', 'string'],
  ['2026-01-31T10:20:30.12Z', 'string'],
  ['2026-01-31T10:20:30+02:00', 'string'],
  ['2026-01-31T10:20Z', 'string'],
  ['2026-01-31 10:20:30Z', 'string'],
  ['2026-1-31', 'string'],
  [' 2026-01-31', 'string'],
  ['2026-01-31\n', 'string'],
  ['x\n2026-01-31', 'string'],
  ['٢٠٢٦-٠١-٣١', 'string'],
  ['05/06/2026', 'string'],
  ['12', 'string'],
  ['true', 'string'],
  ['text', 'string'],
  [[], 'string'],
  [[1], 'string'],
  [{}, 'string'],
  [{ a: '2026-01-31' }, 'string'],
]

describe('the type of a first value', () => {
  test.each(cases)('%p is a %s', (value, type) => {
    expect(inferType(value)).toBe(type)
  })

  test.each([null, undefined])('%p decides nothing', value => {
    expect(inferType(value)).toBeUndefined()
  })
})

describe('the registry', () => {
  let database: TestDatabase
  let ctx: Context
  beforeAll(async () => {
    database = await cloneDatabase()
    ctx = testContext(database).ctx
  })
  afterAll(() => database.drop())

  const patch = (data: Record<string, unknown>) => parsePatch(data) as DataPatch
  const upsert = (project: string, ...datas: Array<Record<string, unknown>>) =>
    upsertContacts(
      ctx,
      project,
      datas.map((data, index) => ({ email: `${'cba'[index]}@x.test`, patch: patch(data) })),
      { defaultSubscribed: true },
    )
  async function types(project: string): Promise<Record<string, string>> {
    const fields = await selectFieldCounts(ctx, project)
    return Object.fromEntries(fields.map(field => [field.name, field.type]))
  }

  test('infers as the pure rule does', async () => {
    const project = Bun.randomUUIDv7()
    await upsert(project, Object.fromEntries(cases.map(([value], index) => [`f${index}`, value])))
    expect(await types(project)).toEqual(
      Object.fromEntries(cases.map(([, type], index) => [`f${index}`, type])),
    )
  })

  test('keeps the first type; values of other types are stored all the same', async () => {
    const project = Bun.randomUUIDv7()
    await upsert(project, { since: '2026-01-01' })
    const [result] = await upsert(project, { since: 5 })
    expect(result!.contact.data).toEqual({ since: 5 })
    expect(await types(project)).toEqual({ since: 'date' })
  })

  test('takes the first entry of a batch, whatever the order of addresses', async () => {
    const project = Bun.randomUUIDv7()
    await upsert(project, { first: 1 }, { first: 'text' }, { first: true })
    expect(await types(project)).toEqual({ first: 'number' })
  })

  test('hears nothing of nulls, empty strings, reserved keys and values that are not stored', async () => {
    const project = Bun.randomUUIDv7()
    await upsert(project, { a: null, b: '', id: 1, c: { value: 1, persistent: false } })
    expect(await types(project)).toEqual({})
  })

  test('learns from an update by id, and keeps a field that no contact has any more with no contacts', async () => {
    const project = Bun.randomUUIDv7()
    const [result] = await upsert(project, { a: 1 })
    await updateContact(ctx, project, result!.contact.id, { data: { b: true, a: null } })
    expect((await selectFieldCounts(ctx, project)).toSorted((x, y) => (x.name < y.name ? -1 : 1))).toEqual([
      { name: 'a', type: 'number', contacts: 0 },
      { name: 'b', type: 'boolean', contacts: 1 },
    ])
  })

  test('is one a project', async () => {
    const [one, two] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
    await upsert(one, { a: 1 })
    await upsert(two, { a: 'text' })
    expect([await types(one), await types(two)]).toEqual([{ a: 'number' }, { a: 'string' }])
  })

  test('gives a race of 50 requests with a new field one type', async () => {
    const project = Bun.randomUUIDv7()
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        upsertContacts(
          ctx,
          project,
          [{ email: `u${index}@x.test`, patch: patch({ a: index % 2 ? 'text' : 1, b: 1 }) }],
          {
            defaultSubscribed: true,
          },
        ),
      ),
    )
    const fields = await selectFieldCounts(ctx, project)
    expect(fields.map(field => [field.name, field.contacts]).toSorted()).toEqual([
      ['a', 50],
      ['b', 50],
    ])
  })
})
