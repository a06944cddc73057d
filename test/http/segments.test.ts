// Segments through the API: the documented statuses and bodies, who is in a segment, and the wall between projects.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { operators } from '../../src/filters/read'
import { makeApplication } from '../../src/http/application'
import { upsertContacts } from '../../src/modules/audience/contacts/service'
import { recordEvents } from '../../src/modules/audience/events/service'
import { segmentUses } from '../../src/modules/features/segments/hooks'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import { segmentsUsingEvent, segmentsUsingField } from '../../src/modules/features/segments/service'
import type { Context } from '../../src/platform/context'
import { on } from '../../src/platform/hooks'
import { buildApp } from '../../src/server/app'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { withHooks } from '../support/hooks'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

const envelope = (code: string) =>
  expect.objectContaining({ error: expect.objectContaining({ code: expect.stringMatching(code) }) })

/** A tree of so many levels. */
function nested(levels: number): unknown {
  const filters = [{ field: 'email', operator: 'contains', value: '@' }]
  const inner = levels > 1 ? { conditions: nested(levels - 1) } : {}
  return { logic: 'AND', groups: [{ filters, ...inner }] }
}

const named = (id: string): unknown => ({
  logic: 'AND',
  groups: [{ filters: [{ field: `segment.${id}`, operator: 'memberOfSegment' }] }],
})

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia

beforeAll(async () => {
  database = await cloneDatabase()
  const base = testContext(database, { rateLimitPerMinute: 0 })
  clock = base.clock
  ctx = withHooks(base.ctx, on(segmentUses, usedBy))
  app = makeApplication(ctx, [segmentsRoutes])
})
afterAll(() => database.drop())

/** Stands for the campaigns: how many use a segment. */
const campaigns = new Map<string, number>()
const usedBy = async (_: Context, { segmentId }: { segmentId: string }) => ({
  noun: 'active campaign(s)',
  count: campaigns.get(segmentId) ?? 0,
})

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

type Filter = { field: string; operator: string; value?: unknown; unit?: string }
const all = (...filters: Filter[]) => ({ logic: 'AND', groups: [{ filters }] })
const isPro = all({ field: 'data.plan', operator: 'equals', value: 'pro' })

