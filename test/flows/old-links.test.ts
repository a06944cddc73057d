// Links in mail that listmonk sent, once its host name points here: whose they are, where they lead, and what they tell to strangers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { listmonkFile } from '../../src/cli/import/sources/listmonk'
import { listmonkDatabase } from '../../src/cli/import/sources/listmonk-database'
import { eraseAddress } from '../../src/modules/oversight/privacy'
import { buildApp } from '../../src/server/app'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type ImportWorld, importWorld } from '../support/import'
import { listmonkContentTables, listmonkTables } from '../support/listmonk'
import type { MadeProject } from '../support/make'
import { makeWorld, type World } from '../support/world'

const campaign = '6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c1001'
const links = {
  page: '6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c2001',
  script: '6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c2002',
  header: '6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c2003',
}
const written = {
  umlaut: [
    '6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c2004',
    'https://www.acme.example/über-uns?x=ä',
    'https://www.acme.example/%C3%BCber-uns?x=%C3%A4',
  ],
  name: [
    '6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c2005',
    'https://www.münchen.example/',
    'https://www.xn--mnchen-3ya.example/',
  ],
  blank: ['6e2d5a83-0c3e-4f0e-9d67-2a1b9f7c2006', 'https://acme.example/a b', 'https://acme.example/a%20b'],
} as const
const nobody = '00000000-0000-0000-0000-000000000000'

let world: World
let app: ReturnType<typeof buildApp>
let other: TestDatabase
let project: MadeProject
let imports: ImportWorld
/** Tokens of subscribers, by the name before the @. */
let tokens: Record<string, string>

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  imports = importWorld(world, () => project)
  other = await cloneDatabase({ empty: true, max: 1 })
  await other.sql.unsafe(listmonkTables)
  await other.sql.unsafe(listmonkContentTables)
  await other.sql`insert into links (uuid, url) values (${links.page}, 'https://shop.example.com/tea?a=1&b=%20#top'),
    (${links.script}, 'javascript:alert(1)'), (${links.header}, ${'https://x.test/\r\nset-cookie: a=b'})`
})
beforeEach(async () => {
  // What one test imported is not what the next one asks for.
  const rows = await other.sql`
    update subscribers set uuid = gen_random_uuid() returning split_part(email, '@', 1) as name, uuid::text as uuid`
  tokens = Object.fromEntries(rows.map(({ name, uuid }) => [name, uuid]))
  project = await world.newProject()
})
afterAll(async () => {
  await other.drop()
  await world.close()
})

const source = () => listmonkDatabase(other.url)

async function ask(method: string, path: string, body?: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await app.handle(
    new Request(`http://localhost${path}`, { method, ...(body === undefined ? {} : { body, headers }) }),
  )
  const { pathname, searchParams } = new URL(response.headers.get('location') ?? '/', 'http://localhost')
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    pathname,
    searchParams,
  }
}

const oneClick = (token: string) =>
  ask('POST', `/subscription/${campaign}/${token}`, 'List-Unsubscribe=One-Click')

const contact = async (name: string) => (await imports.call('GET', `/contacts?search=${name}@`)).body.data[0]

test('the link in the mail leads to the page of the contact here, and changes nothing by itself', async () => {
  expect((await imports.run(source())).oldLinks).toEqual({ people: 6, pages: 1 })
  const { id } = await contact('single')
  const token = tokens['single']!
  const answer = await ask('GET', `/subscription/${campaign}/${token.toUpperCase()}`)
  expect([answer.status, answer.pathname]).toEqual([303, `/unsubscribe/${id}`])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const page = await ask('GET', `${answer.pathname}?${answer.searchParams}`)
  expect(page.status).toBe(200)
  expect((await contact('single')).subscribed).toBe(true)
  const saved = await ask('POST', `${answer.pathname}?${answer.searchParams}`, 'action=unsubscribe')
  expect(saved.status).toBe(303)
  expect((await contact('single')).subscribed).toBe(false)
  const where = async (path: string) => (await ask('GET', path)).pathname
  expect(await where(`/subscription/${campaign}/${token}?manage=true`)).toBe(`/manage/${id}`)
  expect(await where(`/subscription/optin/${token}?l=${campaign}`)).toBe(`/subscribe/${id}`)
  expect(await where(`/subscription/optin/${token}`)).toBe(`/subscribe/${id}`)
  // Forms of a page of listmonk that was still open.
  expect((await ask('POST', `/subscription/wipe/${token}`, '')).pathname).toBe(`/manage/${id}`)
  expect((await ask('POST', `/subscription/${campaign}/${token}`, 'manage=true&name=S&l=x')).pathname).toBe(
    `/unsubscribe/${id}`,
  )
})

