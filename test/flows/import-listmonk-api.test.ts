// listmonk by its API: the same people as by its database, with the same states, dates and lists.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openApi } from '../../src/cli/import/api'
import { listmonkApi } from '../../src/cli/import/sources/listmonk-api'
import { listmonkDatabase } from '../../src/cli/import/sources/listmonk-database'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type ImportWorld, importWorld } from '../support/import'
import { listmonkTables } from '../support/listmonk'
import type { MadeProject } from '../support/make'
import { type PeerServer, servePeer } from '../support/peer-server'
import { makeWorld, type World } from '../support/world'

let world: World
let imports: ImportWorld
let project: MadeProject
let other: TestDatabase
let server: PeerServer
beforeAll(async () => {
  world = await makeWorld()
  imports = importWorld(world, () => project)
  other = await cloneDatabase({ empty: true, max: 1 })
  await other.sql.unsafe(listmonkTables)
  await other.sql.unsafe(`
    insert into lists (name, optin, type, status, description, tags) values
      ('Weekly', 'single', 'private', 'active', 'Of ours', '{a}'), ('Old', 'double', 'public', 'archived', '', '{}');
    insert into subscriber_lists (subscriber_id, list_id, status) values (1, 3, 'confirmed'), (3, 4, 'unsubscribed');
    update subscriber_lists set created_at = '2021-01-02', updated_at = '2021-03-04', meta = '{"optin_ip": "192.0.2.7"}'`)
  server = servePeer({
    '/api/lists': page(`select to_jsonb(l) as row from lists l order by id`),
    '/api/bounces': page(`select to_jsonb(b) as row from bounces b order by id`),
    '/api/subscribers': page(`
      select to_jsonb(s) || jsonb_build_object('lists', coalesce((
               select jsonb_agg(jsonb_build_object('id', l.id, 'uuid', l.uuid, 'name', l.name, 'type', l.type, 'optin', l.optin,
                        'subscription_status', sl.status, 'subscription_created_at', sl.created_at,
                        'subscription_updated_at', sl.updated_at, 'subscription_meta', sl.meta) order by l.id)
                 from subscriber_lists sl join lists l on l.id = sl.list_id where sl.subscriber_id = s.id), '[]')) as row
        from subscribers s order by id`),
  })
  await Promise.all(Object.values(answers))
})
beforeEach(async () => {
  project = await world.newProject()
})
afterAll(async () => {
  await server.close()
  await other.drop()
  await world.close()
})

/** What listmonk answers, read from its tables. */
const answers: Record<string, Promise<unknown[]>> = {}
function page(statement: string) {
  let rows: unknown[] = []
  answers[statement] = other.sql.unsafe(statement).then(found => {
    rows = found.map(({ row }) => row)
    return rows
  })
  return (query: URLSearchParams) => {
    const [at, size] = [Number(query.get('page')), Number(query.get('per_page'))]
    const results = rows.slice((at - 1) * size, at * size)
    return { data: { results, total: rows.length, per_page: size, page: at } }
  }
}

const api = () =>
  openApi({ address: server.address, headers: { authorization: 'token api:secret' }, pause: async () => {} })

/** All that an import leaves behind. */
async function outcome() {
  const contacts = (await imports.call('GET', '/contacts?sort=email&dir=asc')).body.data
  const people = []
  for (const { id, email, subscribed, optedOutAt, data } of contacts) {
    const topics = (await imports.call('GET', `/contacts/${id}/topics`)).body.data
    const said = topics.map(({ name, subscribed: wants, decidedAt }: Record<string, unknown>) => [
      name,
      wants,
      decidedAt,
    ])
    const { data: consent } = (await imports.call('GET', `/contacts/${id}/consent`)).body
    const proofs = consent.map(({ at, evidence, topic }: Record<string, unknown>) => [topic, at, evidence])
    people.push({ email, subscribed, optedOutAt, data, said, proofs })
  }
  const topics = (await imports.call('GET', '/topics')).body.data.map(
    ({ name, description, archived, offeredOnPages }: Record<string, unknown>) => ({
      name,
      description,
      archived,
      offeredOnPages,
    }),
  )
  return { people, topics, suppressed: await imports.suppressions() }
}

test('leaves what the database leaves', async () => {
  await imports.run(listmonkDatabase(other.url, { topics: true }))
  const byDatabase = await outcome()
  expect(byDatabase.topics).toContainEqual({
    name: 'Weekly (2)',
    description: 'Of ours',
    archived: false,
    offeredOnPages: false,
  })
  expect(byDatabase.topics).toContainEqual(expect.objectContaining({ name: 'Old', archived: true }))
  project = await world.newProject()
  const dry = await imports.run(listmonkApi(api(), { topics: true }), { isDryRun: true })
  const report = await imports.run(listmonkApi(api(), { topics: true }))
  expect(report).toEqual(dry)
  expect(report).toMatchObject({ read: 6, created: 6, refused: 0, suppressed: 2 })
  expect(await outcome()).toEqual(byDatabase)
  expect(new Set(server.keys)).toEqual(new Set(['token api:secret']))
  const again = await imports.run(listmonkApi(api(), { topics: true }))
  expect(again).toMatchObject({ created: 0, unchanged: 6 })
})