async function dynamic(project: MadeProject, condition: unknown, more: object = {}) {
  const { status, body } = await call(project, 'POST', '/segments', { name: 'Some', condition, ...more })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

async function people(
  project: MadeProject,
  list: Record<string, Record<string, unknown>>,
  subscribed = true,
) {
  const entries = Object.entries(list).map(([email, data]) => ({
    email,
    patch: { set: data, remove: [], transient: {} },
    subscribed,
  }))
  const made = await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
  return made.map(({ contact }) => contact.id)
}

async function emailsIn(project: MadeProject, id: string): Promise<string[]> {
  const { status, body } = await call(project, 'GET', `/segments/${id}/contacts?pageSize=100`)
  expect(status).toBe(200)
  return body.data.map((contact: { email: string }) => contact.email).sort()
}

const matching = async (project: MadeProject, condition: unknown) =>
  emailsIn(project, (await dynamic(project, condition)).id)

describe('POST /segments', () => {
  test('creates a dynamic segment, counted at once', async () => {
    const project = await makeProject({ ctx })
    await people(project, { 'a@x.test': { plan: 'pro' }, 'b@x.test': { plan: 'free' } })
    const answer = await call(project, 'POST', '/segments', { name: ' Pro ', condition: isPro })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(String),
      name: 'Pro',
      description: null,
      type: 'DYNAMIC',
      condition: isPro,
      trackMembership: false,
      memberCount: 1,
      projectId: project.id,
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
    })
    expect((await call(project, 'GET', `/segments/${answer.body.id}`)).body).toEqual(answer.body)
  })

  test('creates a static segment and passes over its condition, even a faulty one', async () => {
    const project = await makeProject({ ctx })
    const { status, body } = await call(project, 'POST', '/segments', {
      name: 'List',
      type: 'STATIC',
      condition: { no: 1 },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ type: 'STATIC', condition: null, memberCount: 0 })
  })

  test.each<[string, unknown, number, unknown]>([
    ['no name', { condition: isPro }, 400, { error: 'Name is required' }],
    ['an empty name', { name: '', condition: isPro }, 400, { error: 'Name is required' }],
    ['a blank name', { name: '  ', condition: isPro }, 400, { error: 'Name is required' }],
    ...[undefined, null, 'x', 7, []].map((condition): [string, unknown, number, unknown] => [
      `the condition ${JSON.stringify(condition)}`,
      { name: 'A', condition },
      400,
      { error: 'Condition is required and must be an object for DYNAMIC segments' },
    ]),
  ])('%s is 400 in the short form', async (_, body, status, expected) => {
    const answer = await call(await makeProject({ ctx }), 'POST', '/segments', body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(expected)
  })

  test.each<[string, unknown, string]>([
    [
      'a group without anything',
      { logic: 'AND', groups: [{ filters: [] }] },
      'Group must have at least one filter or nested condition',
    ],
    ['a filter without field', all({ operator: 'equals', value: 1 } as never), 'Filter field is required'],
    [
      'an unknown operator',
      all({ field: 'email', operator: "equals'; drop table contacts; --", value: 1 }),
      `Invalid operator: equals'; drop table contacts; --; use one of ${operators.join(', ')}`,
    ],
    [
      'a value operator without value',
      all({ field: 'data.x', operator: 'equals' }),
      'Operator "equals" requires a value',
    ],
    [
      'an unknown field',
      all({ field: 'shoeSize', operator: 'equals', value: 1 }),
      'Unsupported filter field: shoeSize',
    ],
  ])('%s is 400 in the envelope', async (_, condition, message) => {
    const answer = await call(await makeProject({ ctx }), 'POST', '/segments', { name: 'A', condition })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      success: false,
      error: { code: 'BAD_REQUEST', message, statusCode: 400 },
    })
  })

  test.each<[string, object, string]>([
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, 'description'],
    ['a type that is none', { type: 'FIXED' }, 'type'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['tracking that is a text', { trackMembership: 'yes' }, 'trackMembership'],
  ])('%s is 422', async (_, more, field) => {
    const answer = await call(await makeProject({ ctx }), 'POST', '/segments', {
      name: 'A',
      condition: isPro,
      ...more,
    })
    expect(answer.status).toBe(422)
    expect(answer.body.error.errors[0].field).toBe(field)
  })

  test('the public key gets 401', async () => {
    const project = await makeProject({ ctx })
    const answer = await request(app, 'POST', '/segments', {
      key: project.publicKey,
      body: { name: 'A', condition: isPro },
    })
    expect(answer.status).toBe(401)
  })
})

