// Whatever can be read and changed: what was read is put back whole, and nothing changes. The routes are those of the application, so that
// a new one is missing here until it has a row.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { after, day } from '../../src/lib/time'
import { signSession } from '../../src/modules/accounts/users/guard'
import { noteSession } from '../../src/modules/accounts/users/service'
import { type BillingWorld, billingWorld } from '../support/billing'
import { message } from '../support/campaigns'
import { makeMember } from '../support/make'
import { type Answer, type RequestOptions, request } from '../support/request'
import { sender, type World } from '../support/world'

type Read = Answer['body']

interface Row {
  /** Makes what the route names, and answers its address. */
  make: () => Promise<string>
  /** Where it is read, where that is not the address itself. */
  read?: (path: string) => string
  /** The part of the answer that the route takes, where it is not the whole. */
  part?: (answer: Read, path: string) => Read
}

let billing: BillingWorld
let world: World
let owner: RequestOptions
beforeAll(async () => {
  billing = await billingWorld()
  world = billing.world
  await billing.subscribe()
  const { ownerId: userId } = world.project
  const names = { id: crypto.randomUUID(), userId, version: 1, agent: null, address: null }
  const createdAt = world.ctx.clock.now()
  await noteSession(world.ctx, { ...names, createdAt, expiresAt: after(createdAt, day) })
  owner = {
    cookie: `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`,
    headers: { 'x-project-id': world.project.id },
  }
})
afterAll(() => billing.close())

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  request(billing.app, method, path, { ...owner, body })

async function made(collection: string, body: object): Promise<Read> {
  const answer = await call('POST', collection, body)
  expect([answer.status, answer.body?.error]).toEqual([201, undefined])
  return answer.body
}

const inCollection = (collection: string, body: object) => async () =>
  `${collection}/${(await made(collection, body)).id}`

const lastOf = (path: string): string => path.split('/').at(-1)!

/** Those of the sandbox have keys that stay. */
async function domain(): Promise<string> {
  const body = { projectId: world.project.id, domain: `${crypto.randomUUID()}.example.com` }
  return `/domains/${(await made('/domains', body)).id}`
}

async function workflow(): Promise<string> {
  const { id } = await made('/workflows', { name: `W ${crypto.randomUUID()}`, eventName: 'signed up' })
  const step = (body: object) => made(`/workflows/${id}/steps`, body)
  await step({ type: 'DELAY', name: 'Wait', config: { amount: 1, unit: 'days' } })
  await step({ type: 'WAIT_FOR_EVENT', name: 'For', config: { eventName: 'paid', timeout: 3600 } })
  return `/workflows/${id}`
}

const content = { subject: 'S', body: '<p>x</p>', from: sender }
const condition = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@' }] }],
}

