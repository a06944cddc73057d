// Topics: what contacts decide about one kind of mail, wherever they decide it; mail of a campaign goes to those only whom its topic
// allows, when its recipients are chosen and at the instant of sending; and every decision is in the ledger of consent.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { message } from '../support/campaigns'
import { drain } from '../support/drain'
import type { MadeProject } from '../support/make'
import { type RequestOptions, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const call = (project: MadeProject, method: string, path: string, options: RequestOptions = {}) =>
  request(app, method, path, { key: project.secretKey, ...options })

async function make(project: MadeProject, path: string, body: object) {
  const answer = await call(project, 'POST', path, { body })
  expect([answer.status, answer.body?.error]).toEqual([201, undefined])
  return path === '/campaigns' ? answer.body.data : answer.body
}

const decide = (project: MadeProject, contact: string, topics: Array<{ id: string; subscribed: boolean }>) =>
  call(project, 'PUT', `/contacts/${contact}/topics`, { body: { topics } })

/** A project with a topic of each kind and two subscribed contacts. */
async function stage() {
  const project = await world.newProject()
  const news = await make(project, '/topics', { name: 'News', subscribedByDefault: true })
  const offers = await make(project, '/topics', { name: 'Offers', description: 'What is cheap' })
  const ada = await make(project, '/contacts', { email: 'ada@x.test' })
  const bob = await make(project, '/contacts', { email: 'bob@x.test' })
  return { project, news, offers, ada, bob }
}

async function states(project: MadeProject, contact: string): Promise<Record<string, boolean>> {
  const { body } = await call(project, 'GET', `/contacts/${contact}/topics`)
  return Object.fromEntries(
    body.data.map((one: { name: string; subscribed: boolean }) => [one.name, one.subscribed]),
  )
}

async function ledger(project: MadeProject, contact: string) {
  const { body } = await call(project, 'GET', `/contacts/${contact}/consent`)
  return (body.data as Array<Record<string, unknown>>).filter(({ topicId }) => topicId !== null).reverse()
}

/** Starts a campaign; it has chosen its recipients and sent nothing. */
async function start(project: MadeProject, body: object): Promise<string> {
  const { id } = await make(project, '/campaigns', { ...message, ...body })
  expect((await call(project, 'POST', `/campaigns/${id}/send`, { body: {} })).status).toBe(200)
  const handlers = [...jobHandlers(world.ctx)].filter(([kind]) => kind !== 'campaign.send')
  await drain(world.ctx, new Map(handlers))
  return id
}

async function finish(): Promise<string[]> {
  world.mail.clear()
  world.clock.advance(61_000)
  await world.drain()
  return world.mail.sent.flatMap(({ envelope }) => envelope.to).sort()
}

/** The link that a campaign's mail to the contact had. */
async function linkOf(contact: string): Promise<string> {
  const mail = (await world.received()).find(({ to }) => to?.[0]?.address === `${contact}@x.test`)
  const header = mail!.headers.find(({ key }) => key === 'list-unsubscribe')!.value
  return (
    new URL(header.match(/<(https?:[^>]+)>/)![1]!).pathname +
    new URL(header.match(/<(https?:[^>]+)>/)![1]!).search
  )
}

const post = (path: string, fields: Record<string, string>) =>
  request(app, 'POST', path, { body: new URLSearchParams(fields) })

describe('topics', () => {
  test('are made, renamed, archived, and deleted only where nobody decided and nothing names them', async () => {
    const { project, news, offers, ada } = await stage()
    expect((await call(project, 'GET', '/topics')).body.data).toEqual([news, offers])
    expect(offers).toMatchObject({
      subscribedByDefault: false,
      archived: false,
      description: 'What is cheap',
    })
    const path = `/topics/${offers.id}`
    const renamed = await call(project, 'PATCH', path, { body: { name: 'Sales', archived: true } })
    expect(renamed.body).toMatchObject({ name: 'Sales', archived: true })
    await decide(project, ada.id, [{ id: news.id, subscribed: false }])
    const draft = { ...message, topicId: offers.id }
    const stranger = await world.newProject()
    const statuses = [
      await call(project, 'POST', '/topics', { body: { name: 'News' } }),
      await call(project, 'PATCH', path, { body: { name: 'News' } }),
      await call(project, 'POST', '/topics', { body: { name: '' } }),
      await call(project, 'POST', '/campaigns', { body: draft }),
      await call(project, 'POST', '/campaigns', { body: { ...draft, topicId: Bun.randomUUIDv7() } }),
      await call(project, 'POST', '/campaigns', {
        body: { ...draft, topicId: news.id, type: 'TRANSACTIONAL' },
      }),
      await call(stranger, 'DELETE', path),
      await call(project, 'DELETE', `/topics/${news.id}`),
      await call(project, 'DELETE', path),
      await call(project, 'DELETE', path),
    ].map(({ status }) => status)
    expect(statuses).toEqual([409, 409, 422, 400, 404, 400, 404, 409, 204, 404])
    await make(project, '/campaigns', { ...message, topicId: news.id })
    const log = (await call(project, 'GET', `/projects/${project.id}/audit-log`)).body.data
    expect(log.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
      'topic.removed',
      'topic.changed',
    ])
  })

  test('are at most a hundred', async () => {
    const project = await world.newProject()
    await world.ctx.sql`
      insert into topics (project_id, id, name, by_default, created_at, updated_at)
      select ${project.id}, gen_random_uuid(), 'T' || n, false, ${world.clock.now()}, ${world.clock.now()}
        from generate_series(1, 100) n`
    expect((await call(project, 'POST', '/topics', { body: { name: 'More' } })).status).toBe(409)
  })

  test('stand as by default until a contact decides, which is an entry of the ledger', async () => {
    const { project, news, offers, ada, bob } = await stage()
    expect(await states(project, ada.id)).toEqual({ News: true, Offers: false })
    const both = [
      { id: news.id, subscribed: false },
      { id: offers.id, subscribed: true },
    ]
    const { body } = await decide(project, ada.id, both)
    expect(body.data).toMatchObject([
      { name: 'News', subscribed: false, decidedAt: world.clock.now().toISOString() },
      { name: 'Offers', subscribed: true },
    ])
    await decide(project, ada.id, both)
    await decide(project, ada.id, [{ id: news.id, subscribed: true }])
    expect(await ledger(project, ada.id)).toMatchObject([
      { topicId: news.id, topic: 'News', before: 'subscribed', after: 'optedOut', source: 'api' },
      { topicId: offers.id, before: 'notAsked', after: 'subscribed', source: 'api' },
      { topicId: news.id, before: 'optedOut', after: 'subscribed', source: 'api' },
    ])
    expect(await states(project, bob.id)).toEqual({ News: true, Offers: false })
    const stranger = await stage()
    const statuses = [
      await decide(project, bob.id, [{ id: stranger.news.id, subscribed: true }]),
      await decide(stranger.project, bob.id, []),
      await call(project, 'GET', '/contacts/nobody/topics'),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404])
  })

  test('are decided about by two at once without losing an entry', async () => {
    const { project, news, offers, ada } = await stage()
    await Promise.all([
      decide(project, ada.id, [{ id: news.id, subscribed: false }]),
      decide(project, ada.id, [{ id: offers.id, subscribed: true }]),
      call(project, 'PATCH', `/contacts/${ada.id}`, { body: { subscribed: false } }),
    ])
    expect(await states(project, ada.id)).toEqual({ News: false, Offers: true })
    expect((await call(project, 'GET', `/contacts/${ada.id}/consent`)).body.total).toBe(4)
  })

  test('go with their contact: what it decided is forgotten', async () => {
    const { project, news, ada } = await stage()
    await decide(project, ada.id, [{ id: news.id, subscribed: false }])
    await call(project, 'DELETE', `/contacts/${ada.id}`)
    await world.drain()
    expect((await world.ctx.sql`select from contact_topics where contact_id = ${ada.id}`).count).toBe(0)
  })
})