describe('who matches', () => {
  const cast = {
    'ann@company.test': { plan: 'pro', score: 10, at: '2026-02-28T23:00:00.000Z' },
    'bob@other.test': { plan: 'free', score: 50, at: '2026-01-01' },
    'cas@company.test': { score: 51, plan: ['pro'] },
  }
  test.each<[string, Filter[], string[]]>([
    ['equals', [{ field: 'data.plan', operator: 'equals', value: 'pro' }], ['ann']],
    [
      'notEquals passes over a missing field',
      [{ field: 'data.at', operator: 'notEquals', value: 'x' }],
      ['ann', 'bob'],
    ],
    ['greaterThan is strict', [{ field: 'data.score', operator: 'greaterThan', value: 10 }], ['bob', 'cas']],
    [
      'lessThanOrEqual is not',
      [{ field: 'data.score', operator: 'lessThanOrEqual', value: 50 }],
      ['ann', 'bob'],
    ],
    ['a number is no text', [{ field: 'data.score', operator: 'equals', value: '10' }], []],
    ['exists', [{ field: 'data.at', operator: 'exists' }], ['ann', 'bob']],
    ['notExists', [{ field: 'data.at', operator: 'notExists', value: true }], ['cas']],
    ['email in any case', [{ field: 'email', operator: 'contains', value: 'COMPANY' }], ['ann', 'cas']],
    ['email equals', [{ field: 'contact.email', operator: 'equals', value: 'BOB@other.test' }], ['bob']],
    [
      'a stored day matches itself',
      [{ field: 'data.at', operator: 'equals', value: '2026-01-01T09:00:00Z' }],
      ['bob'],
    ],
    ['within', [{ field: 'data.at', operator: 'within', value: 1, unit: 'days' }], ['ann']],
    ['olderThan', [{ field: 'data.at', operator: 'olderThan', value: 1, unit: 'days' }], ['bob']],
    [
      'several filters all hold',
      [
        { field: 'email', operator: 'contains', value: 'company' },
        { field: 'data.score', operator: 'lessThan', value: 51 },
      ],
      ['ann'],
    ],
  ])('%s', async (_, filters, names) => {
    const project = await makeProject({ ctx })
    await people(project, cast)
    const other = await makeProject({ ctx })
    await people(other, cast)
    expect((await matching(project, all(...filters))).map(email => email.split('@')[0]!)).toEqual(names)
  })

  test('subscribed, creation, events and their age, read anew each time', async () => {
    const project = await makeProject({ ctx })
    const [ann] = await people(project, { 'ann@x.test': {} })
    clock.advance(48 * 3_600_000)
    const [bob] = await people(project, { 'bob@x.test': {} }, false)
    await recordEvents(ctx, project.id, [{ name: 'order', contactId: ann }, { name: 'order' }])
    const one = async (filter: Filter) => matching(project, all(filter))
    const created = clock.now().toISOString()
    expect(await one({ field: 'subscribed', operator: 'equals', value: true })).toEqual(['ann@x.test'])
    expect(await one({ field: 'subscribed', operator: 'notEquals', value: true })).toEqual(['bob@x.test'])
    expect(await one({ field: 'createdAt', operator: 'within', value: 1, unit: 'days' })).toEqual([
      'bob@x.test',
    ])
    expect(await one({ field: 'createdAt', operator: 'greaterThan', value: created })).toEqual([])
    expect(await one({ field: 'createdAt', operator: 'lessThanOrEqual', value: created })).toHaveLength(2)
    expect(await one({ field: 'event.order', operator: 'triggered' })).toEqual(['ann@x.test'])
    expect(await one({ field: 'order', operator: 'triggeredWithin', value: 5, unit: 'minutes' })).toEqual([
      'ann@x.test',
    ])
    expect(await one({ field: 'event.order', operator: 'notTriggered' })).toEqual(['bob@x.test'])
    const old = await dynamic(
      project,
      all({ field: 'event.order', operator: 'triggeredOlderThan', value: 1, unit: 'hours' }),
    )
    expect(await emailsIn(project, old.id)).toEqual([])
    clock.advance(2 * 3_600_000)
    expect(await emailsIn(project, old.id)).toEqual(['ann@x.test'])
    await recordEvents(ctx, project.id, [{ name: 'order', contactId: ann }])
    expect(await emailsIn(project, old.id)).toEqual([])
    expect(bob).toBeString()
  })

  test('pages of 10, 10 and 5, newest first; the total is live', async () => {
    const project = await makeProject({ ctx })
    await people(
      project,
      Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`p${index}@x.test`, { plan: 'pro' }])),
    )
    const { id } = await dynamic(project, isPro)
    const page = async (number: number) =>
      (await call(project, 'GET', `/segments/${id}/contacts?page=${number}&pageSize=10`)).body
    const pages = [await page(1), await page(2), await page(3), await page(4)]
    expect(pages.map(each => each.data.length)).toEqual([10, 10, 5, 0])
    expect(pages[0]).toMatchObject({ total: 25, totalPages: 3, page: 1, pageSize: 10 })
    const ids = pages.flatMap(each => each.data.map((contact: { id: string }) => contact.id))
    expect(ids).toEqual([...new Set(ids)].sort().reverse())
    await people(project, { 'late@x.test': { plan: 'pro' } })
    expect((await page(1)).total).toBe(26)
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(25)
    expect((await call(project, 'POST', `/segments/${id}/refresh`)).body).toEqual({ memberCount: 26 })
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(26)
    expect((await call(project, 'GET', `/segments/${id}/contacts?pageSize=1000`)).body.pageSize).toBe(100)
  })
})

