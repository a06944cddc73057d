// Opens and clicks, from the message that the transport was handed to what its record says: people and programs apart, nothing counted
// twice, no redirect that was not signed.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { reserve } from '../../src/http/server'
import { minute, second } from '../../src/lib/time'
import { feedbackKinds } from '../../src/modules/sending/feedback/kinds'
import { hitRecorder, maxHitsPerMessage } from '../../src/modules/sending/feedback/service/record-hits'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { buildApp } from '../../src/server/app'
import { ownToken } from '../../src/tracking/token'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeRandom, seed, shuffled } from '../support/random'
import { type RequestOptions, request } from '../support/request'
import { makeWorld, parse, sender, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld({ trustProxy: true })
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const shop = 'https://shop.example/?a=1&b=2'
const body = `<p>Hello {{name}}</p><a href="https://shop.example/?a=1&amp;b=2">one</a> <a href="https://two.example/{{name}}">two</a>
<a href="{{unsubscribeUrl}}">out</a> <a href="{{manageUrl}}">manage</a> <a href="mailto:a@b.example">mail</a>
<a href="tel:+49123">call</a> <a href="#top">top</a> <a data-no-track href="https://plain.example/">plain</a>`

interface Received {
  html: string
  text: string
  links: string[]
  /** Tracked links that people see, in order. */
  clicks: string[]
  trap: string
  picture: string
}

const base = 'http://localhost:3000'

async function received(index = 0): Promise<Received> {
  const mail = await parse(world.mail.sent[index]!)
  const html = mail.html!
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(match => match[1]!.replaceAll('&amp;', '&'))
  const tracked = links.filter(link => link.startsWith(`${base}/t/c/`))
  const trap = /<a href="([^"]*)"[^>]*display:none/.exec(html)?.[1] ?? ''
  const picture = / (?:src|background)="([^"]*\/t\/o\/[^"]*)"/.exec(html)?.[1] ?? ''
  return { html, text: mail.text ?? '', links, clicks: tracked.filter(link => link !== trap), trap, picture }
}

interface Visit {
  method?: string
  agent?: string
  ip?: string
}

/** A request from outside, as a program or a person makes it. */
async function visit(url: string, { method = 'GET', agent = browser, ip = '192.0.2.1' }: Visit = {}) {
  const headers: RequestOptions['headers'] = { 'user-agent': agent, 'x-forwarded-for': ip }
  const answer = await request(app, method, url.slice(base.length), { headers })
  return { ...answer, location: answer.headers.get('location') }
}

/** What the judge makes of all that came in, once it is quiet. */
async function judge(): Promise<void> {
  await hitRecorder(world.ctx).settled()
  world.clock.advance(6 * second)
  await enqueue(world.ctx, feedbackKinds.classify, {})
  const runs = await world.drain()
  expect(runs.map(run => run.outcome.type).filter(type => type !== 'completed')).toEqual([])
}

/** Sends one message and lets a minute pass, so that whoever comes now may be a person. */
async function sendAndWait(fields: Record<string, unknown> = {}): Promise<string> {
  const id = await world.sendOne({ body, data: { name: 'Ada' }, ...fields })
  await world.drain()
  world.clock.advance(minute)
  return id
}

const hitEvents = async () =>
  (await world.events()).filter(event => event.name === 'email.open' || event.name === 'email.click')

const setMode = (mode: string) =>
  world.ctx.sql`update projects set tracking = ${mode} where id = ${world.project.id}`