describe('a file', () => {
  async function imported(project: MadeProject, content: string, topics?: string) {
    const form = new FormData()
    form.set('file', new File([content], 'people.csv', { type: 'text/csv' }))
    if (topics !== undefined) form.set('topics', topics)
    const asked = await call(project, 'POST', '/contacts/import', { body: form })
    if (asked.status !== 202) return { refused: asked.status }
    await world.drain()
    return (await call(project, 'GET', `/contacts/import/${asked.body.jobId}`)).body
  }

  test('says who wants a topic, by a column or for everybody; a no counts, and a yes brings nobody back', async () => {
    const { project, news, offers, ada, bob } = await stage()
    await decide(project, bob.id, [{ id: offers.id, subscribed: false }])
    const out = await make(project, '/contacts', { email: 'out@x.test' })
    await call(project, 'PATCH', `/contacts/${out.id}`, { body: { subscribed: false } })
    const rows = [
      'ada@x.test,,yes,',
      'ada@x.test,,no,',
      'BOB@x.test,,,x',
      'new@x.test,,no,x',
      'never@x.test,no,,',
      'out@x.test,,,',
      'odd@x.test,,perhaps,',
    ]
    const file = `email,subscribed,topic:News,plan\n${rows.join('\n')}`
    expect(await imported(project, file, `${offers.id.toUpperCase()}, ${offers.id}`)).toMatchObject({
      state: 'completed',
      result: {
        ...{ createdCount: 2, updatedCount: 4, failureCount: 1 },
        optedOut: [
          { row: 4, email: 'bob@x.test' },
          { row: 7, email: 'out@x.test' },
        ],
        errors: [
          { row: 8, email: 'odd@x.test', error: 'topic:News: subscribed: "perhaps" is neither yes nor no' },
        ],
      },
    })
    const { data } = (await call(project, 'GET', '/contacts?search=ne')).body
    const idOf = (email: string) => data.find((one: { email: string }) => one.email === email).id
    expect(await states(project, ada.id)).toEqual({ News: false, Offers: true })
    expect(await states(project, bob.id)).toEqual({ News: true, Offers: false })
    expect(await states(project, out.id)).toEqual({ News: true, Offers: false })
    expect(await states(project, idOf('new@x.test'))).toEqual({ News: false, Offers: true })
    expect(await states(project, idOf('never@x.test'))).toEqual({ News: true, Offers: false })
    const entries = (await ledger(project, ada.id)).map(({ topic, before, after, source, actor }) => ({
      ...{ topic, before, after, source },
      hasActor: actor !== null,
    }))
    expect(entries).toEqual(
      expect.arrayContaining([
        { topic: 'News', before: 'subscribed', after: 'optedOut', source: 'import', hasActor: true },
        { topic: 'Offers', before: 'notAsked', after: 'subscribed', source: 'import', hasActor: true },
      ]),
    )
    expect(entries).toHaveLength(2)
    // A column may name the topic by its id; a second time nothing changes.
    await imported(project, `email,topic:${news.id}\nada@x.test,no`, offers.id)
    expect(await ledger(project, ada.id)).toHaveLength(2)
  })

  test('that names a topic which is not there is refused', async () => {
    const { project } = await stage()
    const stranger = await stage()
    expect(await imported(project, 'email,topic:Nonsense\nada@x.test,yes')).toMatchObject({
      state: 'failed',
      failedReason: 'There is no topic "Nonsense": make it first',
    })
    expect(await imported(project, 'email\nada@x.test', stranger.news.id)).toEqual({ refused: 404 })
    expect(await imported(project, 'email\nada@x.test', 'News')).toEqual({ refused: 404 })
    expect(await imported(project, 'email\nada@x.test', ' , ')).toMatchObject({ state: 'completed' })
  })
})

