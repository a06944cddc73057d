// "View in the browser": the link in a message shows what its recipient got, to whoever holds it, and nothing else to anybody.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { day } from '../../src/lib/time'
import { eraseAddress } from '../../src/modules/oversight/privacy'
import { emailKinds } from '../../src/modules/sending/emails/kinds'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { message } from '../support/campaigns'
import type { MadeProject } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, parse, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld({ bodyRetentionMs: 90 * day })
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, body?: object): Promise<Answer> =>
  request(app, method, path, { key: project.secretKey, ...(body ? { body } : {}) })
const open = (path: string, method = 'GET'): Promise<Answer> => request(app, method, path)
const body =
  '<h1>Hello {{name}}</h1><a href="{{browserUrl}}">Read it here</a> <a href="https://shop.example/x">Shop</a>'

/** What left since, with the path of its link. */
async function left() {
  await world.drain()
  const mails = await Promise.all(world.mail.sent.map(parse))
  world.mail.clear()
  return mails.map(mail => ({
    to: mail.to![0]!.address!,
    html: mail.html!,
    path:
      /href="http:\/\/localhost:3000(\/message\/[^"]+)"/.exec(mail.html!)?.[1]?.replaceAll('&amp;', '&') ??
      '',
  }))
}

async function sendOne(project: MadeProject, to: string, more: object = {}) {
  await call(project, 'POST', '/v1/send', { from: sender, to, subject: 'Hi', body, ...more })
  return (await left())[0]!
}

test('shows each recipient of a campaign their own, as it was sent, and measures nothing', async () => {
  const project = await world.newProject()
  for (const name of ['Ada', 'Bob'])
    await call(project, 'POST', '/contacts', { email: `${name}@x.test`.toLowerCase(), data: { name } })
  const { id } = (await call(project, 'POST', '/campaigns', { ...message, body })).body.data
  await call(project, 'POST', `/campaigns/${id}/send`, {})
  world.clock.advance(61_000)
  const mails = await left()
  expect(mails.map(({ to }) => to).sort()).toEqual(['ada@x.test', 'bob@x.test'])
  const before = await world.ctx.sql`select count(*)::int from tracking_hits`
  for (const { to, html, path } of mails) {
    expect(html).toContain('/t/')
    const page = await open(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain(to.startsWith('ada') ? 'Hello Ada' : 'Hello Bob')
    expect(page.body).toContain('href="https://shop.example/x"')
    expect(page.body).toContain('/unsubscribe/')
    expect(page.body).not.toContain('/t/')
  }
  // What the contact is called now makes no difference to what was sent.
  const [ada] = (await call(project, 'GET', '/contacts?search=ada')).body.data
  await call(project, 'PATCH', `/contacts/${ada.id}`, { data: { name: 'Countess' } })
  const { path } = mails.find(({ to }) => to.startsWith('ada'))!
  expect((await open(path)).body).toContain('Hello Ada')
  expect([...(await world.ctx.sql`select count(*)::int from tracking_hits`)]).toEqual([...before])
})

test('is a page that runs nothing and tells nobody', async () => {
  const { path } = await sendOne(await world.newProject(), 'eve@x.test', {
    body: `${body}<script>alert(1)</script>`,
  })
  const { headers } = await open(path)
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/sandbox allow-popups/)
  expect(policy).not.toMatch(/script-src|allow-scripts|allow-same-origin/)
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store'])
  expect(headers.get('x-robots-tag')).toContain('noindex')
})

test('is opened by the link of the message alone', async () => {
  const project = await world.newProject()
  const one = await sendOne(project, 'one@x.test')
  const two = await sendOne(project, 'two@x.test')
  const idOf = (path: string): string => path.split('/')[2]!.split('?')[0]!
  const [, token] = one.path.split('?t=')
  const listToken = /\/unsubscribe\/[^?]+\?t=([\w-]+)/.exec(
    (await call(project, 'GET', `/emails/${idOf(one.path)}`)).body.headers?.['List-Unsubscribe'] ?? '',
  )?.[1]
  for (const path of [
    `/message/${idOf(two.path)}?t=${token}`,
    `/message/${idOf(one.path)}`,
    `/message/${idOf(one.path)}?t=${token!.slice(0, -1)}`,
    `/message/${idOf(one.path)}?t=${listToken ?? 'x'.repeat(44)}`,
    `/message/nonsense?t=${token}`,
  ])
    expect([path, (await open(path)).status]).toEqual([path, 404])
  expect((await open(one.path, 'HEAD')).status).toBe(200)
})

test('shows nothing any more once its content is gone', async () => {
  const project = await world.newProject()
  const old = await sendOne(project, 'old@x.test')
  const erased = await sendOne(project, 'erased@x.test')
  await eraseAddress(world.ctx, { projectId: project.id, by: 'operator' }, 'erased@x.test')
  await world.drain()
  expect([(await open(erased.path)).status, (await open(old.path)).status]).toEqual([404, 200])
  world.clock.advance(91 * day)
  await enqueue(world.ctx, emailKinds.clearBodies, {})
  await world.drain()
  expect((await open(old.path)).status).toBe(404)
})

test('a field of a contact with that name comes first', async () => {
  const project = await world.newProject()
  const { html } = await sendOne(project, 'own@x.test', { data: { browserUrl: 'https://own.example/' } })
  expect(html).not.toContain('/message/')
})
