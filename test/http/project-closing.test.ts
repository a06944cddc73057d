// Resetting and deleting over HTTP: what stays and what goes, who may ask for it, what is refused meanwhile, and that nothing is left
// of what people and jobs were doing at that very moment.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { signSession } from '../../src/modules/accounts/users/guard'
import { addSandboxDomain } from '../../src/modules/sending/domains/service'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeMember, makeProject, makeUser } from '../support/make'
import { countAll, notEmpty } from '../support/possessions'
import { type Answer, type RequestOptions, request } from '../support/request'
import { until } from '../support/until'

let database: TestDatabase
let base: ReturnType<typeof testContext>
let app: AnyElysia
let project: MadeProject
let from: string
const kept = ['audit_log', 'domains', 'memberships']
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])

beforeAll(async () => {
  database = await cloneDatabase({ max: 16 })
  base = testContext(database, { rateLimitPerMinute: 0 })
  app = buildApp(base.ctx)
})
afterAll(() => database.drop())

beforeEach(async () => {
  await work()
  base.mail.clear()
  project = await makeProject(base, { onCreated: [addSandboxDomain] })
  const [domain] = (await call('GET', `/domains/project/${project.id}`)).body
  from = `me@${domain.domain}`
})

const call = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  request(app, method, path, { key: project.secretKey, ...options })
const cookieOf = async (userId: string) =>
  `waxwing_session=${await signSession(base.ctx, { userId, version: 1 })}`
const own = (action = '') => `/users/@me/projects/${project.id}${action}`
const work = () => drain(base.ctx, jobHandlers(base.ctx))
const ownsNow = async () => notEmpty(await countAll(database, project.id))

async function made(method: string, path: string, body: unknown): Promise<Answer> {
  const answer = await call(method, path, { body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** A bit of everything, some of it done and some of it waiting. */
async function settleIn(): Promise<{ image: string }> {
  const template = (await made('POST', '/templates', { name: 'T', subject: 'S', body: 'B', from })).body
  await made('POST', '/workflows', { name: 'W', eventName: 'signup', enabled: true })
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }],
  }
  await made('POST', '/segments', { name: 'All', condition, trackMembership: true })
  await made('POST', '/contacts', { email: 'ada@example.com', data: { plan: 'pro' } })
  await made('POST', '/events/track', { email: 'eve@example.com', event: 'signup' })
  await made('POST', '/v1/send', { to: 'ada@example.com', from, subject: 'Hi', body: 'Hello' })
  await made('POST', '/v1/send', { to: 'ada@example.com', template: template.id })
  const campaign = (
    await made('POST', '/campaigns', { name: 'N', subject: 'S', body: 'B', from, audienceType: 'ALL' })
  ).body.data
  await made('POST', `/campaigns/${campaign.id}/send`, {})
  await work()
  await made('POST', '/v1/send', { to: 'bob@example.com', from, subject: 'Later', body: 'Hello' })
  const form = new FormData()
  form.set('image', new File([png], 'cat.png'))
  return { image: new URL((await made('POST', '/uploads/image', form)).body.url).pathname }
}

