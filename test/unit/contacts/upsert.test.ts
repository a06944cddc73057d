// Upserts against a real database: patches, flips, and the races that a read followed by a write would lose.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type DataPatch, parsePatch } from '../../../src/modules/audience/contacts/patch'
import {
  type ContactEntry,
  upsertContacts,
  upsertProjectContacts,
} from '../../../src/modules/audience/contacts/service'
import { type Context, inTransaction } from '../../../src/platform/context'
import { testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'

let database: TestDatabase
let ctx: Context

beforeAll(async () => {
  database = await cloneDatabase({ max: 16 })
  ctx = testContext(database).ctx
})
afterAll(() => database.drop())

const projectId = () => Bun.randomUUIDv7()

function patch(data: Record<string, unknown>): DataPatch {
  const parsed = parsePatch(data)
  if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed))
  return parsed
}

async function upsert(project: string, entry: ContactEntry, defaultSubscribed = true) {
  return (await upsertContacts(ctx, project, [entry], { defaultSubscribed }))[0]!
}

async function eventsOf(project: string): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }[]>`
    select name from events where project_id = ${project}::uuid order by id`
  return rows.map(row => row.name)
}

describe('upsert', () => {
  test('creates a contact with the default state and stores its data', async () => {
    const project = projectId()
    const { contact, isNew } = await upsert(
      project,
      { email: ' Ada@Example.com ', patch: patch({ plan: 'pro' }) },
      false,
    )
    expect(isNew).toBe(true)
    expect(contact).toMatchObject({
      projectId: project,
      email: 'ada@example.com',
      subscribed: false,
      snoozedUntil: null,
    })
    expect(contact.data).toEqual({ plan: 'pro' })
    expect(contact.createdAt).toEqual(ctx.clock.now())
    expect(contact.updatedAt).toEqual(ctx.clock.now())
  })

  test('keeps untouched keys, overwrites sent ones and removes nulls', async () => {
    const project = projectId()
    await upsert(project, {
      email: 'a@x.test',
      patch: patch({ keep: 1, change: 1, drop: 1, nested: { a: 1, b: 2 } }),
    })
    const { contact, isNew } = await upsert(project, {
      email: 'A@x.test',
      patch: patch({
        change: 2,
        drop: null,
        absent: null,
        empty: '',
        keep: '',
        nested: { c: 3 },
        once: { value: 1, persistent: false },
      }),
    })
    expect(isNew).toBe(false)
    expect(contact.data).toEqual({ keep: 1, change: 2, nested: { c: 3 } })
  })

  test('without subscribed an existing contact keeps its state and no event is recorded', async () => {
    const project = projectId()
    await upsert(project, { email: 'a@x.test', subscribed: false })
    const { contact } = await upsert(project, { email: 'a@x.test', patch: patch({ a: 1 }) }, true)
    expect(contact.subscribed).toBe(false)
    expect(await eventsOf(project)).toEqual([])
  })

  test('a flip records its event once, a repeat records nothing', async () => {
    const project = projectId()
    await upsert(project, { email: 'a@x.test' }, true)
    await upsert(project, { email: 'a@x.test', subscribed: false })
    await upsert(project, { email: 'a@x.test', subscribed: false })
    await upsert(project, { email: 'a@x.test', subscribed: true })
    expect(await eventsOf(project)).toEqual(['contact.unsubscribed', 'contact.subscribed'])
  })

  test.each([true, false])('an explicit subscribed of %p ends a snooze', async subscribed => {
    const project = projectId()
    const { contact } = await upsert(project, { email: 'a@x.test', subscribed: false })
    await ctx.sql`update contacts set snoozed_until = ${ctx.clock.now()} where project_id = ${project}::uuid and id = ${contact.id}::uuid`
    expect(
      (await upsert(project, { email: 'a@x.test', patch: patch({ a: 1 }) })).contact.snoozedUntil,
    ).not.toBeNull()
    expect((await upsert(project, { email: 'a@x.test', subscribed })).contact).toMatchObject({
      subscribed,
      snoozedUntil: null,
    })
  })

  test('a request that changes nothing writes nothing', async () => {
    const project = projectId()
    const first = await upsert(project, {
      email: 'a@x.test',
      subscribed: true,
      patch: patch({ plan: 'pro', n: 1 }),
    })
    const version = () =>
      ctx.sql`select xmin::text, ctid::text, xmax::text from contacts where project_id = ${project}::uuid`
    const before = await version()
    const again = await upsert(project, {
      email: 'a@x.test',
      subscribed: true,
      patch: patch({ n: 1, gone: null }),
    })
    expect(again).toEqual({ ...first, isNew: false, isWritten: false })
    expect([...(await version())]).toEqual([...before])
  })

  test('entries with one address take effect in their order and are answered alike', async () => {
    const project = projectId()
    const results = await upsertContacts(
      ctx,
      project,
      [
        { email: 'b@x.test', patch: patch({ a: 1, b: 1 }) },
        { email: 'a@x.test' },
        { email: 'B@x.test', patch: patch({ a: null, b: 2, c: 1 }), subscribed: false },
        { email: 'b@X.test ', patch: patch({ a: 3, c: null }) },
      ],
      { defaultSubscribed: true },
    )
    expect(results.map(result => [result.contact.email, result.isNew])).toEqual([
      ['b@x.test', true],
      ['a@x.test', true],
      ['b@x.test', false],
      ['b@x.test', false],
    ])
    expect(results[0]!.contact).toEqual(results[3]!.contact)
    expect(results[0]!.contact).toMatchObject({ data: { a: 3, b: 2 }, subscribed: false })
  })

  test('entries of several projects stay apart', async () => {
    const [one, two] = [projectId(), projectId()]
    const results = await upsertProjectContacts(ctx, [
      { projectId: one, email: 'a@x.test', defaultSubscribed: true },
      { projectId: two, email: 'a@x.test', defaultSubscribed: false },
    ])
    expect(results.map(({ contact }) => [contact.projectId, contact.subscribed])).toEqual([
      [one, true],
      [two, false],
    ])
  })

  test('data that grows beyond the bound is refused and nothing is lost', async () => {
    const project = projectId()
    await upsert(project, { email: 'a@x.test', patch: patch({ a: 'x'.repeat(40_000) }) })
    const refused = upsert(project, { email: 'a@x.test', patch: patch({ b: 'x'.repeat(40_000) }) })
    await expect(refused).rejects.toMatchObject({ status: 422, errors: [{ field: 'data', code: 'too_big' }] })
    expect(Object.keys((await upsert(project, { email: 'a@x.test' })).contact.data)).toEqual(['a'])
  })

  test('a transaction that rolls back leaves neither contact nor counts nor events', async () => {
    const project = projectId()
    const failing = inTransaction(ctx, async tx => {
      await upsertContacts(tx, project, [{ email: 'a@x.test', patch: patch({ a: 1 }) }], {
        defaultSubscribed: true,
      })
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    const [row] = await ctx.sql`
      select (select count(*) from contacts where project_id = ${project}::uuid) as contacts,
             (select count(*) from contact_deltas where project_id = ${project}::uuid) as deltas,
             (select count(*) from contact_fields where project_id = ${project}::uuid) as fields`
    expect(row).toEqual({ contacts: 0, deltas: 0, fields: 0 })
  })
})

describe('races', () => {
  const fifty = Array.from({ length: 50 }, (_, index) => index)

  test('50 parallel first sights make one contact that exactly one of them created', async () => {
    const project = projectId()
    const results = await Promise.all(
      fifty.map(() => upsert(project, { email: 'a@x.test', patch: patch({ plan: 'pro' }) })),
    )
    expect(new Set(results.map(result => result.contact.id)).size).toBe(1)
    expect(results.filter(result => result.isNew)).toHaveLength(1)
    expect(await eventsOf(project)).toEqual([])
  })

  test('50 parallel patches of different keys all survive, on a new contact and on an old one', async () => {
    const project = projectId()
    const run = (prefix: string) =>
      Promise.all(
        fifty.map(index =>
          upsert(project, { email: 'a@x.test', patch: patch({ [`${prefix}${index}`]: index }) }),
        ),
      )
    await run('new')
    await run('old')
    const { contact } = await upsert(project, { email: 'a@x.test' })
    expect(Object.keys(contact.data)).toHaveLength(100)
  })

  test('each answer of a race holds the patch that was sent', async () => {
    const project = projectId()
    const results = await Promise.all(
      fifty.map(index => upsert(project, { email: 'a@x.test', patch: patch({ [`k${index % 5}`]: 1 }) })),
    )
    results.forEach((result, index) => {
      expect(result.contact.data).toHaveProperty(`k${index % 5}`, 1)
    })
  })

  test('50 parallel unsubscribes record exactly one event', async () => {
    const project = projectId()
    await upsert(project, { email: 'a@x.test', subscribed: true })
    await Promise.all(fifty.map(() => upsert(project, { email: 'a@x.test', subscribed: false })))
    expect(await eventsOf(project)).toEqual(['contact.unsubscribed'])
  })

  test('parallel flips in both directions alternate', async () => {
    const project = projectId()
    await upsert(project, { email: 'a@x.test', subscribed: true })
    await Promise.all(fifty.map(index => upsert(project, { email: 'a@x.test', subscribed: index % 2 === 0 })))
    const { contact } = await upsert(project, { email: 'a@x.test' })
    const events = await eventsOf(project)
    const count = (name: string) => events.filter(event => event === name).length
    expect(count('contact.unsubscribed') - count('contact.subscribed')).toBe(contact.subscribed ? 0 : 1)
  })

  test('overlapping batches in opposite order do not block each other', async () => {
    const project = projectId()
    const entries = fifty.map(index => ({ email: `u${index}@x.test` }))
    await Promise.all(
      Array.from({ length: 12 }, (_, round) =>
        upsertContacts(
          ctx,
          project,
          (round % 2 === 0 ? entries : entries.toReversed()).map(entry => ({
            ...entry,
            patch: patch({ [`r${round}`]: 1, shared: round }),
          })),
          { defaultSubscribed: true },
        ),
      ),
    )
    const [row] = await ctx.sql`
      select count(*) as contacts, min((select count(*) from jsonb_object_keys(data)))::int as keys
        from contacts where project_id = ${project}::uuid`
    expect(row).toEqual({ contacts: 50, keys: 13 })
  })
})