describe('a message', () => {
  test('leads through our links to where its author meant, and bears both marks', async () => {
    await sendAndWait()
    const mail = await received()
    expect(mail.clicks).toHaveLength(2)
    const answers = [await visit(mail.clicks[0]!), await visit(mail.clicks[1]!)]
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [302, shop],
      [302, 'https://two.example/Ada'],
    ])
    const { headers } = answers[0]!
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const picture = await visit(mail.picture)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/gif'])
    expect(picture.headers.get('cache-control')).toContain('no-store')
    expect(mail.html.match(/aria-hidden="true" tabindex="-1" style="display:none"/g)).toHaveLength(1)
  })

  test('keeps what is no web page or a way out, and its text shows the plain addresses', async () => {
    const id = await sendAndWait()
    const { contactId } = await world.email(id)
    const mail = await received()
    const left = mail.links.filter(link => !link.startsWith(`${base}/t/`))
    expect(left).toEqual([
      expect.stringContaining(`${base}/unsubscribe/${contactId}?t=`),
      expect.stringContaining(`${base}/manage/${contactId}?t=`),
      'mailto:a@b.example',
      'tel:+49123',
      '#top',
      'https://plain.example/',
    ])
    expect(mail.text).toContain(shop)
    expect(mail.text).toContain('https://two.example/Ada')
    expect(mail.text).not.toContain('/t/')
  })

  test('is stored and shown without our links, so that looking at it counts nothing', async () => {
    const id = await sendAndWait()
    const { body: stored } = await world.email(id)
    expect(stored).toContain('href="https://shop.example/?a=1&amp;b=2"')
    expect(stored).not.toContain('/t/')
  })

  test('has the same links at every try', async () => {
    world.mail.script({ outcome: 'deferred', response: '451 later', code: 451 })
    await world.sendOne({ body })
    await world.drain()
    world.clock.advance(10 * minute)
    await world.drain()
    const raws = world.mail.attempts.map(attempt => Buffer.from(attempt.raw).toString())
    expect(raws).toHaveLength(2)
    expect(raws[0]).toBe(raws[1]!)
  })
})

describe('a person', () => {
  test('who clicks is counted, and the first time is an event with the link', async () => {
    const id = await sendAndWait()
    const { clicks } = await received()
    const clickedAt = world.clock.now().toISOString()
    await visit(clicks[0]!)
    await judge()
    expect(await world.email(id)).toMatchObject({ status: 'CLICKED', clicks: 1, clickedAt, machineClicks: 0 })
    await visit(clicks[1]!)
    await visit(clicks[1]!)
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 3, clickedAt, machineClicks: 0 })
    const events = await hitEvents()
    expect(events).toMatchObject([
      { name: 'email.click', emailId: id, data: { link: shop, clicks: 1, isFirstClick: true, clickedAt } },
    ])
  })

  test('who opens twice is counted twice, and is one event', async () => {
    const id = await sendAndWait()
    const { picture } = await received()
    const openedAt = world.clock.now().toISOString()
    await visit(picture, { agent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' })
    await judge()
    expect(await world.email(id)).toMatchObject({ status: 'OPENED', opens: 1, openedAt })
    await visit(picture)
    await judge()
    expect(await world.email(id)).toMatchObject({ opens: 2, openedAt, machineOpens: 0 })
    expect(await hitEvents()).toMatchObject([
      { name: 'email.open', emailId: id, data: { opens: 1, isFirstOpen: true } },
    ])
  })

  test('is counted at every click, up to what a person could do', async () => {
    const id = await sendAndWait()
    const { clicks } = await received()
    for (let n = 0; n < maxHitsPerMessage + 10; n++) await visit(clicks[0]!)
    await judge()
    expect((await world.email(id)).clicks).toBe(maxHitsPerMessage)
  })

  test('is not counted before the message has been quiet, and then exactly once by two judges', async () => {
    const id = await sendAndWait()
    const { clicks } = await received()
    await visit(clicks[0]!)
    await hitRecorder(world.ctx).settled()
    await enqueue(world.ctx, feedbackKinds.classify, {})
    await world.drain()
    expect((await world.email(id)).clicks).toBe(0)
    await enqueue(world.ctx, feedbackKinds.classify, {})
    await judge()
    expect((await world.email(id)).clicks).toBe(1)
    const [left] = await world.ctx.sql`select count(*)::int as count from tracking_hits`
    expect(left!.count).toBe(0)
  })
})