test('a subscriber whom later runs spell otherwise is the same contact, with the same link', async () => {
  await imports.run(source())
  const { id } = await contact('single')
  const token = tokens['single']!
  try {
    for (const email of [
      'single@xn--mnchen-3ya.example',
      'Single@MÜNCHEN.example',
      'single@mün\u00adchen.example',
    ]) {
      await other.sql`update subscribers set email = ${email} where uuid = ${token}`
      await imports.run(source())
      expect([email, (await contact('single')).id, (await contact('single')).email]).toEqual([
        email,
        id,
        'single@münchen.example',
      ])
      expect((await ask('GET', `/subscription/${campaign}/${token}`)).pathname).toBe(`/unsubscribe/${id}`)
    }
  } finally {
    await other.sql`update subscribers set email = 'single@example.com' where uuid = ${token}`
  }
})

test('one click opts out, and is in the ledger as one', async () => {
  await imports.run(source())
  const answer = await oneClick(tokens['single']!)
  expect([answer.status, answer.text]).toEqual([200, 'You are unsubscribed.'])
  const { id, subscribed, optedOutAt } = await contact('single')
  expect([subscribed, optedOutAt !== null]).toEqual([false, true])
  const [last] = (await imports.call('GET', `/contacts/${id}/consent`)).body.data
  expect(last).toMatchObject({ after: 'optedOut', source: 'oneClick' })
})

test('a stranger learns nothing: an unknown token and nonsense get the same page, and one click the same words', async () => {
  await imports.run(source())
  const before = await imports.people()
  const [unknown, nonsense] = [
    await ask('GET', `/subscription/${campaign}/${campaign}`),
    await ask('GET', "/subscription/x/'%20or%201=1"),
  ]
  expect([unknown.status, nonsense.status]).toEqual([404, 404])
  expect(unknown.text).toBe(nonsense.text)
  for (const token of [campaign, nobody, 'nonsense'])
    expect((await oneClick(token)).text).toBe((await oneClick(tokens['waiting']!)).text)
  expect((await ask('POST', `/subscription/${campaign}/${campaign}`, 'manage=true')).status).toBe(404)
  expect((await imports.people()).filter(([, subscribed]) => subscribed)).toEqual(
    before.filter(([, subscribed]) => subscribed),
  )
})

test('what is kept is no token: only its hash', async () => {
  await imports.run(source())
  const rows = await world.ctx.sql`select * from old_recipients where project_id = ${project.id}`
  expect(rows).toHaveLength(6)
  for (const token of Object.values(tokens)) expect(JSON.stringify(rows)).not.toContain(token)
})