describe('a reset', () => {
  test('deletes the data and keeps the project, which may be used again at once', async () => {
    const { image } = await settleIn()
    expect((await ownsNow()).length).toBeGreaterThan(20)
    const answer = await call('POST', own('/reset'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, message: 'Project has been reset' })
    expect(await ownsNow()).toEqual(kept)
    expect((await request(app, 'GET', image)).status).toBe(404)
    expect((await call('GET', '/contacts')).body).toMatchObject({ data: [], total: 0 })
    await made('POST', '/contacts', { email: 'ada@example.com' })
    await made('POST', '/v1/send', { to: 'ada@example.com', from, subject: 'Hi', body: 'Hello' })
    base.mail.clear()
    await work()
    expect(base.mail.sent).toHaveLength(1)
    expect((await call('GET', '/contacts')).body.total).toBe(1)
    const log = await call('GET', `/projects/${project.id}/audit-log?limit=1`)
    expect(log.body.data).toMatchObject([{ action: 'project.reset', actor: project.secretKey.slice(0, 11) }])
  })

  test('keeps idempotency keys and suppressed addresses', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const body = { to: 'gone@example.com', from, subject: 'Hi', body: 'Hello' }
    expect((await call('POST', '/v1/send', { body, headers })).status).toBe(200)
    await database.sql`
      insert into suppressions (project_id, email, reason, source, created_at)
      values (${project.id}, 'gone@example.com', 'bounce', '550', now())`
    await call('POST', own('/reset'))
    expect((await call('POST', '/v1/send', { body, headers })).status).toBe(409)
    expect(await ownsNow()).toEqual([
      'audit_log',
      'domains',
      'idempotency_keys',
      'memberships',
      'suppressions',
    ])
    const sent = await call('POST', '/v1/send', { body })
    await work()
    expect(base.mail.attempts).toEqual([])
    const [{ email: id }] = sent.body.data.emails
    expect((await call('GET', `/emails/${id}`)).body).toMatchObject({ status: 'FAILED' })
  })

  test('of another project than the own one is not possible, nor without the right to it', async () => {
    const member = await makeMember(base, project.id, 'MEMBER')
    const stranger = await makeUser(base)
    const other = await makeProject(base)
    for (const [method, action] of [
      ['POST', '/reset'],
      ['DELETE', ''],
    ] as const) {
      const status = async (options: RequestOptions) =>
        (await request(app, method, own(action), options)).status
      expect(await status({ cookie: await cookieOf(member.id) })).toBe(403)
      expect(await status({ cookie: await cookieOf(stranger.id) })).toBe(404)
      expect(await status({ key: other.secretKey })).toBe(404)
      expect(await status({ key: project.publicKey })).toBe(401)
      expect(await status({})).toBe(401)
      expect(
        (await request(app, method, `/users/@me/projects/x${action}`, { key: other.secretKey })).status,
      ).toBe(422)
    }
    expect(await ownsNow()).toEqual(kept)
  })

  test('of a disabled project is 403, and so is its deletion', async () => {
    await database.sql`update projects set disabled = true where id = ${project.id}`
    for (const answer of [await call('POST', own('/reset')), await call('DELETE', own())]) {
      expect(answer.status).toBe(403)
      expect(answer.body.error.code).toBe('PROJECT_DISABLED')
    }
  })
})