describe(`a program (SEED=${seed})`, () => {
  test(`that walks over all links by GET and HEAD, twice, opts nobody out and is no person`, async () => {
    const id = await sendAndWait()
    const mail = await received()
    const { contactId } = await world.email(id)
    await world.ctx.sql`update contacts set subscribed = true, opted_out_at = null where id = ${contactId}`
    const pages = [...mail.links, mail.picture].filter(link => link.startsWith(base))
    expect(pages).toHaveLength(6)
    const random = makeRandom()
    for (let round = 0; round < 2; round++)
      for (const page of shuffled(pages, random))
        for (const method of ['GET', 'HEAD']) {
          const answer = await visit(page, { method, ip: `192.0.2.${1 + random(9)}` })
          expect([200, 302]).toContain(answer.status)
          world.clock.advance(300)
        }
    await judge()
    const [contact] = await world.ctx.sql`select subscribed from contacts where id = ${contactId}`
    expect(contact!.subscribed).toBe(true)
    expect(await world.email(id)).toMatchObject({
      ...{ status: 'DELIVERED', opens: 0, clicks: 0, openedAt: null, clickedAt: null },
      ...{ machineOpens: 2, machineClicks: 4 },
    })
    expect(await hitEvents()).toEqual([])
    // The person who comes later is one.
    world.clock.advance(minute)
    await visit(mail.clicks[0]!, { ip: '198.51.100.7' })
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 1, machineClicks: 4 })
  })

  const alone: Array<[string, (mail: Received) => Promise<unknown>]> = [
    ['says its name', mail => visit(mail.clicks[0]!, { agent: 'Barracuda Sentinel (EE)' })],
    [
      'asks first what is there',
      async mail => [await visit(mail.clicks[0]!), await visit(mail.clicks[0]!, { method: 'HEAD' })],
    ],
    [
      'follows the hidden link, from another address',
      async mail => [await visit(mail.clicks[0]!), await visit(mail.trap, { ip: '203.0.113.9' })],
    ],
  ]
  test.each(alone)('that %s is counted apart', async (_, walk) => {
    const id = await sendAndWait()
    await walk(await received())
    await judge()
    expect(await world.email(id)).toMatchObject({ status: 'DELIVERED', clicks: 0, machineClicks: 1 })
  })

  test('that comes as soon as the message arrives is counted apart', async () => {
    const id = await world.sendOne({ body })
    await world.drain()
    world.clock.advance(2 * second)
    const { clicks, picture } = await received()
    await visit(clicks[0]!)
    await visit(picture)
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 0, opens: 0, machineClicks: 1, machineOpens: 1 })
  })

  test('that was found out stays so when it comes again', async () => {
    const id = await sendAndWait()
    const { clicks, trap } = await received()
    await visit(trap)
    await judge()
    world.clock.advance(5 * minute)
    await visit(clicks[0]!)
    await visit(clicks[0]!, { ip: '198.51.100.7' })
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 1, machineClicks: 1 })
  })

  test('that only asks (HEAD) gets the same answer and counts as nothing at all', async () => {
    const id = await sendAndWait()
    const { clicks, picture } = await received()
    const head = await visit(clicks[0]!, { method: 'HEAD' })
    expect([head.status, head.location, head.body]).toEqual([302, shop, undefined])
    expect((await visit(picture, { method: 'HEAD' })).status).toBe(200)
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 0, opens: 0, machineClicks: 0, machineOpens: 0 })
  })

  test('over a socket HEAD tells the size of the picture', async () => {
    const server = reserve('127.0.0.1', 0)
    try {
      server.open(app)
      const got = await fetch(`${server.url}/t/o/nonsense`)
      const size = String((await got.arrayBuffer()).byteLength)
      const looked = await fetch(`${server.url}/t/o/nonsense`, { method: 'HEAD' })
      expect([looked.status, looked.headers.get('content-length')]).toEqual([200, size])
    } finally {
      await server.stop()
    }
  })
})

describe('a false token', () => {
  const urlOf = (token: string) => `${base}/t/c/${token}`
  test.each<[string, (good: string) => string]>([
    ['a changed character', good => good.replace(/.(?=.{30}$)/, char => (char === 'A' ? 'B' : 'A'))],
    ['the end missing', good => good.slice(0, -1)],
    ['another instance', good => good.slice(0, -22) + 'A'.repeat(22)],
    ['no token at all', () => 'hello'],
    ['a web address', () => encodeURIComponent('https://evil.example/')],
    ['a very long one', () => 'A'.repeat(8_000)],
    [
      'a picture',
      () => ownToken(world.ctx.vault, { projectId: world.project.id, emailId: Bun.randomUUIDv7() }, 'open'),
    ],
  ])('with %s leads nowhere: 400, nothing counted', async (_, change) => {
    const id = await sendAndWait()
    const { clicks } = await received()
    const answer = await visit(urlOf(change(clicks[0]!.split('/').at(-1)!)))
    expect([answer.status, answer.location]).toEqual([400, null])
    expect(answer.headers.get('content-type')).toStartWith('text/html')
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 0, machineClicks: 0 })
  })

  test('of a picture shows the picture all the same', async () => {
    for (const token of ['x', 'A'.repeat(8_000), '%20']) {
      const { status, headers } = await visit(`${base}/t/o/${token}`)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/gif'])
    }
  })

  test('that is a script leads nowhere, even signed', async () => {
    const token = ownToken(
      world.ctx.vault,
      { projectId: world.project.id, emailId: Bun.randomUUIDv7() },
      'link',
      'javascript:alert(1)',
    )
    expect((await visit(urlOf(token))).status).toBe(400)
  })
})

