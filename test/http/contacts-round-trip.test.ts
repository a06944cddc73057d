// A file that the export wrote, imported as it is, changes nothing: no value, no type, no subscription, no topic, no date.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import fc from 'fast-check'
import { day } from '../../src/lib/time'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { upsertContacts } from '../../src/modules/audience/contacts/service'
import type { Context } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { buildApp } from '../../src/server/app'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = buildApp(ctx)
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

async function exported(project: MadeProject, query = ''): Promise<string> {
  return (await call(project, 'GET', `/contacts/export${query}`)).body
}

async function imported(project: MadeProject, file: string) {
  const form = new FormData()
  form.set('file', new File([file], 'contacts.csv'))
  const { body } = await call(project, 'POST', '/contacts/import', form)
  await drain(ctx, handlers)
  return (await call(project, 'GET', `/contacts/import/${body.jobId}`)).body
}

/** All that is stored of the contacts of a project. */
async function stored(project: MadeProject) {
  const contacts = await ctx.sql`
    select c.id, c.email, c.subscribed, c.snoozed_until, c.opted_out_at, c.data::text, c.updated_at, c.version,
           (select jsonb_agg(to_jsonb(t) order by t.topic_id) from contact_topics t
             where t.project_id = c.project_id and t.contact_id = c.id) as topics,
           (select count(*)::int from consent_changes k where k.project_id = c.project_id and k.contact_id = c.id) as changes
      from contacts c where c.project_id = ${project.id}::uuid order by c.id`
  const fields = await ctx.sql`
    select name, type from contact_fields where project_id = ${project.id}::uuid order by name`
  return { contacts: [...contacts], fields: [...fields] }
}

/** Imports a file of the project's own and expects that nothing came of it. */
async function expectUnchanged(project: MadeProject, query = ''): Promise<void> {
  const before = await stored(project)
  clock.advance(60_000)
  const file = await exported(project, query)
  const job = await imported(project, file)
  expect(job).toMatchObject({
    state: 'completed',
    failedReason: null,
    result: { failureCount: 0, createdCount: 0 },
  })
  expect(job.result.errors).toEqual([])
  expect(await stored(project)).toEqual(before)
  const texts = file.split('\r\n')
  expect((await exported(project, query)).split('\r\n')).toEqual(texts)
}

const keyParts = [
  'a',
  'b',
  ' ',
  'data.',
  'topic:',
  ':json',
  'Email',
  'Id',
  '=',
  "'",
  '\n',
  '\r',
  '\u2028',
  '"',
  ',',
  ';',
  'é',
]
const key = fc
  .array(fc.constantFrom(...keyParts), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join(''))
const text = fc.oneof(
  fc.constantFrom(
    '42',
    '1.50',
    '01730',
    'true',
    'FALSE',
    'yes',
    'no',
    '1',
    '0',
    '2026-01-31',
    '12.0',
    '1e5',
    'null',
    '"',
    '{}',
    '[]',
  ),
  fc.constantFrom(
    ' padded ',
    '\u00a0x',
    '\ufeffx',
    '=1+1',
    "'=x",
    '-',
    '+49 170',
    '@x',
    '\x1a',
    'a\r\nb',
    'a,b;c\td',
    '"quoted"',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).filter(each => !each.includes('\0')),
)
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })) },
  { weight: 2, arbitrary: fc.boolean() },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>([], ['a', 'b'], { tier: 'gold' }, { a: [{ b: null }] }, [
      ' ',
      1,
      true,
    ]),
  },
)

test('whatever the contacts hold', async () => {
  const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 6 })
  const people = keys.chain(names => {
    const record = fc.record(
      Object.fromEntries(names.map(name => [name, fc.option(value, { nil: undefined })])),
    )
    return fc.array(record, { minLength: 1, maxLength: 6 })
  })
  await fc.assert(
    fc.asyncProperty(people, async datas => {
      const project = await makeProject({ ctx })
      const entries = datas.map((data, index) => {
        const set = Object.fromEntries(
          Object.entries(data).filter(([, each]) => each !== undefined && each !== ''),
        )
        return { email: `p${index}@x.test`, patch: { set, remove: [], transient: {} } }
      })
      await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
      await expectUnchanged(project)
    }),
    { numRuns: 60 },
  )
})

test('six hundred fields, and contacts that have them by turns', async () => {
  const project = await makeProject({ ctx })
  for (const part of [0, 1, 2]) {
    const data = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`field ${part * 150 + n}`, n % 2 ? n : `${n}`]),
    )
    await call(project, 'POST', '/contacts', { email: `p${part}@x.test`, data })
  }
  await expectUnchanged(project)
})