describe('while a project is being reset', () => {
  beforeEach(async () => {
    await settleIn()
    await database.sql`update projects set closing = 'RESET', closed_at = ${base.clock.now()} where id = ${project.id}`
    base.mail.clear()
  })

  test('reading works, and writing is 423 with a time to come back', async () => {
    expect((await call('GET', '/contacts')).status).toBe(200)
    const body = { to: 'ada@example.com', from, subject: 'Hi', body: 'Hello' }
    const writes: [string, string, unknown][] = [
      ['POST', '/v1/send', body],
      ['POST', '/contacts', { email: 'new@example.com' }],
      ['POST', '/domains', { domain: 'new.test' }],
      ['POST', '/events/track', { email: 'ada@example.com', event: 'e' }],
    ]
    for (const [method, path, body] of writes) {
      const answer = await call(method, path, { body })
      expect([path, answer.status]).toEqual([path, 423])
      expect(answer.body.error.code).toBe('PROJECT_RESETTING')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    const tracked = await call('POST', '/v1/track', {
      key: project.publicKey,
      body: { email: 'a@example.com', event: 'e' },
    })
    expect(tracked.status).toBe(423)
    expect((await call('POST', own('/reset'))).status).toBe(423)
    expect((await call('PATCH', own(), { body: { name: 'Still mine' } })).status).toBe(200)
  })

  test('no mail leaves, neither what is queued nor a campaign that is due', async () => {
    await database.sql`
      update campaigns set status = 'SCHEDULED', scheduled_for = ${base.clock.now()}, sent_at = null, finished_at = null
       where project_id = ${project.id}`
    base.clock.advance(3_000)
    await work()
    expect(base.mail.attempts).toEqual([])
    const [campaign] = await database.sql`select status from campaigns where project_id = ${project.id}`
    expect(campaign).toEqual({ status: 'SCHEDULED' })
  })

  test('a deletion takes its place', async () => {
    expect((await call('DELETE', own())).status).toBe(200)
    expect(await ownsNow()).toEqual([])
  })
})

describe('a deletion', () => {
  test('leaves nothing of the project, and everything of its people and of others', async () => {
    const { image } = await settleIn()
    const cookie = await cookieOf(project.ownerId)
    const mine = await makeProject(base, { ownerId: project.ownerId, name: 'Another' })
    await request(app, 'POST', '/contacts', { key: mine.secretKey, body: { email: 'ada@example.com' } })
    const others = await countAll(database, mine.id)
    const answer = await request(app, 'DELETE', own(), { cookie })
    expect(answer.body).toEqual({ success: true, message: 'Project has been deleted' })
    expect(await ownsNow()).toEqual([])
    expect(await database.sql`select 1 from projects where id = ${project.id}`).toHaveLength(0)
    expect((await call('GET', '/contacts')).status).toBe(401)
    expect((await request(app, 'POST', '/v1/track', { key: project.publicKey, body: {} })).status).toBe(401)
    expect((await request(app, 'DELETE', own(), { cookie })).status).toBe(404)
    expect((await request(app, 'GET', image)).status).toBe(404)
    const list = (await request(app, 'GET', '/users/@me/projects', { cookie })).body
    expect(list.map((one: { id: string }) => one.id)).toEqual([mine.id])
    expect(await countAll(database, mine.id)).toEqual(others)
  })

  test('shuts the doors with its own commit, however long clearing takes', async () => {
    await database.sql`update projects set closing = 'DELETE', closed_at = ${base.clock.now()} where id = ${project.id}`
    const cookie = await cookieOf(project.ownerId)
    expect((await call('GET', '/contacts')).status).toBe(401)
    expect((await request(app, 'GET', `/projects/${project.id}/audit-log`, { cookie })).status).toBe(404)
    expect((await request(app, 'POST', own('/reset'), { cookie })).status).toBe(404)
    const header = { cookie, headers: { 'X-Project-Id': project.id } }
    expect((await request(app, 'GET', '/contacts', header)).status).toBe(403)
    expect((await request(app, 'GET', '/users/@me/projects', { cookie })).body).toEqual([])
  })

  test('gives its domains back', async () => {
    await made('POST', '/domains', { domain: 'mail.acme.org' })
    await database.sql`update domains set verified = true, pending_since = null where domain = 'mail.acme.org'`
    const other = await makeProject(base)
    const add = () =>
      request(app, 'POST', '/domains', { key: other.secretKey, body: { domain: 'mail.acme.org' } })
    expect((await add()).status).toBe(403)
    await call('DELETE', own())
    expect((await add()).status).toBe(201)
  })
})

describe('at the same moment', () => {
  test('requests and jobs that are under way leave nothing behind', async () => {
    await settleIn()
    let isOver = false
    let accepted = 0
    const until423 = async (work: (turn: number) => Promise<Answer>) => {
      for (let turn = 0; ; turn++) {
        const { status } = await work(turn)
        if (status >= 400) return status
        accepted++
      }
    }
    const csv = (turn: number) => {
      const form = new FormData()
      form.set('file', new File([`email,plan\nrow-${turn}@example.com,pro\n`], 'a.csv', { type: 'text/csv' }))
      return form
    }
    const people = [
      until423(turn =>
        call('POST', '/events/track', {
          body: { email: `t${turn}@example.com`, event: 'signup', data: { turn } },
        }),
      ),
      until423(turn =>
        call('POST', '/v1/send', { body: { to: `s${turn % 5}@example.com`, from, subject: 'S', body: 'B' } }),
      ),
      until423(turn => call('POST', '/contacts', { body: { email: `c${turn}@example.com` } })),
      until423(turn => call('POST', '/contacts/import', { body: csv(turn) })),
    ]
    const jobs = (async () => {
      while (!isOver) await work()
    })()
    await until('enough is accepted', () => accepted >= 40)
    const answer = await call('DELETE', own())
    const refusals = await Promise.all(people)
    isOver = true
    await jobs
    // A send that knew its key already may find the domain released.
    const [tracks, sends, ...others] = refusals
    expect([tracks, ...others]).toEqual([401, 401, 401])
    expect([401, 403]).toContain(sends!)
    expect(answer.status).toBe(200)
    for (let turn = 0; turn < 5 && (await ownsNow()).length > 0; turn++) {
      base.clock.advance(60_000)
      await work()
    }
    expect(await ownsNow()).toEqual([])
  })

  test('a message that is on its way is waited for, and its outcome goes with the rest', async () => {
    await made('POST', '/v1/send', { to: 'ada@example.com', from, subject: 'Hi', body: 'Hello' })
    const handed = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    base.mail.always(async () => {
      handed.resolve()
      await answer.promise
      return { outcome: 'accepted', delivered: true, response: '250 ok', code: 250 }
    })
    const sending = work()
    await handed.promise
    let isReset = false
    const reset = call('POST', own('/reset')).then(reset => {
      isReset = true
      return reset
    })
    const left = () => database.sql`select 1 from emails where project_id = ${project.id}`
    await until('the messages are gone', async () => (await left()).length === 0)
    await Bun.sleep(60)
    expect(isReset).toBe(false)
    answer.resolve()
    await sending
    expect((await reset).body.message).toBe('Project has been reset')
    expect(await ownsNow()).toEqual(kept)
  })
})