// The hits of one moment share a statement: one that the database can't hold must not take those of others along.
test('a link that can not be stored as it is costs no other message its hits', async () => {
  const id = await sendAndWait()
  const strange = { projectId: world.project.id, emailId: id }
  const signed = ownToken(world.ctx.vault, strange, 'link', 'https://x.example/\0end')
  const links = [(await received()).clicks[0]!, `${base}/t/c/${signed}`]
  const answers = await Promise.all(links.map(link => visit(link)))
  expect(answers.map(answer => answer.location)).toEqual([shop, 'https://x.example/%00end'])
  await judge()
  expect((await world.email(id)).clicks).toBe(2)
})

describe('the mode', () => {
  test.each<[string, boolean]>([
    ['ENABLED', true],
    ['DISABLED', false],
    ['MARKETING_ONLY', false],
  ])('%s of a project: a transactional message is tracked: %p', async (mode, tracked) => {
    await setMode(mode)
    await sendAndWait()
    const mail = await received()
    expect(mail.picture !== '').toBe(tracked)
    expect(mail.clicks.length > 0).toBe(tracked)
    if (!tracked) expect(mail.html).toContain(body.split('<a')[1]!)
  })

  test('of a request goes before that of the project', async () => {
    await setMode('DISABLED')
    await sendAndWait({ tracking: true })
    await setMode('ENABLED')
    await sendAndWait({ tracking: false })
    expect((await received(0)).picture).not.toBe('')
    expect((await received(1)).picture).toBe('')
  })

  test('of a template goes before that of the project, and after that of the request', async () => {
    const made = await world.call('POST', '/templates', {
      body: { name: 'Reset', subject: 'x', body, from: sender, tracking: false },
    })
    expect(made.body).toMatchObject({ tracking: false })
    const template = made.body.id
    await sendAndWait({ template, subject: undefined, body: undefined })
    await sendAndWait({ template, tracking: true })
    const cleared = await world.call('PATCH', `/templates/${template}`, { body: { tracking: null } })
    expect(cleared.body).toMatchObject({ tracking: null })
    await sendAndWait({ template })
    const pictures = await Promise.all([0, 1, 2].map(async index => (await received(index)).picture !== ''))
    expect(pictures).toEqual([false, true, true])
  })

  test('DISABLED after a message has left: its links work, and nothing is counted any more', async () => {
    const id = await sendAndWait()
    await setMode('DISABLED')
    const { clicks } = await received()
    expect((await visit(clicks[0]!)).status).toBe(302)
    await judge()
    expect(await world.email(id)).toMatchObject({ clicks: 0, machineClicks: 0 })
  })
})

describe('links outlive', () => {
  test('a disabled project, whose hits are counted, and a message or contact that is gone', async () => {
    const [first, second, third] = [
      await sendAndWait(),
      await sendAndWait(),
      await sendAndWait({ to: 'eve@example.com' }),
    ]
    const { contactId } = await world.email(third!)
    await world.ctx.sql`update projects set disabled = true where id = ${world.project.id}`
    await world.ctx.sql`delete from emails where id = ${second!}`
    await world.ctx.sql`delete from contacts where id = ${contactId}`
    for (const index of [0, 1, 2])
      expect((await visit((await received(index)).clicks[0]!)).location).toBe(shop)
    await judge()
    expect((await world.email(first!)).clicks).toBe(1)
    const [left] = await world.ctx.sql`select count(*)::int as count from tracking_hits`
    expect(left!.count).toBe(0)
  })

  test('the database: the redirect goes out, the hit is lost and counted as lost', async () => {
    await sendAndWait()
    const { clicks } = await received()
    const away = () => Promise.reject(new Error('the database is away'))
    const ctx = { ...world.ctx, sql: away as unknown as typeof world.ctx.sql }
    const answer = await request(buildApp(ctx), 'GET', clicks[0]!.slice(base.length))
    expect([answer.status, answer.headers.get('location')]).toEqual([302, shop])
    await hitRecorder(ctx).settled()
    expect((await ctx.metrics.trackingHits.get()).values).toContainEqual(
      expect.objectContaining({ labels: { outcome: 'lost' }, value: 1 }),
    )
  })
})

