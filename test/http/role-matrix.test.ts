// The role matrix: every route of the application, called as each of ten callers, answers what its row in test/data/routes.txt says. What
// an address names exists, so that a foreign key that finds nothing was kept out and did not merely ask for something that is not there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type KeyScope, keyScopes, opens } from '../../src/http/route'
import { after, day } from '../../src/lib/time'
import { signSession } from '../../src/modules/accounts/users/guard'
import { noteSession } from '../../src/modules/accounts/users/service'
import { addSandboxDomain } from '../../src/modules/sending/domains/service'
import { stripePayments } from '../../src/platform/payments/stripe'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { probes } from '../data/probes'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { makeMember, makeProject, makeUser } from '../support/make'
import { type Answer, type RequestOptions, request } from '../support/request'
import { type Caller, callers, isForKeys, type RouteRow, routeRows, type Verdict } from '../support/routes'
import { smallest } from '../support/smallest'
import { type StripeServer, startStripe } from '../support/stripe'

type Team = Awaited<ReturnType<typeof makeTeam>>
type Ids = Record<string, string>

let database: TestDatabase
let world: ReturnType<typeof testContext>
let app: ReturnType<typeof buildApp>
let shared: Team
let stripe: StripeServer
let made: Ids

beforeAll(async () => {
  database = await cloneDatabase({ max: 8 })
  world = testContext(database, { rateLimitPerMinute: 0 })
  stripe = startStripe()
  // Where billing is off its endpoints are not found, whoever asks.
  Object.assign(world.ctx, { payments: stripePayments(stripe.settings) })
  app = buildApp(world.ctx)
  shared = await makeTeam(true)
  made = await furnish(shared)
})
afterAll(async () => {
  stripe.stop()
  await database.drop()
})

/** A project with somebody in each role, and what each caller shows. Keys of domains take long to make. */
async function makeTeam(withDomain = false) {
  const given = { name: 'Acme', onCreated: withDomain ? [addSandboxDomain] : [] }
  const project = await makeProject(world, given)
  const foreign = await makeProject(world, given)
  const people = {
    owner: project.ownerId,
    admin: (await makeMember(world, project.id, 'ADMIN')).id,
    member: (await makeMember(world, project.id, 'MEMBER')).id,
    editor: (await makeMember(world, project.id, 'EDITOR')).id,
    viewer: (await makeMember(world, project.id, 'VIEWER')).id,
    stranger: (await makeUser(world)).id,
  }
  const headers = { 'x-project-id': project.id }
  const cookie = async (userId: string): Promise<RequestOptions> => ({
    cookie: `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`,
    headers,
  })
  const shows: Record<Caller, RequestOptions> = {
    owner: await cookie(people.owner),
    admin: await cookie(people.admin),
    member: await cookie(people.member),
    editor: await cookie(people.editor),
    viewer: await cookie(people.viewer),
    stranger: await cookie(people.stranger),
    public: { key: project.publicKey },
    secret: { key: project.secretKey },
    foreign: { key: foreign.secretKey },
    nobody: {},
  }
  return { project, shows }
}