test('a link leads where it led, and nowhere else; the picture counts nothing', async () => {
  await imports.run(source())
  const path = (link: string) => `/link/${link}/${campaign}/${tokens['single']}`
  const answer = await ask('GET', path(links.page))
  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe('https://shop.example.com/tea?a=1&b=%20#top')
  for (const link of [links.script, links.header, campaign, 'https:%2F%2Fevil.test'])
    expect((await ask('GET', path(link))).status).toBe(404)
  const picture = await ask('GET', `/campaign/${campaign}/${nobody}/px.png`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  const message = await ask('GET', `/campaign/${campaign}/${tokens['single']}`)
  expect([message.status, message.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(message.text).toContain('The link is right')
})

test('forms and the archive of listmonk are a page that says that they are not here', async () => {
  for (const path of ['/subscription/form', '/archive', '/archive.xml']) {
    const answer = await ask('GET', path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('No longer available')
  }
  expect((await ask('POST', '/subscription/form', 'email=a@x.test')).status).toBe(404)
})

test('a link that is not plain ASCII leads where a browser would go; one that leads nowhere is in the report', async () => {
  try {
    for (const [id, url] of Object.values(written))
      await other.sql`insert into links (uuid, url) values (${id}, ${url})`
    const report = await imports.run(source())
    expect(report.oldLinks.pages).toBe(4)
    expect(report.lost.map(({ place }) => place)).toEqual([
      `tracked link ${links.script}`,
      `tracked link ${links.header}`,
    ])
    for (const [id, , target] of Object.values(written)) {
      const answer = await ask('GET', `/link/${id}/${campaign}/${tokens['single']}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, target])
    }
  } finally {
    for (const [id] of Object.values(written)) await other.sql`delete from links where uuid = ${id}`
  }
})

test('who is erased or deleted has no link any more', async () => {
  await imports.run(source())
  await eraseAddress(world.ctx, { projectId: project.id, by: 'test' }, 'single@example.com')
  await imports.call('DELETE', `/contacts/${(await contact('left')).id}`)
  await world.drain()
  for (const name of ['single', 'left']) {
    expect((await ask('GET', `/subscription/${campaign}/${tokens[name]}`)).status).toBe(404)
    expect((await oneClick(tokens[name]!)).status).toBe(200)
  }
  const [row] = await world.ctx
    .sql`select count(*)::int as count from old_recipients where project_id = ${project.id}`
  expect(row!['count']).toBe(4)
})

test('whoever two projects took over is opted out of both; nobody else is', async () => {
  const first = project
  await imports.run(source())
  const second = await world.newProject()
  project = second
  await imports.run(source())
  await oneClick(tokens['single']!)
  for (const each of [first, second]) {
    project = each
    const subscribed = (await imports.people()).filter(([, isSubscribed]) => isSubscribed)
    expect(subscribed.map(([email]) => email)).toEqual(['confirmed@example.com'])
  }
})

test('where one of two projects is being deleted, the other one still gets the opt-out and has the page', async () => {
  const projects = [project, await world.newProject()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const each of projects) {
    project = each
    await imports.run(source())
  }
  // Contacts go before their old links do.
  const [going, staying] = projects as [MadeProject, MadeProject]
  await world.ctx.sql`delete from contacts where project_id = ${going.id}`
  project = staying
  const { id } = await contact('single')
  const page = await ask('GET', `/subscription/${campaign}/${tokens['single']}`)
  expect([page.status, page.pathname]).toEqual([303, `/unsubscribe/${id}`])
  expect((await oneClick(tokens['single']!)).status).toBe(200)
  expect((await contact('single')).subscribed).toBe(false)
})

test('a dry run keeps none of it, and a second run finds all of it there', async () => {
  const dry = await imports.run(source(), { isDryRun: true })
  const [row] = await world.ctx.sql`
    select (select count(*) from old_recipients where project_id = ${project.id})::int as people,
           (select count(*) from old_links where project_id = ${project.id})::int as pages`
  expect(row).toEqual({ people: 0, pages: 0 })
  expect(await imports.run(source())).toEqual(dry)
  expect((await imports.run(source())).oldLinks).toEqual({ people: 0, pages: 0 })
})

test('a file of listmonk has the tokens too', async () => {
  const path = `${import.meta.dir}/../data/import/listmonk.csv`
  const text = await Bun.file(path).text()
  const [, token = ''] = /([0-9a-f-]{36}),ada@example\.com/i.exec(text) ?? []
  expect((await imports.run(listmonkFile(path, { enabled: true }))).oldLinks.people).toBe(4)
  expect((await ask('GET', `/subscription/${campaign}/${token}`)).pathname).toBe(
    `/unsubscribe/${(await contact('ada')).id}`,
  )
})