describe('a campaign', () => {
  let campaigns: CampaignWorld
  beforeEach(async () => {
    campaigns = await campaignWorld(world)
    world.project = campaigns.project
  })

  test('names each recipient in shared and in personal links, and counts each once', async () => {
    await campaigns.contacts(3)
    const id = await campaigns.draft({ body })
    await campaigns.send(id)
    await campaigns.drain()
    world.clock.advance(minute)
    const mails = [await received(0), await received(1), await received(2)]
    for (const mail of mails) {
      expect((await visit(mail.clicks[0]!)).location).toBe(shop)
      expect(mail.html).toContain('/unsubscribe/')
    }
    const own = await Promise.all(mails.map(async mail => (await visit(mail.clicks[1]!)).location))
    expect(own.sort()).toEqual(['Ada%201', 'Ada%202', 'Ada%203'].map(name => `https://two.example/${name}`))
    await visit(mails[0]!.picture)
    await visit(mails[1]!.trap)
    await judge()
    const stats = await campaigns.stats(id)
    expect(stats).toMatchObject({ openedCount: 1, clickedCount: 2 })
    const rows = await campaigns.recipients(id)
    expect(rows.filter(row => row.clickedAt !== null)).toHaveLength(2)
  })

  test('leaves as it is without tracking, for a test message, and in its preview', async () => {
    await campaigns.contacts(1)
    const id = await campaigns.draft({ body })
    await campaigns.call('POST', `/campaigns/${id}/test`, { email: 'ada-1@example.com' })
    expect((await received()).html).not.toContain('/t/')
    const preview = await campaigns.call('POST', `/campaigns/${id}/preview`, {})
    expect(preview.body.html).not.toContain('/t/')
    world.mail.clear()
    await setMode('DISABLED')
    await campaigns.send(id)
    await campaigns.drain()
    expect((await received()).html).not.toContain('/t/')
  })

  test('of marketing is tracked where only marketing is, a transactional one is not', async () => {
    await campaigns.contacts(1)
    await setMode('MARKETING_ONLY')
    for (const type of ['MARKETING', 'TRANSACTIONAL']) {
      const id = await campaigns.draft({ body, type })
      await campaigns.send(id)
      await campaigns.drain()
    }
    expect([(await received(0)).picture !== '', (await received(1)).picture !== '']).toEqual([true, false])
  })
})

describe('a workflow', () => {
  test.each([
    ['MARKETING', true],
    ['TRANSACTIONAL', false],
  ])('sends %s mail, tracked where only marketing is: %p', async (type, tracked) => {
    const on = await campaignWorld(world)
    world.project = on.project
    await setMode('MARKETING_ONLY')
    const call = async (method: string, path: string, content: unknown) =>
      (await request(app, method, path, { key: on.project.secretKey, body: content })).body
    const template = await call('POST', '/templates', {
      name: 'T',
      subject: 'S',
      body,
      from: 'hello@acme.example',
      type,
    })
    const { id } = await call('POST', '/workflows', { name: 'W', eventName: 'joined' })
    await call('POST', `/workflows/${id}/steps`, {
      ...{ type: 'SEND_EMAIL', name: 'Send', position: { x: 0, y: 0 }, templateId: template.id, config: {} },
    })
    await call('PATCH', `/workflows/${id}`, { enabled: true })
    await call('POST', '/events/track', { email: 'ada@example.com', event: 'joined' })
    await on.drain()
    expect((await received()).picture !== '').toBe(tracked)
  })
})

test('the log shows no token: it holds the address of the link', async () => {
  await sendAndWait()
  const { clicks } = await received()
  const lines: Array<{ path?: string }> = []
  const info = (line: { path?: string }) => void lines.push(line)
  const ctx = { ...world.ctx, log: Object.assign(Object.create(world.ctx.log), { info }) }
  const other = buildApp(ctx)
  await request(other, 'GET', clicks[0]!.slice(base.length))
  await hitRecorder(ctx).settled()
  await Bun.sleep(0)
  expect(lines.map(line => line.path)).toEqual(['/t/c/…'])
})