/** One of everything that an address can name. */
async function furnish({ project, shows }: Team): Promise<Ids> {
  const must = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await request(app, method, path, { ...shows.owner, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const text = { subject: 'S', body: '<p>B</p>', from: 'a@acme.example' }
  const [domain] = await must('GET', `/domains/project/${project.id}`)
  const contact = await must('POST', '/contacts', { email: 'ada@example.com', data: { plan: 'free' } })
  await must('POST', '/suppressions', { emails: ['left@example.com'] })
  const goner = await must('POST', '/contacts', { email: 'goner@example.com' })
  await must('POST', '/contacts', { email: 'spare@example.com' })
  const template = await must('POST', '/templates', { name: 'T', ...text })
  const topic = await must('POST', '/topics', { name: 'T' })
  const form = await must('POST', '/signup-forms', { name: 'F', enabled: false })
  const layout = await must('POST', '/layouts', { name: 'L', body: '<p>{{ content }}</p>' })
  const segment = await must('POST', '/segments', { name: 'S', type: 'STATIC' })
  const abTest = { variants: [{ subject: 'B' }], share: 50, afterHours: 4 }
  const campaign = await must('POST', '/campaigns', { name: 'C', audienceType: 'ALL', ...text, abTest })
  await must('POST', `/campaigns/${campaign.data.id}/test`, { email: 'ada@example.com' })
  const outbox = await must('GET', '/outbox')
  const sent = await request(app, 'POST', '/v1/send', {
    ...shows.secret,
    body: { to: 'ada@example.com', ...text },
  })
  const bulk = await must('POST', '/contacts/bulk-subscribe', { contactIds: [contact.id] })
  const file = new FormData()
  file.set('file', new File(['email\nbob@example.com\n'], 'contacts.csv', { type: 'text/csv' }))
  const imported = await must('POST', '/contacts/import', file)
  const workflow = await must('POST', '/workflows', { name: 'W', eventName: 'signed up' })
  const config = { amount: 1, unit: 'days' }
  const step = await must('POST', `/workflows/${workflow.id}/steps`, { type: 'DELAY', name: 'D', config })
  const whole = await must('GET', `/workflows/${workflow.id}`)
  await must('PATCH', `/workflows/${workflow.id}`, { enabled: true })
  const execution = await must('POST', `/workflows/${workflow.id}/executions`, { contactId: contact.id })
  // What is on is for people who may send alone: live-rule.test.ts.
  await must('PATCH', `/workflows/${workflow.id}`, { enabled: false })
  const endpoint = await must('POST', '/webhook-endpoints', {
    url: 'https://hooks.example/',
    eventTypes: ['signed up'],
  })
  const tried = await must('POST', `/webhook-endpoints/${endpoint.id}/test`)
  const target = await makeMember(world, project.id, 'MEMBER')
  const teammate = await makeMember(world, project.id, 'VIEWER')
  const apiKey = await must('POST', `/projects/${project.id}/api-keys`, { name: 'K', scopes: ['read'] })
  const invited = await must('POST', `/projects/${project.id}/members`, { email: 'invited@example.com' })
  // The first who may ask is the stranger, whose own session others need.
  const { id: userId } = (await request(app, 'GET', '/users/@me', shows.stranger)).body
  const names = { id: crypto.randomUUID(), userId, version: 1, agent: null, address: null }
  const [createdAt, expiresAt] = [world.ctx.clock.now(), after(world.ctx.clock.now(), day)]
  await noteSession(world.ctx, { ...names, createdAt, expiresAt })
  return {
    campaigns: campaign.data.id,
    contact: contact.id,
    contacts: contact.id,
    contactId: contact.id,
    deliveryId: tried.id,
    'webhook-endpoints': endpoint.id,
    domains: domain.id,
    emails: sent.body.data.emails[0].email,
    eventName: 'signed%20up',
    executionId: execution.id,
    field: 'data.plan',
    goner: goner.id,
    invitationId: invited.invitationId,
    keyId: apiKey.id,
    'bulk:jobId': bulk.jobId,
    'import:jobId': imported.jobId,
    manage: contact.id,
    privacy: contact.id,
    message: contact.id,
    campaign: campaign.data.id,
    subscriber: contact.id,
    link: contact.id,
    name: 'no-asset.js',
    outbox: outbox.data[0].id,
    public: contact.id,
    receiver: 'outlook',
    forms: form.id,
    'signup-forms': form.id,
    layouts: layout.id,
    topics: topic.id,
    topicId: topic.id,
    campaignId: campaign.data.id,
    sessionId: names.id,
    segments: segment.id,
    stepId: step.id,
    subscribe: contact.id,
    templates: template.id,
    teammate: teammate.email,
    token: 'no-token',
    transitionId: whole.transitions?.[0]?.id ?? whole.steps[0].outgoingTransitions?.[0]?.id,
    unsubscribe: contact.id,
    suppressions: 'left@example.com',
    userId: target.id,
    workflows: workflow.id,
  }
}

/** `:id` stands for what the segment before it names. */
function addressOf(path: string, { project }: Team): string {
  const parts = path.split('/')
  return parts
    .map((part, index) => {
      if (!part.startsWith(':')) return part
      const before = parts[index - 1]!
      if (before === 'projects' || part === ':projectId') return project.id
      const id = made[part.slice(1)] ?? made[`${before}${part}`] ?? made[before]
      if (id === undefined) throw new Error(`the test prepares nothing for ${part} of ${path}`)
      return id
    })
    .join('/')
}

async function call({ name, body: schema }: RouteRow, team: Team, as: RequestOptions): Promise<number> {
  const [method = '', path = ''] = name.split(' ')
  const probe = probes[name] ?? { body: smallest(schema) }
  const filled = JSON.stringify(probe.body ?? null).replace(/<(\w+)>/g, (whole, id) => made[id] ?? whole)
  const body = probe.form ? new URLSearchParams({}) : probe.body && JSON.parse(filled)
  const options = { ...as, ...(body === undefined ? {} : { body }) }
  const answer = request(app, method, addressOf(path, team), options)
  if (probe.works) await workUntil(answer)
  return (await answer).status
}

/** Runs jobs until the answer is there. */
async function workUntil(answer: Promise<unknown>): Promise<void> {
  const handlers = jobHandlers(world.ctx)
  let done = false
  void answer.finally(() => {
    done = true
  })
  while (!done) {
    await drain(world.ctx, handlers)
    await Bun.sleep(5)
  }
}

/** Those who may not come first: after that, the first who may is the one who may change things. */
const order: Caller[] = [
  'nobody',
  'stranger',
  'public',
  'foreign',
  'viewer',
  'editor',
  'member',
  'owner',
  'admin',
  'secret',
]

function fits(status: number, expected: Verdict): boolean {
  if (expected === 'refused') return status >= 400
  return expected === 'in' ? status !== 401 && status !== 403 && status < 500 : status === expected
}

const rows = routeRows()

test('what is prepared is for routes that are there', () => {
  expect(Object.keys(probes).filter(name => !rows.some(row => row.name === name))).toEqual([])
})

/** What deletes comes last, and the parts before the whole. */
const rank = (name: string): string =>
  name.startsWith('DELETE') ? `z${9 - name.split('/').length}${name.includes('transitions') ? 0 : 1}` : 'a'
const named = rows
  .map(row => [row.name, row] as const)
  .sort(([a], [b]) => (`${rank(a)} ${a}` < `${rank(b)} ${b}` ? -1 : 1))

test.each(named)('%s', async (name, row) => {
  const expected = row.verdicts
  const got: Partial<Record<Caller, unknown>> = {}
  for (const caller of order) {
    const team = probes[name]?.alone ? await makeTeam() : shared
    const status = await call(row, team, team.shows[caller])
    got[caller] = fits(status, expected[caller]) ? expected[caller] : status
    // Whoever should find what the address names does: the 404 of others was no accident.
    if (caller === firstIn(expected) && status === 404 && row.guard !== undefined) got[caller] = status
  }
  expect(got).toEqual(expected)
})

function firstIn(expected: Record<Caller, unknown>): Caller | undefined {
  return order.find(caller => expected[caller] === 'in')
}

describe('keys with scopes', () => {
  const guarded = named.filter(([, row]) => isForKeys(row))
  const combinations: KeyScope[][] = [...keyScopes.map(scope => [scope]), ['send', 'write'], [...keyScopes]]
  const keys = new Map<KeyScope[], { own: string; foreign: string }>()
  beforeAll(async () => {
    const make = async (given: KeyScope[], key: string, id: string): Promise<string> =>
      (await request(app, 'POST', `/projects/${id}/api-keys`, { key, body: { name: 'K', scopes: given } }))
        .body.key
    const foreign = await makeProject(world)
    for (const given of combinations)
      keys.set(given, {
        own: await make(given, shared.project.secretKey, shared.project.id),
        foreign: await make(given, foreign.secretKey, foreign.id),
      })
  })

  test.each(guarded)('%s', async (_, row) => {
    for (const given of combinations) {
      const { own, foreign } = keys.get(given)!
      const status = await call(row, shared, { key: own })
      const isIn = status !== 401 && status !== 403 && status < 500
      expect([given, isIn ? 'in' : status]).toEqual([given, opens(given, row.declared) ? 'in' : 403])
      const ofOthers = await call(row, shared, { key: foreign })
      const found = ofOthers < 300 && row.verdicts.foreign === 404
      expect([given, found]).toEqual([given, false])
    }
  })
})

test('HEAD is let in as GET is, and refused as GET is', async () => {
  const { secretKey, id } = shared.project
  const given = { name: 'H', scopes: ['read'] }
  const made = await request(app, 'POST', `/projects/${id}/api-keys`, { key: secretKey, body: given })
  const status = async (method: string, path: string) =>
    (await request(app, method, path, { key: made.body.key })).status
  for (const [path, expected] of [
    ['/contacts', 200],
    [`/projects/${id}/api-keys`, 403],
  ] as const)
    expect([path, await status('GET', path), await status('HEAD', path)]).toEqual([path, expected, expected])
})

describe('a disabled project', () => {
  const changing = named.filter(([name, { whileSuspended }]) => whileSuspended && !probes[name]?.alone)
  let disabled: Team
  beforeAll(async () => {
    disabled = await makeTeam()
    await world.ctx.sql`update projects set disabled = true where id = ${disabled.project.id}`
  })

  test.each(changing)('%s', async (name, { guard, declared, whileSuspended }) => {
    const caller = guard === 'publicKey' ? 'public' : declared.scope === 'people' ? 'owner' : 'secret'
    const [method = '', path = ''] = name.split(' ')
    const answer = await request(app, method, addressOf(path, disabled), {
      ...disabled.shows[caller],
      body: probes[name]?.body ?? {},
    })
    expect(answer.body?.error?.code === 'PROJECT_DISABLED' ? 'closed' : 'open').toBe(whileSuspended!)
  })
})

test('the matrix has a column for every caller', () => {
  expect([...order].sort()).toEqual([...callers].sort())
})