const rows: Record<string, Row> = {
  'PATCH /contacts/:id': {
    make: inCollection('/contacts', {
      email: 'a@x.example',
      data: { plan: 'free', list: [1, 'a'], n: null },
    }),
  },
  'PUT /contacts/:id/topics': {
    make: async () => {
      const chosen = await made('/topics', { name: 'Chosen' })
      const left = await made('/topics', { name: 'Left', subscribedByDefault: true })
      await made('/topics', { name: 'Default', subscribedByDefault: true })
      const { id } = await made('/contacts', { email: 'topics@x.example' })
      const topics = [
        { id: chosen.id, subscribed: true },
        { id: left.id, subscribed: false },
      ]
      await call('PUT', `/contacts/${id}/topics`, { topics })
      return `/contacts/${id}/topics`
    },
    // A list; its rows are what is put back.
    part: ({ data }) => ({ topics: data }),
  },
  'PATCH /emails/:id': {
    make: async () => {
      const scheduledFor = '2026-03-05T12:00:00Z'
      const body = { ...content, to: 'later@x.example', scheduledFor }
      const sent = await request(billing.app, 'POST', '/v1/send', { key: world.project.secretKey, body })
      return `/emails/${sent.body.data.emails[0].email}`
    },
  },
  'PATCH /layouts/:id': { make: inCollection('/layouts', { name: 'L', body: '<p>{{ content }}</p>' }) },
  'PATCH /templates/:id': { make: inCollection('/templates', { name: 'T', ...content }) },
  'PATCH /segments/:id': { make: inCollection('/segments', { name: 'S', condition, trackMembership: true }) },
  'PATCH /signup-forms/:id': {
    make: async () => {
      await call('PATCH', `/users/@me/projects/${world.project.id}`, { defaultSender: { email: sender } })
      const { id } = await made('/topics', { name: 'Of the form' })
      return await inCollection('/signup-forms', {
        name: 'F',
        language: 'de',
        topics: [id],
        fields: [
          { key: 'firstName', label: 'First name', type: 'text', required: true },
          { key: 'size', label: 'Size', type: 'choice', options: ['S', 'M'] },
        ],
        look: { accent: '#0b7285', heading: 'News' },
        redirectUrl: 'https://example.com/welcome',
      })()
    },
  },
  'PATCH /topics/:id': {
    make: () =>
      inCollection('/topics', {
        name: crypto.randomUUID(),
        description: 'Of things',
        offeredOnPages: false,
      })(),
    read: () => '/topics',
    part: ({ data }, path) => data.find(({ id }: Read) => id === lastOf(path)),
  },
  'PATCH /webhook-endpoints/:id': {
    make: inCollection('/webhook-endpoints', {
      url: 'https://hooks.example/',
      description: 'Ours',
      eventTypes: ['signed up', 'email.bounced'],
    }),
  },
  'PATCH /workflows/:id': { make: workflow },
  'PATCH /workflows/:id/steps/:stepId': {
    make: async () => {
      const path = await workflow()
      return `${path}/steps/${(await call('GET', path)).body.steps[1].id}`
    },
    read: path => path.split('/steps')[0]!,
    part: ({ steps }, path) => steps.find(({ id }: Read) => id === lastOf(path)),
  },
  'PUT /workflows/:id/graph': {
    make: async () => `${await workflow()}/graph`,
    read: path => path.replace('/graph', ''),
  },
  'PUT /campaigns/:id': {
    make: async () => `/campaigns/${(await made('/campaigns', message)).data.id}`,
  },
  'PUT /campaigns/:id/archive': {
    make: async () => `/campaigns/${(await made('/campaigns', message)).data.id}/archive`,
    read: path => path.replace('/archive', ''),
  },
  'PUT /domains/:id/dkim': { make: async () => `${await domain()}/dkim` },
  'PUT /domains/:id/warm-up': {
    make: async () => {
      const path = `${await domain()}/warm-up`
      await call('PUT', path, { firstDay: 50, factor: 1.5, target: 1000 })
      return path
    },
    // Null for a domain without a plan, which DELETE says.
    part: ({ plan }) => plan,
  },
  'PATCH /projects/:id/members/:userId': {
    make: async () => {
      const { id } = await makeMember(world, world.project.id, 'ADMIN')
      return `/projects/${world.project.id}/members/${id}`
    },
    read: path => path.replace(/\/[^/]+$/, ''),
    part: (answer, path) => (answer.data ?? answer).find(({ userId }: Read) => userId === lastOf(path)),
  },
  'PATCH /projects/:id/brand': {
    make: async () => {
      const path = `/projects/${world.project.id}/brand`
      await call('PATCH', path, { accentColor: '#23513f', postalAddress: '5 Mill Lane', footerText: 'Hello' })
      return path
    },
  },
  'PATCH /users/@me/projects/:id': {
    make: async () => {
      const path = `/users/@me/projects/${world.project.id}`
      const quietHours = { from: '21:00', to: '07:00' }
      const changes = { timeZone: 'Europe/Berlin', quietHours, mailCap: { messages: 3, days: 7 } }
      const { status } = await call('PATCH', path, { ...changes, defaultSender: { email: sender } })
      expect(status).toBe(200)
      return path
    },
    read: () => '/users/@me/projects',
    part: (answer, path) => answer.find(({ id }: Read) => id === lastOf(path)),
  },
  'PUT /projects/:id/retention': {
    make: async () => {
      const path = `/projects/${world.project.id}/retention`
      await call('PUT', path, { eventsDays: 90, inactiveDays: 60 })
      return path
    },
  },
  'PUT /users/@me/projects/:id/billing-limits': {
    make: async () => {
      await billing.setLimits({ campaigns: 1000 })
      return `/users/@me/projects/${world.project.id}/billing-limits`
    },
  },
}

test('every route that changes something has a row', () => {
  const names = billing.app.routes.map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`)
  const changing = names.filter(name => /^(PUT|PATCH) /.test(name))
  expect(Object.keys(rows).sort()).toEqual([...new Set(changing)].sort())
})

const traces = async () => {
  const [counts] = await world.ctx.sql`
    select (select count(*)::int from events) as events, (select count(*)::int from jobs) as jobs,
           (select count(*)::int from audit_log) as audit`
  return counts
}

describe.each(Object.entries(rows))('%s', (name, { make, read = path => path, part = whole => whole }) => {
  test('takes what was read, and changes nothing', async () => {
    const path = await make()
    const seen = async () => {
      const { status, body } = await call('GET', read(path))
      expect(status).toBe(200)
      return body
    }
    const before = await seen()
    const left = await traces()
    world.clock.advance(60_000)
    const again = await call(name.split(' ')[0]!, path, part(before, path))
    expect([again.status, again.body?.error ?? null]).toEqual([200, null])
    expect(await seen()).toEqual(before)
    expect(await traces()).toEqual(left)
  })
})

describe('what is put back in another state:', () => {
  const same = async (path: string, put: Read, read = path) => {
    const before = (await call('GET', read)).body
    const again = await call('PATCH', path, put)
    expect([again.status, again.body?.error ?? null]).toEqual([200, null])
    expect((await call('GET', read)).body).toEqual(before)
  }
  test('a message that waits for no time', async () => {
    const body = { ...content, to: 'now@x.example' }
    const sent = await billing.call('POST', '/v1/send', { body })
    const path = `/emails/${sent.body.data.emails[0].email}`
    await same(path, (await call('GET', path)).body)
  })
  test('the trigger of a workflow', async () => {
    const path = await workflow()
    const [trigger] = (await call('GET', path)).body.steps
    await same(`${path}/steps/${trigger.id}`, trigger, path)
  })
  test('a workflow that is on', async () => {
    const path = await workflow()
    await call('PATCH', path, { enabled: true })
    await same(path, (await call('GET', path)).body)
  })
})

describe('a member that is fixed and differs is refused:', () => {
  test.each<[string, string, Read]>([
    ['PATCH /topics/:id', 'subscribedByDefault', true],
    ['PATCH /workflows/:id/steps/:stepId', 'type', 'EXIT'],
  ])('%s, %s', async (name, field, value) => {
    const path = await rows[name]!.make()
    const { status, body } = await call('PATCH', path, { [field]: value })
    expect([status, body.error.errors[0].field]).toEqual([422, field])
  })
})
