// What becomes of listmonk's lists: private ones are offered by no page, archived ones are archived, those of one name stay apart, more than
// fit are told before anything is read, and what people decided about them keeps its date and proof.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { topicNotes, uniqueNames } from '../../src/cli/import/lists'
import { onlyLists } from '../../src/cli/import/sources'
import { listmonkFile } from '../../src/cli/import/sources/listmonk'
import { listmonkDatabase } from '../../src/cli/import/sources/listmonk-database'
import { buildApp } from '../../src/server/app'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type ImportWorld, importWorld } from '../support/import'
import { listmonkContentTables, listmonkTables } from '../support/listmonk'
import type { MadeProject } from '../support/make'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof buildApp>
let imports: ImportWorld
let other: TestDatabase
let project: MadeProject

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  imports = importWorld(world, () => project)
})
beforeEach(async () => {
  project = await world.newProject()
  other = await cloneDatabase({ empty: true, max: 1 })
  await other.sql.unsafe(listmonkTables)
  await other.sql.unsafe(listmonkContentTables)
})
afterEach(() => other.drop())
afterAll(() => world.close())

const source = (choices = {}) => listmonkDatabase(other.url, { topics: true, ...choices })
const topicsHere = async () =>
  (await imports.call('GET', '/topics')).body.data as Array<Record<string, unknown>>