test('topics that were joined and left, opt-outs, breaks and those who were never asked', async () => {
  const project = await makeProject({ ctx })
  const topic = async (name: string, subscribedByDefault: boolean): Promise<string> =>
    (await call(project, 'POST', '/topics', { name, subscribedByDefault })).body.id
  const [news, shop] = [await topic('News, "weekly"', true), await topic('Shop', false)]
  await topic('Nobody said anything', true)
  const add = async (email: string, subscribed?: boolean): Promise<string> =>
    (await call(project, 'POST', '/contacts', { email, subscribed })).body.id
  const decide = (id: string, topicId: string, subscribed: boolean) =>
    call(project, 'PUT', `/contacts/${id}/topics`, { topics: [{ id: topicId, subscribed }] })
  await decide(await add('left@x.test'), news, false)
  await decide(await add('joined@x.test'), shop, true)
  const both = await add('back@x.test')
  await decide(both, news, false)
  await decide(both, news, true)
  const out = await add('out@x.test')
  await decide(out, shop, true)
  await call(project, 'PATCH', `/contacts/${out}`, { subscribed: false })
  await add('unasked@x.test', false)
  const snoozed = await add('break@x.test')
  await call(project, 'PATCH', `/topics/${shop}`, { archived: true })
  await ctx.sql`
    update contacts set subscribed = false, snoozed_until = ${new Date(clock.now().getTime() + 30 * day)}
     where project_id = ${project.id}::uuid and id = ${snoozed}::uuid`
  await expectUnchanged(project)
  await expectUnchanged(project, '?consent=true')
})

test('a break that ended after the file was written opts nobody out', async () => {
  const project = await makeProject({ ctx })
  const { body } = await call(project, 'POST', '/contacts', { email: 'break@x.test' })
  const until = new Date(clock.now().getTime() + day)
  await ctx.sql`
    update contacts set subscribed = false, snoozed_until = ${until}
     where project_id = ${project.id}::uuid and id = ${body.id}::uuid`
  const file = await exported(project)
  await ctx.sql`update contacts set subscribed = true, snoozed_until = null where id = ${body.id}::uuid`
  clock.advance(2 * day)
  await imported(project, file)
  expect((await call(project, 'GET', `/contacts/${body.id}`)).body).toMatchObject({
    subscribed: true,
    optedOutAt: null,
  })
})

test('in another project nobody is back who left a topic, opted out or takes a break', async () => {
  const [project, copy] = [await makeProject({ ctx }), await makeProject({ ctx })]
  const ids: string[] = []
  for (const each of [project, copy])
    ids.push((await call(each, 'POST', '/topics', { name: 'News', subscribedByDefault: true })).body.id)
  const left = (await call(project, 'POST', '/contacts', { email: 'left@x.test' })).body.id
  await call(project, 'PUT', `/contacts/${left}/topics`, { topics: [{ id: ids[0], subscribed: false }] })
  const snoozed = (await call(project, 'POST', '/contacts', { email: 'break@x.test' })).body.id
  await ctx.sql`
    update contacts set subscribed = false, snoozed_until = ${new Date(clock.now().getTime() + day)} where id = ${snoozed}::uuid`
  await call(project, 'POST', '/contacts', {
    email: 'list@x.test',
    data: { tags: ['a'], zip: '01730', n: 1 },
  })
  await imported(copy, await exported(project))
  const { body } = await call(copy, 'GET', '/contacts?sort=email&dir=asc')
  expect(body.data).toMatchObject([
    { email: 'break@x.test', subscribed: false },
    { email: 'left@x.test', subscribed: true },
    { email: 'list@x.test', data: { tags: ['a'], zip: '01730', n: 1 } },
  ])
  const topics = await call(copy, 'GET', `/contacts/${body.data[1].id}/topics`)
  expect(topics.body.data).toMatchObject([{ name: 'News', subscribed: false }])
})

test('a column that holds values of mixed types, lists or blanks says so in its heading', async () => {
  const project = await makeProject({ ctx })
  await call(project, 'POST', '/contacts', {
    email: 'a@x.test',
    data: { mixed: 1, tags: ['a'], plain: '42', padded: ' x', n: 5 },
  })
  await call(project, 'POST', '/contacts', { email: 'b@x.test', data: { mixed: '1', tags: 'b', n: 6 } })
  const [head, ...rows] = (await exported(project, '?sort=email&dir=asc')).split('\r\n')
  expect(head).toEndWith('updatedAt,mixed:json,n,padded:json,plain,tags:json')
  expect(rows[0]).toEndWith(',1,5,""" x""",42,"[""a""]"')
  expect(rows[1]).toEndWith(',"""1""",6,,,"""b"""')
})
