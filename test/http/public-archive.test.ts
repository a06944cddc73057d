// The public archive of a topic: off until somebody opens it, with campaigns that were sent and are marked for it, for everybody and about nobody.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { minute } from '../../src/lib/time'
import { buildApp } from '../../src/server/app'
import { message } from '../support/campaigns'
import type { MadeProject } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, body?: object): Promise<Answer> =>
  request(app, method, path, { key: project.secretKey, ...(body ? { body } : {}) })
const open = (path: string): Promise<Answer> => request(app, 'GET', path)

const body =
  '<h1>Hello {{name | default: "reader"}}</h1><p>{{email}}</p><a href="https://shop.example/">Shop</a>'

/** A project with an open archive. */
async function stage(name = 'News') {
  const project = await world.newProject()
  await call(project, 'POST', '/contacts', { email: 'ada@x.test', data: { name: 'Ada' } })
  const { body: topic } = await call(project, 'POST', '/topics', { name, subscribedByDefault: true })
  await call(project, 'PATCH', `/topics/${topic.id}`, { publicArchive: true })
  return { project, topicId: topic.id, path: `/archive/${project.id}/${topic.id}` }
}

async function sent(
  project: MadeProject,
  topicId: string,
  more: object = {},
  inArchive = true,
): Promise<string> {
  const { id } = (await call(project, 'POST', '/campaigns', { ...message, body, topicId, ...more })).body.data
  if (inArchive) await call(project, 'PUT', `/campaigns/${id}/archive`, { inArchive: true })
  await call(project, 'POST', `/campaigns/${id}/send`, {})
  world.clock.advance(2 * minute)
  await world.drain()
  world.clock.advance(2 * minute)
  await world.drain()
  return id
}

test('shows what was sent and marked for it, rendered for nobody, in a sandbox and unmeasured', async () => {
  const { project, topicId, path } = await stage('News & <more>')
  const shown = await sent(project, topicId, { subject: 'For {{name}} & all' })
  const unmarked = await sent(project, topicId, { subject: 'Unmarked' }, false)
  const { body: draft } = await call(project, 'POST', '/campaigns', {
    ...message,
    body,
    topicId,
    subject: 'Draft',
  })
  const marked = await call(project, 'PUT', `/campaigns/${draft.data.id}/archive`, { inArchive: true })
  expect(marked.body.inArchive ?? marked.body.data.inArchive).toBe(true)
  const list = await open(path)
  expect([list.status, list.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(list.body).toContain('News &amp; &lt;more&gt;')
  expect(list.body).toContain('For  &amp; all')
  for (const absent of ['Unmarked', 'Draft', 'Ada']) expect(list.body).not.toContain(absent)
  const one = await open(`${path}/${shown}`)
  expect(one.body).toContain('Hello reader')
  expect(one.body).toContain('href="https://shop.example/"')
  expect(one.body).not.toMatch(/ada@x|\/t\/|\/unsubscribe\//)
  expect(one.headers.get('content-security-policy')).toContain('sandbox')
  for (const id of [unmarked, draft.data.id, Bun.randomUUIDv7(), 'nonsense'])
    expect([id, (await open(`${path}/${id}`)).status]).toEqual([id, 404])
  expect((await call(project, 'PUT', `/campaigns/${shown}/archive`, { inArchive: false })).status).toBe(200)
  expect((await open(`${path}/${shown}`)).status).toBe(404)
  expect((await open(path)).body).not.toContain('For  &amp; all')
})

test('shows the winner of an A/B test', async () => {
  const { project, topicId, path } = await stage()
  for (const name of ['b', 'c', 'd']) await call(project, 'POST', '/contacts', { email: `${name}@x.test` })
  const variants = [{ subject: 'The other one', body: '<p>Another text</p>' }]
  const id = await sent(project, topicId, {
    ...{ subject: 'The first one', abTest: { variants, share: 50, afterHours: 1, otherwise: 'WAIT' } },
  })
  await call(project, 'POST', `/campaigns/${id}/ab-test/winner`, { variant: 'B' })
  await world.drain()
  const [list, one] = [(await open(path)).body, (await open(`${path}/${id}`)).body]
  expect([list.includes('The other one'), list.includes('The first one')]).toEqual([true, false])
  expect([one.includes('Another text'), one.includes('Hello reader')]).toEqual([true, false])
})

test('has a feed, and pages of twenty', async () => {
  const { project, topicId, path } = await stage()
  const first = await sent(project, topicId, { subject: 'Tea & <cake>' })
  await world.ctx.sql`
    insert into campaigns select (jsonb_populate_record(c, jsonb_build_object(
             'id', gen_random_uuid(), 'subject', 'Letter ' || n, 'sent_at', c.sent_at + n * interval '1 day'))).*
      from campaigns c, generate_series(1, 25) n where c.id = ${first}`
  const feed = await open(`${path}/feed`)
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const text = String(feed.body)
  expect(text.match(/<entry>/g)).toHaveLength(20)
  expect(text).toContain('<title>Letter 25</title>')
  expect(text).toContain(`<id>http://localhost:3000${path}</id>`)
  const seen: string[] = []
  for (let page: string | undefined = path; page; ) {
    const { body: html } = await open(page)
    seen.push(...[...String(html).matchAll(/<bdi>((?:Letter|Tea)[^<]*)<\/bdi>/g)].map(match => match[1]!))
    const next: string | undefined = /rel="next" href="(\?after=[^"]+)"/.exec(html)?.[1]
    page = next && `${path}${next}`
  }
  expect(seen).toEqual([
    ...Array.from({ length: 25 }, (_, n) => `Letter ${25 - n}`),
    'Tea &amp; &lt;cake&gt;',
  ])
  expect((await open(`${path}?after=nonsense`)).status).toBe(200)
})

test('is not there unless it is open, and looks the same whatever the reason', async () => {
  const { project, topicId, path } = await stage()
  const campaign = await sent(project, topicId)
  const other = await stage()
  const absent = [
    `/archive/${other.project.id}/${topicId}`,
    `/archive/${project.id}/${other.topicId}`,
    `/archive/${other.project.id}/${other.topicId}/${campaign}`,
    `/archive/nonsense/${topicId}`,
  ]
  for (const each of absent) expect([each, (await open(each)).status]).toEqual([each, 404])
  const paths = [path, `${path}/feed`, `${path}/${campaign}`]
  const statuses = async () => await Promise.all(paths.map(async each => (await open(each)).status))
  expect(await statuses()).toEqual([200, 200, 200])
  await world.ctx.sql`update projects set disabled = true where id = ${project.id}`
  expect(await statuses()).toEqual([404, 404, 404])
  await world.ctx.sql`update projects set disabled = false where id = ${project.id}`
  await call(project, 'PATCH', `/topics/${topicId}`, { publicArchive: false })
  expect(await statuses()).toEqual([404, 404, 404])
  const theirs = await call(other.project, 'PUT', `/campaigns/${campaign}/archive`, { inArchive: true })
  expect(theirs.status).toBe(404)
})