describe('a campaign with a topic', () => {
  test('goes to those whom it allows, by default or by their word, and counts them before', async () => {
    const { project, news, offers, ada, bob } = await stage()
    await decide(project, ada.id, [
      { id: news.id, subscribed: false },
      { id: offers.id, subscribed: true },
    ])
    const count = async (topicId: string | null) =>
      (await call(project, 'POST', '/campaigns/audience', { body: { audienceType: 'ALL', topicId } })).body
    expect(await count(news.id)).toMatchObject({ recipients: 1 })
    expect(await count(null)).toMatchObject({ recipients: 2 })
    await start(project, { topicId: news.id })
    expect(await finish()).toEqual([bob.email])
    await start(project, { topicId: offers.id })
    expect(await finish()).toEqual([ada.email])
    await start(project, {})
    expect(await finish()).toEqual([ada.email, bob.email])
  })

  test('is withheld from whoever leaves the topic between the start and the sending', async () => {
    const { project, news, ada, bob } = await stage()
    const id = await start(project, { topicId: news.id })
    await decide(project, ada.id, [{ id: news.id, subscribed: false }])
    expect(await finish()).toEqual([bob.email])
    const { data } = (await call(project, 'GET', `/campaigns/${id}/recipients`)).body
    expect(data.find(({ contactId }: { contactId: string }) => contactId === ada.id)).toMatchObject({
      status: 'SKIPPED',
      lastError: 'contact does not want the topic',
    })
  })

  test('is left by one click, and everything only where it has none', async () => {
    const { project, news, ada } = await stage()
    const id = await start(project, { topicId: news.id })
    await finish()
    const link = await linkOf('ada')
    expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    expect((await post(link, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    expect((await call(project, 'GET', `/contacts/${ada.id}`)).body.subscribed).toBe(true)
    expect(await states(project, ada.id)).toEqual({ News: false, Offers: false })
    expect(await ledger(project, ada.id)).toMatchObject([
      { topicId: news.id, after: 'optedOut', source: 'oneClick', emailId: expect.any(String), wording: null },
    ])
    expect((await call(project, 'GET', `/campaigns/${id}/stats`)).body.unsubscribedCount).toBe(1)
    await post(link, { action: 'unsubscribe' })
    expect((await call(project, 'GET', `/contacts/${ada.id}`)).body.subscribed).toBe(false)
    expect((await call(project, 'GET', `/campaigns/${id}/stats`)).body.unsubscribedCount).toBe(1)
    await start(project, {})
    await finish()
    await post(await linkOf('bob'), { 'List-Unsubscribe': 'One-Click' })
    const { data } = (await call(project, 'GET', '/contacts?search=bob')).body
    expect(data[0].subscribed).toBe(false)
  })

  test('has a page that asks about the topic first, then about everything, and shows all topics', async () => {
    const { project, news, offers, ada } = await stage()
    await start(project, { topicId: news.id })
    await finish()
    const link = await linkOf('ada')
    const page = (await request(app, 'GET', link)).body as string
    expect(page).toContain('Do you want to stop receiving “<bdi>News</bdi>” from')
    expect(page.indexOf('Unsubscribe: News')).toBeLessThan(page.indexOf('Unsubscribe from everything'))
    const left = await post(link, { action: 'leave', topic: news.id })
    expect(left.status).toBe(303)
    const manage = link.replace('/unsubscribe/', '/manage/')
    expect(left.headers.get('location')).toStartWith('../manage/')
    const shown = (await request(app, 'GET', manage)).body as string
    expect(shown).toContain('aria-label="Subscribe: News"')
    expect(shown).toContain('What is cheap')
    await post(manage, { action: 'join', topic: offers.id })
    expect(await states(project, ada.id)).toEqual({ News: false, Offers: true })
    const wordings = (await ledger(project, ada.id)).map(({ wording }) => wording)
    expect(wordings).toEqual([
      '[en] Do you want to stop receiving “News” from Acme at ada@x.test? / Unsubscribe',
      '[en] Offers (What you receive) / Subscribe',
    ])
    const again = (await request(app, 'GET', link)).body as string
    expect(again).toContain('Do you want to stop receiving emails from')
    expect(again).not.toContain('everything')
    const refused = [
      await post(manage, { action: 'leave', topic: 'nonsense' }),
      await post(manage, { action: 'leave', topic: Bun.randomUUIDv7() }),
    ].map(({ status }) => status)
    expect(refused).toEqual([400, 404])
  })

  test.each([
    ['unsubscribe', { action: 'unsubscribe' }],
    ['unsubscribe', { action: 'snooze', duration: '1_month' }],
    ['manage', { action: 'unsubscribe' }],
    ['manage', { action: 'snooze', duration: '1_month' }],
  ])('the ledger has the words of the page: %s, %o', async (name, form) => {
    const { project, news, ada } = await stage()
    await start(project, { topicId: news.id })
    await finish()
    const link = (await linkOf('ada')).replace('/unsubscribe/', `/${name}/`)
    const before = textOf((await request(app, 'GET', link)).body)
    await post(link, form)
    const back = link.replace(/\/(unsubscribe|manage)\//, '/unsubscribe/')
    const after = textOf((await request(app, 'GET', back)).body)
    await post(back, { action: 'subscribe' })
    const { data } = (await call(project, 'GET', `/contacts/${ada.id}/consent?limit=2`)).body
    const [restored, left] = data.map((entry: { wording: string }) => wordsIn(entry.wording))
    for (const words of left!) expect(before).toContain(words)
    // The page of somebody on a break has no such button.
    if (form.action === 'snooze') return
    for (const words of restored!) expect(after).toContain(words)
    expect(left![1]).toBe('Unsubscribe from everything')
  })

  test('is copied with its topic, and the topic stays while a campaign names it', async () => {
    const { project, news } = await stage()
    const { id } = await make(project, '/campaigns', { ...message, topicId: news.id })
    await call(project, 'PATCH', `/topics/${news.id}`, { body: { archived: true } })
    const copy = await call(project, 'POST', `/campaigns/${id}/duplicate`)
    expect((copy.body.data ?? copy.body).topicId).toBe(news.id)
    expect((await call(project, 'DELETE', `/topics/${news.id}`)).status).toBe(409)
    const cleared = await call(project, 'PUT', `/campaigns/${id}`, { body: { topicId: null } })
    expect((cleared.body.data ?? cleared.body).topicId).toBeNull()
  })
})

/** What a reader sees of a page. */
const textOf = (page: unknown): string =>
  String(page)
    .replaceAll(/<\/?bdi>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')

/** The sentence and the button of an entry. */
const wordsIn = (wording: string): string[] => wording.replace('[en] ', '').split(' / ')