const contact = async (name: string) => (await imports.call('GET', `/contacts?search=${name}@`)).body.data[0]
const ask = (method: string, path: string, body?: string) =>
  app.handle(
    new Request(`http://localhost${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    }),
  )

test('a private list is a topic that no page offers, an archived one is archived', async () => {
  await other.sql`insert into lists (name, type, status, description, tags) values
    ('Customers', 'private', 'active', 'Who pays', '{crm,paid}'), ('Old', 'public', 'archived', '', null)`
  await other.sql`insert into subscriber_lists (subscriber_id, list_id, status) values (3, 3, 'confirmed'), (3, 4, 'confirmed')`
  await imports.run(source())
  expect(
    (await topicsHere()).map(({ name, offeredOnPages, archived, description }) => [
      name,
      offeredOnPages,
      archived,
      description,
    ]),
  ).toEqual([
    ['Weekly', true, false, null],
    ['Monthly', true, false, null],
    ['Customers', false, false, 'Who pays'],
    ['Old', true, true, null],
  ])
  expect(topicNotes((await source().outlook!()).lists!)).toEqual([
    'Lists that become topics: 4.',
    "Topics that pages don't offer, because the lists weren't public: Customers",
    'Archived topics: Old',
    'List "Customers": without its tags: crm, paid',
  ])
  const token = (await other.sql`select uuid::text as uuid from subscribers where id = 1`)[0]!['uuid']
  const lead = await ask('GET', `/subscription/${token}/${token}?manage=true`)
  const page = new URL(lead.headers.get('location')!)
  const path = `${page.pathname}${page.search}`
  const html = await (await ask('GET', path)).text()
  expect(html).toContain('Monthly')
  expect(html).not.toContain('Customers')
  const [customers] = (await topicsHere()).filter(({ name }) => name === 'Customers')
  const joined = await ask('POST', path, `topic=${customers!['id']}&action=join`)
  expect(joined.status).toBe(404)
  const { id } = await contact('single')
  const { data } = (await imports.call('GET', `/contacts/${id}/topics`)).body
  expect(data.find((one: { name: string }) => one.name === 'Customers').subscribed).toBe(false)
})

test('lists of one name are numbered by their ids, for topics, segments and campaigns alike', async () => {
  await other.sql`insert into lists (name, type) values ('Weekly', 'private')`
  await other.sql`insert into subscriber_lists (subscriber_id, list_id, status) values (3, 3, 'confirmed')`
  await other.sql`insert into campaigns (name, subject, from_email, body) values ('C', 'S', ${sender}, '<p>x</p>')`
  await other.sql`insert into campaign_lists (campaign_id, list_id, list_name) values (1, 3, 'Weekly'), (1, null, 'Weekly')`
  const options = { segmentsOf: (record: { lists: string[] }) => record.lists }
  const report = await imports.run(source({ content: true }), options)
  const topics = await topicsHere()
  expect(topics.map(({ name }) => name)).toEqual(['Weekly', 'Monthly', 'Weekly (2)'])
  const segments = (await imports.call('GET', '/segments')).body as Array<Record<string, unknown>>
  expect(segments.map(({ name, memberCount }) => [name, memberCount]).sort()).toEqual([
    ['Monthly', 1],
    ['Weekly (2)', 1],
    ['Weekly', 1],
  ])
  const [campaign] = (await imports.call('GET', '/campaigns')).body.data
  expect(campaign.topicId).toBe(topics[2]!['id'])
  expect(report.lost.map(({ reason }) => reason)).toEqual(['without lists that were deleted there: Weekly'])
  expect(await imports.run(source({ content: true }), options)).toMatchObject({ created: 0, updated: 0 })
})

test('names that are kept apart are as many as the lists, whatever they are called', () => {
  const name = fc.oneof(
    fc.constantFrom('A', 'A (2)', 'A (3)', ' A ', 'x'.repeat(100), 'x'.repeat(120), ''),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), names => {
      const given = [...uniqueNames(names.map((each, id) => ({ id, name: each }))).values()]
      expect(new Set(given).size).toBe(names.length)
      for (const each of given) expect(each.length).toBeLessThanOrEqual(100)
      // A list that is alone with its name keeps it.
      names.forEach((each, id) => {
        if (
          names.filter(one => one.trim().slice(0, 100).trim() === each.trim().slice(0, 100).trim()).length ===
          1
        )
          expect(given[id]).toBe(each.trim().slice(0, 100).trim())
      })
    }),
  )
})

test('more lists than a project may have topics are told before the first record, and can be chosen from', async () => {
  await other.sql`insert into lists (name) select 'List ' || n from generate_series(1, 128) n`
  await other.sql`insert into subscriber_lists (subscriber_id, list_id, status) values (1, 3, 'confirmed')`
  const refused = imports.run(source(), { isDryRun: true })
  await expect(refused).rejects.toThrow('the source has 130 lists that would become topics')
  await expect(refused).rejects.toThrow('--only-list NAME')
  await expect(refused).rejects.toThrow('  List 128')
  expect(await imports.people()).toEqual([])
  expect(await topicsHere()).toEqual([])
  const chosen = () => onlyLists(source(), ['List 1', 'Monthly'])
  const dry = await imports.run(chosen(), { isDryRun: true })
  expect(await imports.run(chosen())).toEqual(dry)
  expect(dry).toMatchObject({ created: 6 })
  expect((await topicsHere()).map(({ name }) => name).sort()).toEqual(['List 1', 'Monthly'])
  await expect(imports.run(onlyLists(source(), ['Lits 1']))).rejects.toThrow('there is no list "Lits 1"')
})

test('dates and proof of consent are in its log', async () => {
  await other.sql`update subscriber_lists set created_at = '2020-01-02', updated_at = '2021-03-04'`
  await other.sql`update subscriber_lists set meta = '{"optin_ip": "192.0.2.7"}' where subscriber_id = 3`
  await imports.run(source())
  const ledger = async (name: string) => {
    const { id, optedOutAt } = await contact(name)
    const { data } = (await imports.call('GET', `/contacts/${id}/consent`)).body
    const said = data.map((one: Record<string, unknown>) => [
      one['topic'],
      one['after'],
      one['at'],
      one['evidence'],
    ])
    return { optedOutAt, said }
  }
  const [yes, no] = ['2020-01-02T00:00:00.000Z', '2021-03-04T00:00:00.000Z']
  const proof = `listmonk: confirmed ${no} from 192.0.2.7 (Monthly)`
  expect(await ledger('confirmed')).toEqual({
    optedOutAt: null,
    said: [
      ['Monthly', 'subscribed', no, proof],
      [null, 'subscribed', no, proof],
    ],
  })
  expect((await ledger('single')).said[0]).toEqual([
    'Weekly',
    'subscribed',
    yes,
    `listmonk: subscribed ${yes} (Weekly)`,
  ])
  const left = await ledger('left')
  expect(left.optedOutAt).toBe(no)
  expect(left.said.at(-1)).toEqual([null, 'optedOut', no, `listmonk: unsubscribed ${no} (Weekly)`])
  const { id } = await contact('confirmed')
  const { data } = (await imports.call('GET', `/contacts/${id}/topics`)).body
  expect(data.find((one: { name: string }) => one.name === 'Monthly').decidedAt).toBe(no)
})

test('a subscriber whose address changed there is the same contact here; one that changed here stays', async () => {
  await imports.run(source())
  const [renamed, moved] = [await contact('single'), await contact('confirmed')]
  await imports.call('PATCH', `/contacts/${moved.id}`, { email: 'moved@example.com' })
  await other.sql`update subscribers set email = 'renamed@example.com' where email = 'single@example.com'`
  const dry = await imports.run(source(), { isDryRun: true })
  const report = await imports.run(source())
  expect(report).toEqual(dry)
  expect(report).toMatchObject({ created: 0, refused: 0 })
  expect((await contact('renamed')).id).toBe(renamed.id)
  expect((await contact('moved')).id).toBe(moved.id)
  expect(await contact('single')).toBeUndefined()
  expect(await imports.run(source())).toMatchObject({ created: 0, updated: 0, unchanged: 6 })
  // Somebody here has the new address: the old link leads to whoever is mailed, and one click is for both.
  await imports.call('POST', '/contacts', { email: 'third@example.com', subscribed: true })
  await other.sql`update subscribers set email = 'third@example.com' where email = 'renamed@example.com'`
  await imports.run(source())
  const token = (await other.sql`select uuid::text as uuid from subscribers where id = 1`)[0]!['uuid']
  const lead = await ask('GET', `/subscription/${token}/${token}`)
  expect(lead.headers.get('location')).toContain((await contact('third')).id)
  await ask('POST', `/subscription/${token}/${token}`, 'List-Unsubscribe=One-Click')
  expect([(await contact('third')).subscribed, (await contact('renamed')).subscribed]).toEqual([false, false])
})

test('attributes that are called as what listmonk has itself are kept under another name, and told', async () => {
  await other.sql`update subscribers set name = 'Grace Hopper', attribs = '{"name": "Nick", "firstName": "Own", "city": "Oslo"}' where id = 1`
  const report = await imports.run(source({ content: true }))
  expect((await contact('single')).data).toMatchObject({
    ...{ name: 'Grace Hopper', firstName: 'Grace', lastName: 'Hopper', city: 'Oslo' },
    ...{ attributeName: 'Nick', attributeFirstName: 'Own' },
  })
  expect([...report.without.reasons.keys()].sort()).toEqual([
    'the attribute "firstName" is the field "attributeFirstName": "firstName" is listmonk\'s own',
    'the attribute "name" is the field "attributeName": "name" is listmonk\'s own',
  ])
})

test('who gets no mail there is on no list here, and is not told as left as is', async () => {
  await other.sql`update subscribers set status = 'disabled' where email = 'single@example.com'`
  await other.sql`update subscriber_lists set status = 'confirmed' where subscriber_id = 5`
  const report = await imports.run(source(), { segmentsOf: record => record.lists })
  expect(report.leftOut).toBe(0)
  const segments = (await imports.call('GET', '/segments')).body as Array<Record<string, unknown>>
  expect(segments.map(({ name }) => name)).toEqual(['Monthly'])
  const { id } = await contact('single')
  const { data } = (await imports.call('GET', `/contacts/${id}/topics`)).body
  expect(data.every((one: { subscribed: boolean }) => !one.subscribed)).toBe(true)
})

test('lists of a file have their kind and stay apart by their ids, too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-import-'))
  try {
    const list = (id: number, type: string) => ({
      ...{ id, name: 'News', type, optin: 'single', subscription_status: 'confirmed' },
      subscription_updated_at: '2021-03-04T00:00:00Z',
    })
    const cell = (...lists: object[]) => `"${JSON.stringify(lists).replaceAll('"', '""')}"`
    const path = join(folder, 'lists.csv')
    const rows = [
      `a@x.test,enabled,${cell(list(9, 'private'))}`,
      `b@x.test,enabled,${cell(list(4, 'public'))}`,
    ]
    writeFileSync(path, ['email,status,lists', ...rows, ''].join('\n'))
    await imports.run(listmonkFile(path, { enabled: true, topics: true }))
    expect((await topicsHere()).map(({ name, offeredOnPages }) => [name, offeredOnPages]).sort()).toEqual([
      ['News (2)', false],
      ['News', true],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