describe('static members', () => {
  const list = async (project: MadeProject) =>
    (await call(project, 'POST', '/segments', { name: 'List', type: 'STATIC' })).body

  test('are found by address in any case; what is no contact is told in the caller’s words', async () => {
    const project = await makeProject({ ctx })
    await people(project, { 'ann@x.test': {} })
    const { id } = await list(project)
    const add = (body: unknown) => call(project, 'POST', `/segments/${id}/members`, body)
    const first = await add({ emails: ['ANN@X.test', 'ann@x.test', ' Who@x.test', 'nonsense'] })
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ added: 1, created: 0, notFound: [' Who@x.test', 'nonsense'] })
    const second = await add({
      emails: ['ann@x.test', 'Bob@X.test', 'bob@x.test', 'nonsense'],
      createMissing: true,
      subscribed: false,
    })
    expect(second.body).toEqual({ added: 2, created: 1, notFound: ['nonsense'] })
    expect((await call(project, 'GET', `/segments/${id}/contacts`)).body.data).toMatchObject([
      { email: 'bob@x.test', subscribed: false },
      { email: 'ann@x.test', subscribed: true },
    ])
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(2)
    const events = await ctx.sql`select name from events where project_id = ${project.id}::uuid`
    expect(events).toHaveLength(0)
  })

  test('a repeat counts as added and moves the member to the front', async () => {
    const project = await makeProject({ ctx })
    await people(project, { 'a@x.test': {}, 'b@x.test': {} })
    const { id } = await list(project)
    await call(project, 'POST', `/segments/${id}/members`, { emails: ['a@x.test'] })
    clock.advance(1_000)
    await call(project, 'POST', `/segments/${id}/members`, { emails: ['b@x.test'] })
    clock.advance(1_000)
    expect(
      (await call(project, 'POST', `/segments/${id}/members`, { emails: ['a@x.test'] })).body.added,
    ).toBe(1)
    const { body } = await call(project, 'GET', `/segments/${id}/contacts`)
    expect(body.data.map((contact: { email: string }) => contact.email)).toEqual(['a@x.test', 'b@x.test'])
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(2)
  })

  test('removal answers how many were contacts, members or not', async () => {
    const project = await makeProject({ ctx })
    await people(project, { 'a@x.test': {}, 'b@x.test': {} })
    const { id } = await list(project)
    await call(project, 'POST', `/segments/${id}/members`, { emails: ['a@x.test'] })
    const answer = await call(project, 'DELETE', `/segments/${id}/members`, {
      emails: ['A@x.test', 'b@x.test', 'c@x.test'],
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ removed: 2 })
    expect(await emailsIn(project, id)).toEqual([])
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(0)
  })

  test.each<[string, string, unknown, number]>([
    ['POST', 'no list', {}, 400],
    ['POST', 'an empty list', { emails: [] }, 400],
    ['DELETE', 'an empty list', { emails: [] }, 400],
    ['POST', 'a list that is a text', { emails: 'a@x.test' }, 422],
    ['POST', 'a list with a number', { emails: [5] }, 422],
    ['POST', '501 addresses', { emails: Array(501).fill('a@x.test') }, 422],
  ])('%s with %s is %i', async (method, _, body, status) => {
    const project = await makeProject({ ctx })
    const { id } = await list(project)
    const answer = await call(project, method, `/segments/${id}/members`, body)
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body).toEqual({ error: 'emails must be a non-empty array' })
  })

  test('a dynamic segment takes none', async () => {
    const project = await makeProject({ ctx })
    const { id } = await dynamic(project, isPro)
    for (const [method, word] of [
      ['POST', 'add contacts to'],
      ['DELETE', 'remove contacts from'],
    ] as const) {
      const answer = await call(project, method, `/segments/${id}/members`, { emails: ['a@x.test'] })
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toBe(`Can only ${word} STATIC segments`)
    }
  })

  test('two additions at once of the same new addresses make each contact once', async () => {
    const project = await makeProject({ ctx })
    const { id } = await list(project)
    const emails = Array.from({ length: 50 }, (_, index) => `new${index}@x.test`)
    const answers = await Promise.all(
      [emails, emails.toReversed()].map(each =>
        call(project, 'POST', `/segments/${id}/members`, { emails: each, createMissing: true }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
    expect(answers[0]!.body.created + answers[1]!.body.created).toBe(50)
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(50)
    expect(await emailsIn(project, id)).toHaveLength(50)
  })
})

describe('PATCH, GET and DELETE', () => {
  test('changes what is given, counts a new condition at once, never the type', async () => {
    const project = await makeProject({ ctx })
    await people(project, { 'a@x.test': { plan: 'free' }, 'b@x.test': { plan: 'free' } })
    const { id } = await dynamic(project, isPro, { description: 'old' })
    clock.advance(1_000)
    const isFree = all({ field: 'data.plan', operator: 'equals', value: 'free' })
    const answer = await call(project, 'PATCH', `/segments/${id}`, {
      name: 'New',
      condition: isFree,
      type: 'STATIC',
      trackMembership: true,
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      name: 'New',
      description: 'old',
      type: 'DYNAMIC',
      condition: isFree,
      trackMembership: true,
      memberCount: 2,
      updatedAt: clock.now().toISOString(),
    })
    expect((await call(project, 'PATCH', `/segments/${id}`, { description: null })).body).toMatchObject({
      name: 'New',
      description: null,
      condition: isFree,
    })
  })

  test.each<[string, unknown, number, unknown]>([
    ['a condition that is a text', { condition: 'x' }, 400, { error: 'Condition must be an object' }],
    ['a condition of null', { condition: null }, 400, { error: 'Condition must be an object' }],
    ['a condition that is a list', { condition: [] }, 400, { error: 'Condition must be an object' }],
    ['a condition that is a number', { condition: 7 }, 400, { error: 'Condition must be an object' }],
    ['a condition deeper than filters go', { condition: nested(11) }, 400, envelope('BAD_REQUEST')],
    ['a condition deeper than a body may be', { condition: nested(60) }, 422, envelope('VALIDATION_ERROR')],
    ['a segment by what is no id', { condition: named('nonsense') }, 404, envelope('RESOURCE_NOT_FOUND')],
    [
      'a segment that is not there',
      { condition: named(crypto.randomUUID()) },
      404,
      envelope('RESOURCE_NOT_FOUND'),
    ],
    [
      'a faulty condition',
      { condition: { logic: 'XOR', groups: [] } },
      400,
      expect.objectContaining({ success: false }),
    ],
    ['an empty name', { name: ' ' }, 422, expect.objectContaining({ success: false })],
    ['a long name', { name: 'x'.repeat(101) }, 422, expect.objectContaining({ success: false })],
  ])('%s is refused and changes nothing', async (_, body, status, expected) => {
    const project = await makeProject({ ctx })
    const before = await dynamic(project, isPro)
    const answer = await call(project, 'PATCH', `/segments/${before.id}`, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual(expected)
    expect((await call(project, 'GET', `/segments/${before.id}`)).body).toEqual(before)
  })

  test('lists all, newest first, as a bare array', async () => {
    const project = await makeProject({ ctx })
    expect((await call(project, 'GET', '/segments')).body).toEqual([])
    for (const name of ['first', 'second', 'third']) {
      clock.advance(1)
      await dynamic(project, isPro, { name })
    }
    const { status, body } = await call(project, 'GET', '/segments')
    expect(status).toBe(200)
    expect(body.map((segment: { name: string }) => segment.name)).toEqual(['third', 'second', 'first'])
  })

  test('deletion answers 204 without a body, and then 404', async () => {
    const project = await makeProject({ ctx })
    const { id } = await dynamic(project, isPro)
    const answer = await call(project, 'DELETE', `/segments/${id}`)
    expect(answer.status).toBe(204)
    expect(answer.body).toBeUndefined()
    expect((await call(project, 'DELETE', `/segments/${id}`)).status).toBe(404)
    expect((await call(project, 'GET', `/segments/${id}`)).status).toBe(404)
  })

  test('deletion is refused while campaigns use the segment, with their number', async () => {
    const project = await makeProject({ ctx })
    const { id } = await dynamic(project, isPro)
    campaigns.set(id, 2)
    const answer = await call(project, 'DELETE', `/segments/${id}`)
    expect(answer.status).toBe(409)
    expect(answer.body.error.message).toContain('currently used in 2 active campaign(s)')
    campaigns.delete(id)
    expect((await call(project, 'DELETE', `/segments/${id}`)).status).toBe(204)
  })
})

describe('segments that name segments', () => {
  const within = (id: string, operator = 'memberOfSegment') => all({ field: `segment.${id}`, operator })

  test('match by the members of the other, static or dynamic, at this moment', async () => {
    const project = await makeProject({ ctx })
    await people(project, { 'a@x.test': { plan: 'pro' }, 'b@x.test': {} })
    const pro = await dynamic(project, isPro, { trackMembership: true })
    const list = (await call(project, 'POST', '/segments', { name: 'List', type: 'STATIC' })).body
    await call(project, 'POST', `/segments/${list.id}/members`, { emails: ['b@x.test'] })
    expect(await matching(project, within(pro.id))).toEqual(['a@x.test'])
    expect(await matching(project, within(pro.id.toUpperCase(), 'notMemberOfSegment'))).toEqual(['b@x.test'])
    expect(await matching(project, within(list.id))).toEqual(['b@x.test'])
    expect(await matching(project, within(list.id, 'notMemberOfSegment'))).toEqual(['a@x.test'])
  })

  test('an unknown one, another project’s and one that is no id are 404 alike', async () => {
    const project = await makeProject({ ctx })
    const other = await dynamic(await makeProject({ ctx }), isPro)
    for (const id of [other.id, Bun.randomUUIDv7(), 'vip']) {
      const answer = await call(project, 'POST', '/segments', { name: 'A', condition: within(id) })
      expect(answer.status).toBe(404)
      expect(answer.body.error.details).toEqual({ resource: 'Segment', id })
    }
    const { id } = await dynamic(project, isPro)
    expect((await call(project, 'PATCH', `/segments/${id}`, { condition: within(other.id) })).status).toBe(
      404,
    )
  })

  test('a cycle is 400, however long', async () => {
    const project = await makeProject({ ctx })
    const a = await dynamic(project, isPro)
    const b = await dynamic(project, within(a.id))
    const c = await dynamic(project, within(b.id, 'notMemberOfSegment'))
    const self = await call(project, 'PATCH', `/segments/${a.id}`, { condition: within(a.id) })
    expect(self.status).toBe(400)
    expect(self.body.error.message).toBe('A segment cannot reference itself')
    const long = await call(project, 'PATCH', `/segments/${a.id}`, { condition: within(c.id) })
    expect(long.status).toBe(400)
    expect(long.body.error.message).toBe('Circular segment reference detected')
    expect((await call(project, 'GET', `/segments/${a.id}`)).body.condition).toEqual(isPro)
  })

  test('two changes at once can’t close a cycle together', async () => {
    const project = await makeProject({ ctx })
    for (let round = 0; round < 10; round++) {
      const a = await dynamic(project, isPro)
      const b = await dynamic(project, isPro)
      const answers = await Promise.all([
        call(project, 'PATCH', `/segments/${a.id}`, { condition: within(b.id) }),
        call(project, 'PATCH', `/segments/${b.id}`, { condition: within(a.id) }),
      ])
      expect(answers.map(answer => answer.status).sort()).toEqual([200, 400])
    }
  })

  test('one that another names can’t be deleted, and a race leaves no name without a segment', async () => {
    const project = await makeProject({ ctx })
    const a = await dynamic(project, isPro)
    const b = await dynamic(project, within(a.id))
    const refused = await call(project, 'DELETE', `/segments/${a.id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.error.code).toBe('CONFLICT')
    await call(project, 'DELETE', `/segments/${b.id}`)
    const [deletion, naming] = await Promise.all([
      call(project, 'DELETE', `/segments/${a.id}`),
      call(project, 'POST', '/segments', { name: 'B', condition: within(a.id) }),
    ])
    expect([`${deletion.status} ${naming.status}`]).toContainEqual(
      deletion.status === 204 ? '204 404' : '409 201',
    )
  })

  test('what they amount to together is bounded, also when an inner one grows', async () => {
    const project = await makeProject({ ctx })
    const many = (count: number, filter: Filter) => all(...Array.from({ length: count }, () => filter))
    const pro = { field: 'data.plan', operator: 'equals', value: 'pro' }
    const inner = await dynamic(project, many(2, pro))
    const outer = await dynamic(
      project,
      many(60, { field: `segment.${inner.id}`, operator: 'memberOfSegment' }),
    )
    const grown = await call(project, 'PATCH', `/segments/${inner.id}`, { condition: many(5, pro) })
    expect(grown.status).toBe(400)
    expect(grown.body.error.message).toContain('at most 300 filters')
    const over = await call(project, 'POST', '/segments', {
      name: 'A',
      condition: many(5, { field: `segment.${outer.id}`, operator: 'memberOfSegment' }),
    })
    expect(over.status).toBe(400)
    expect((await call(project, 'GET', `/segments/${outer.id}/contacts`)).status).toBe(200)
  })
})

describe('usage', () => {
  test('fields and events are found at any depth, in any spelling, in this project only', async () => {
    const project = await makeProject({ ctx })
    const other = await makeProject({ ctx })
    const nested = {
      logic: 'OR',
      groups: [
        {
          filters: [{ field: 'contact.data.plan', operator: 'exists' }],
          conditions: all(
            { field: 'data.address.city', operator: 'equals', value: 'Rome' },
            { field: 'event.user.signup', operator: 'triggered' },
            { field: 'purchase', operator: 'notTriggered' },
            { field: 'contact.email', operator: 'contains', value: 'x' },
          ),
        },
      ],
    }
    const { id } = await dynamic(project, nested, { name: 'Deep' })
    await dynamic(other, nested)
    const expected = [{ id, name: 'Deep' }]
    for (const field of ['plan', 'data.plan', 'address', 'data.address.city', 'email'])
      expect([...(await segmentsUsingField(ctx, project.id, field))]).toEqual(expected)
    for (const name of ['user.signup', 'purchase'])
      expect([...(await segmentsUsingEvent(ctx, project.id, name))]).toEqual(expected)
    expect(await segmentsUsingField(ctx, project.id, 'city')).toHaveLength(0)
    expect(await segmentsUsingEvent(ctx, project.id, 'signup')).toHaveLength(0)
    await call(project, 'PATCH', `/segments/${id}`, { condition: isPro })
    expect(await segmentsUsingEvent(ctx, project.id, 'purchase')).toHaveLength(0)
    await call(project, 'DELETE', `/segments/${id}`)
    expect(await segmentsUsingField(ctx, project.id, 'plan')).toHaveLength(0)
  })
})

describe('usage through the API', () => {
  test('stands in the answers about fields and event names', async () => {
    const project = await makeProject({ ctx })
    const { id } = await dynamic(
      project,
      all({ field: 'data.plan', operator: 'exists' }, { field: 'order', operator: 'triggered' }),
    )
    const whole = buildApp(ctx)
    const get = async (path: string) => (await request(whole, 'GET', path, { key: project.secretKey })).body
    expect((await get('/contacts/fields/data.plan/usage')).usedInSegments).toEqual([{ id, name: 'Some' }])
    expect((await get('/events/order/usage')).usedInSegments).toEqual([{ id, name: 'Some' }])
  })
})

describe('the wall between projects', () => {
  test('another project’s segment is 404 on every route', async () => {
    const { id } = await dynamic(await makeProject({ ctx }), isPro, { trackMembership: true })
    const stranger = await makeProject({ ctx })
    const routes: Array<[string, string, unknown?]> = [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', ''],
      ['GET', '/contacts'],
      ['POST', '/members', { emails: ['a@x.test'] }],
      ['DELETE', '/members', { emails: ['a@x.test'] }],
      ['POST', '/compute'],
      ['POST', '/refresh'],
    ]
    for (const [method, path, body] of routes) {
      const answer = await call(stranger, method, `/segments/${id}${path}`, body)
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 404`)
      expect((await call(stranger, method, `/segments/no-id${path}`, body)).status).toBe(422)
    }
  })
})

describe('a field that was deleted', () => {
  const lacks = all({ field: 'data.plan', operator: 'notExists' })
  test('matches nobody by its absence, also through another segment, until it is seen again', async () => {
    const project = await makeProject({ ctx })
    const whole = buildApp(ctx)
    const ask = (method: string, path: string, body?: unknown) =>
      request(whole, method, path, { key: project.secretKey, body })
    await people(project, { 'a@x.test': { plan: 'pro' }, 'b@x.test': { city: 'x' }, 'c@x.test': {} })
    const without = await dynamic(project, lacks)
    const pro = await dynamic(project, isPro)
    const others = await dynamic(project, all({ field: `segment.${pro.id}`, operator: 'notMemberOfSegment' }))
    const neverSeen = await dynamic(project, all({ field: 'data.never', operator: 'notExists' }))
    const either = await dynamic(project, {
      logic: 'OR',
      groups: [lacks.groups[0]!, { filters: [{ field: 'data.city', operator: 'exists' }] }],
    })
    expect(await emailsIn(project, without.id)).toEqual(['b@x.test', 'c@x.test'])
    expect(await emailsIn(project, others.id)).toEqual(['b@x.test', 'c@x.test'])
    expect((await ask('DELETE', '/contacts/fields/data.plan')).status).toBe(200)
    expect(await emailsIn(project, without.id)).toEqual([])
    expect(await emailsIn(project, others.id)).toEqual([])
    expect(await emailsIn(project, either.id)).toEqual(['b@x.test'])
    expect(await emailsIn(project, neverSeen.id)).toHaveLength(3)
    expect((await ask('POST', '/contacts/search', { filter: lacks })).body.total).toBe(0)
    await people(project, { 'c@x.test': { plan: 'free' } })
    expect(await emailsIn(project, without.id)).toEqual(['a@x.test', 'b@x.test'])
    expect(await emailsIn(project, others.id)).toHaveLength(3)
  })
})

describe('an event that was deleted', () => {
  test('matches nobody by its absence, also through another segment, until it is recorded again', async () => {
    const project = await makeProject({ ctx })
    const whole = buildApp(ctx)
    const ask = (method: string, path: string, body?: unknown) =>
      request(whole, method, path, { key: project.secretKey, body })
    const [a, b] = await people(project, { 'a@x.test': {}, 'b@x.test': {} })
    const record = (contactId: string, name: string) => recordEvents(ctx, project.id, [{ name, contactId }])
    await record(a!, 'bought')
    const never = await dynamic(project, all({ field: 'event.bought', operator: 'notTriggered' }))
    const lately = await dynamic(
      project,
      all({ field: 'event.bought', operator: 'notTriggeredWithin', value: 3, unit: 'days' }),
    )
    const buyers = await dynamic(project, all({ field: 'event.bought', operator: 'triggered' }))
    const others = await dynamic(
      project,
      all({ field: `segment.${buyers.id}`, operator: 'notMemberOfSegment' }),
    )
    const unknown = await dynamic(project, all({ field: 'event.unknown', operator: 'notTriggered' }))
    const found = async () => [
      await emailsIn(project, never.id),
      await emailsIn(project, lately.id),
      await emailsIn(project, others.id),
    ]
    expect(await found()).toEqual([['b@x.test'], ['b@x.test'], ['b@x.test']])
    expect((await ask('DELETE', '/events/bought')).status).toBe(200)
    expect(await found()).toEqual([[], [], []])
    expect(await emailsIn(project, unknown.id)).toHaveLength(2)
    clock.advance(1_000)
    await record(b!, 'bought')
    expect(await found()).toEqual([['a@x.test'], ['a@x.test'], ['a@x.test']])
  })
})

test('whoever excludes an item of a list does not get those who have it', async () => {
  const project = await makeProject({ ctx })
  await people(project, {
    'list@x.test': { tags: ['red', 'blue'] },
    'text@x.test': { tags: 'infrared' },
    'blue@x.test': { tags: ['blue', 'infrared'] },
    'none@x.test': {},
  })
  const having = await dynamic(project, all({ field: 'data.tags', operator: 'contains', value: 'red' }))
  const lacking = await dynamic(project, all({ field: 'data.tags', operator: 'notContains', value: 'red' }))
  expect(await emailsIn(project, having.id)).toEqual(['list@x.test', 'text@x.test'])
  expect(await emailsIn(project, lacking.id)).toEqual(['blue@x.test'])
})

test('a text that is no date is refused beside a field of dates', async () => {
  const project = await makeProject({ ctx })
  await people(project, { 'a@x.test': { since: '2026-01-31', name: 'Ada' } })
  const ask = (field: string, value: string) =>
    call(project, 'POST', '/segments', { name: 'x', condition: all({ field, operator: 'lessThan', value }) })
  const { status, body } = await ask('data.since', '31.12.2026')
  expect([status, body.error.message]).toEqual([
    400,
    'The field "data.since" holds dates, and the value is none',
  ])
  expect((await ask('data.since', '2026-12-31')).status).toBe(201)
  expect((await ask('data.name', '31.12.2026')).status).toBe(201)
})
