// The event routes: lists and their pages, counts and names, usage, deletion; what other projects see of it (nothing).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import {
  recordEvents,
  recordProjectEvents,
  rollUpEventTotals,
} from '../../src/modules/audience/events/service'
import { jobHandlers } from '../../src/server/jobs'
import { anyCharacter } from '../support/any-character'
import { drain } from '../support/drain'
import { makeProject } from '../support/make'
import { makeTrackingWorld, type TrackingWorld } from '../support/tracking'

let world: TrackingWorld
/** What the modules above would find, by event name. */
const users = { segments: new Map<string, string>(), workflows: new Map<string, string>() }
beforeAll(async () => {
  const find = (found: Map<string, string>, { projectId, name }: { projectId: string; name: string }) =>
    found.has(name) && projectId === world.project.id ? [{ id: unknownId, name: found.get(name)! }] : []
  world = await makeTrackingWorld({
    users: async (_, asked) => ({
      segments: find(users.segments, asked),
      workflows: find(users.workflows, asked),
    }),
  })
})
beforeEach(async () => void (await world.startOver()))
afterAll(() => world.close())

const unknownId = '018f4f3e-0000-7000-8000-000000000000'

const get = async (path: string) => {
  const { status, body } = await world.call('GET', path)
  expect(status).toBe(200)
  return body
}
const remove = (name: string) => world.call('DELETE', `/events/${encodeURIComponent(name)}`)

/** Tracks the events, oldest first, a minute apart; answers the contact's id. */
async function track(events: string[], email = 'a@example.com'): Promise<string> {
  let contact = ''
  for (const event of events) {
    world.clock.advance(60_000)
    const { body } = await world.track({ email, event })
    contact = body.data.contact
  }
  return contact
}

/** Writes so many events of a name without a contact. */
async function fill(name: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({ name, projectId: world.project.id }))
  await recordProjectEvents(world.ctx, rows)
}

const namesOf = (list: { data: Array<{ name: string }> }): string[] => list.data.map(event => event.name)

describe('GET /events', () => {
  test('answers an empty project with an empty list', async () => {
    expect(await get('/events')).toEqual({ data: [], cursor: null, hasMore: false, total: 0 })
  })

  test('answers events newest first, with the address of their contact', async () => {
    const contactId = await track(['one', 'two'])
    await recordEvents(world.ctx, world.project.id, [
      { name: 'three', data: { list: [1, { a: null }] }, emailId: unknownId },
      { name: 'four', contactId: unknownId },
    ])
    const list = await get('/events')
    expect(list).toMatchObject({ cursor: null, hasMore: false, total: 4 })
    expect(namesOf(list)).toEqual(['four', 'three', 'two', 'one'])
    expect(list.data[0]).toMatchObject({ contactId: unknownId, contact: null })
    expect(list.data[1]).toMatchObject({ contactId: null, contact: null, emailId: unknownId })
    expect(list.data[1].data).toEqual({ list: [1, { a: null }] })
    expect(list.data[2]).toEqual({
      id: expect.any(String),
      name: 'two',
      data: null,
      projectId: world.project.id,
      contactId,
      emailId: null,
      createdAt: world.clock.now().toISOString(),
      contact: { email: 'a@example.com' },
    })
  })

  test('filters by the exact name, and counts what the filter leaves', async () => {
    await track(['visit', 'buy', 'visit', 'Visit', 'visits'])
    const list = await get('/events?eventName=visit')
    expect(namesOf(list)).toEqual(['visit', 'visit'])
    expect(list.total).toBe(2)
    expect(await get('/events?eventName=nothing')).toEqual({
      data: [],
      cursor: null,
      hasMore: false,
      total: 0,
    })
  })

  for (const filter of ['', '&eventName=even'])
    test(`goes on page by page${filter && ' of a name'}, whatever is deleted and added meanwhile`, async () => {
      await track(Array.from({ length: 10 }, (_, n) => (filter || n % 2 === 0 ? 'even' : 'odd')))
      const seen: string[] = []
      let cursor = ''
      for (let page = 0; ; page++) {
        const list = await get(`/events?limit=3${filter}${cursor}`)
        expect(list.total).toBe(page === 0 ? 10 : 0)
        seen.push(...list.data.map((event: { id: string }) => event.id))
        if (!list.hasMore) break
        cursor = `&cursor=${list.cursor}`
        await world.ctx.sql`delete from events where id = ${list.data.at(-1).id}`
        await recordEvents(world.ctx, world.project.id, [{ name: 'even' }])
      }
      expect(seen).toHaveLength(10)
      expect(new Set(seen).size).toBe(10)
      expect(seen).toEqual(seen.toSorted().reverse())
    })

  test('keeps pages apart that begin within one millisecond', async () => {
    await recordEvents(
      world.ctx,
      world.project.id,
      Array.from({ length: 7 }, () => ({ name: 'burst' })),
    )
    const first = await get('/events?eventName=burst&limit=4')
    const second = await get(`/events?eventName=burst&limit=4&cursor=${first.cursor}`)
    const ids = [...first.data, ...second.data].map((event: { id: string }) => event.id)
    expect(new Set(ids).size).toBe(7)
    expect(second.hasMore).toBe(false)
  })

  test('has pages of 100, and of 1,000 at most', async () => {
    await fill('many', 1_001)
    expect((await get('/events')).data).toHaveLength(100)
    expect((await get('/events?limit=100000')).data).toHaveLength(1_000)
  })

  test('counts exactly while totals are rolled up', async () => {
    await track(['a', 'b', 'a'])
    await rollUpEventTotals(world.ctx)
    await track(['a'])
    expect((await get('/events')).total).toBe(4)
    expect((await get('/events?eventName=a')).total).toBe(3)
  })

  for (const [query, status] of [
    ['cursor=nonsense', 400],
    [`cursor=${Buffer.from(JSON.stringify(['x', unknownId])).toString('base64url')}`, 400],
    [`cursor=${Buffer.from(JSON.stringify([null, unknownId])).toString('base64url')}`, 400],
    ['limit=0', 422],
    ['limit=-1', 422],
    ['limit=x', 422],
    ['limit=1.5', 422],
    [`eventName=${'x'.repeat(256)}`, 422],
  ] as const)
    test(`is ${status} for ${query.slice(0, 40)}`, async () => {
      expect((await world.call('GET', `/events?${query}`)).status).toBe(status)
    })
})

describe('GET /events/contact/:contactId', () => {
  test('answers the events of that contact only, newest first', async () => {
    const id = await track(['one', 'two'])
    await track(['other'], 'b@example.com')
    const list = await get(`/events/contact/${id}`)
    expect(namesOf(list)).toEqual(['two', 'one'])
    expect(list).toMatchObject({ cursor: null, hasMore: false, total: 2 })
    expect(list.data[0]).toEqual({
      id: expect.any(String),
      name: 'two',
      data: null,
      projectId: world.project.id,
      contactId: id,
      emailId: null,
      createdAt: expect.any(String),
    })
  })

  test('has pages of 50', async () => {
    const contactId = await track(['first'])
    await recordEvents(
      world.ctx,
      world.project.id,
      Array.from({ length: 60 }, () => ({ name: 'e', contactId })),
    )
    const first = await get(`/events/contact/${contactId}`)
    expect([first.data.length, first.total, first.hasMore]).toEqual([50, 61, true])
    const second = await get(`/events/contact/${contactId}?cursor=${first.cursor}`)
    expect([second.data.length, second.total, second.hasMore]).toEqual([11, 0, false])
  })

  test('counts up to ten thousand', async () => {
    const contactId = await track(['first'])
    const row = { name: 'e', contactId, projectId: world.project.id }
    await recordProjectEvents(
      world.ctx,
      Array.from({ length: 10_005 }, () => row),
    )
    expect((await get(`/events/contact/${contactId}?limit=1`)).total).toBe(10_000)
  })

  test('is empty for an unknown contact and for one of another project', async () => {
    const id = await track(['one'])
    await world.startOver()
    for (const contactId of [id, unknownId])
      expect(await get(`/events/contact/${contactId}`)).toEqual({
        data: [],
        cursor: null,
        hasMore: false,
        total: 0,
      })
  })

  test('is 422 for what is no id', async () => {
    expect((await world.call('GET', '/events/contact/nobody')).status).toBe(422)
  })
})

describe('GET /events/names', () => {
  test('is empty without events', async () => {
    expect(await get('/events/names')).toEqual({ eventNames: [] })
  })

  test('lists each name once, most frequent first, those of the service among them', async () => {
    await track(['rare', 'often', 'often', 'often'])
    await world.track({ email: 'a@example.com', event: 'often', subscribed: false })
    await world.track({ email: 'a@example.com', event: 'rare' })
    expect(await get('/events/names')).toEqual({ eventNames: ['often', 'rare', 'contact.unsubscribed'] })
  })
})

describe('GET /events/stats', () => {
  test('is empty without events', async () => {
    expect(await get('/events/stats')).toEqual([])
  })

  test('counts by name, most frequent first, in whole days, both ends included', async () => {
    world.clock.set(new Date('2026-05-01T23:59:59.999Z'))
    await fill('early', 3)
    world.clock.set(new Date('2026-05-02T00:00:00.000Z'))
    await fill('early', 1)
    await fill('late', 2)
    world.clock.set(new Date('2026-05-03T10:00:00.000Z'))
    await fill('late', 5)
    const early = (count: number) => ({ name: 'early', count })
    const late = (count: number) => ({ name: 'late', count })
    const rows: Array<[string, unknown[]]> = [
      ['', [late(7), early(4)]],
      ['?startDate=2026-05-02', [late(7), early(1)]],
      ['?startDate=2026-05-03', [late(5)]],
      ['?endDate=2026-05-01', [early(3)]],
      ['?endDate=2026-05-01T08:00:00Z', [early(3)]],
      ['?endDate=2026-05-02', [early(4), late(2)]],
      ['?startDate=2026-05-02T23:00:00Z&endDate=2026-05-02T01:00:00Z', [late(2), early(1)]],
      ['?startDate=2026-05-02T01:00:00%2B02:00&endDate=2026-05-01', [early(3)]],
      ['?startDate=May%203%2C%202026', [late(5)]],
      ['?startDate=2026-05-03&endDate=2026-05-01', []],
      ['?startDate=-271821-04-20T00:00:00.000Z&endDate=%2B275760-09-13', [late(7), early(4)]],
      ['?startDate=&endDate=', [late(7), early(4)]],
    ]
    for (const round of ['appended', 'rolled up']) {
      for (const [query, expected] of rows)
        expect([round, query, await get(`/events/stats${query}`)]).toEqual([round, query, expected])
      await rollUpEventTotals(world.ctx)
    }
  })

  for (const query of ['startDate=yesterday', 'endDate=2026-13-01', 'startDate=2026-01-01&endDate=never'])
    test(`is 400 for ${query}`, async () => {
      const { status, body } = await world.call('GET', `/events/stats?${query}`)
      expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
    })
})

describe('GET /events/:eventName/usage', () => {
  test('counts events and contacts, and says who uses the name', async () => {
    await track(['buy', 'buy'], 'a@example.com')
    await track(['buy'], 'b@example.com')
    await recordEvents(world.ctx, world.project.id, [{ name: 'buy' }])
    const free = {
      usedInSegments: [],
      usedInWorkflows: [],
      totalCount: 4,
      uniqueContacts: 2,
      canDelete: true,
    }
    expect(await get('/events/buy/usage')).toEqual(free)
    users.segments.set('buy', 'Buyers')
    expect(await get('/events/buy/usage')).toEqual({
      ...free,
      usedInSegments: [{ id: unknownId, name: 'Buyers' }],
      canDelete: false,
    })
    users.segments.clear()
    users.workflows.set('buy', 'Thank you')
    expect(await get('/events/buy/usage')).toMatchObject({
      usedInWorkflows: [{ id: unknownId, name: 'Thank you' }],
      canDelete: false,
    })
    users.workflows.clear()
  })

  test('says of an unknown name that it may be deleted, and of a reserved one that it may not', async () => {
    const nothing = { usedInSegments: [], usedInWorkflows: [], totalCount: 0, uniqueContacts: 0 }
    expect(await get('/events/unknown/usage')).toEqual({ ...nothing, canDelete: true })
    expect(await get('/events/email.sent/usage')).toEqual({ ...nothing, canDelete: false })
  })

  for (const name of ['stats', 'names', 'track', 'a/b', 'ü 😀', '100%', 'a+b', '...', '?x=1#y'])
    test(`finds the event named ${name}`, async () => {
      await track([name])
      expect((await get(`/events/${encodeURIComponent(name)}/usage`)).totalCount).toBe(1)
    })
})

describe('DELETE /events/:eventName', () => {
  test('deletes the events of the name and no other, and counts go down', async () => {
    await track(['gone', 'kept', 'gone'])
    const { status, body } = await remove('gone')
    expect([status, body]).toEqual([200, { deletedCount: 2 }])
    expect(namesOf(await get('/events'))).toEqual(['kept'])
    expect((await get('/events')).total).toBe(1)
    expect(await get('/events/names')).toEqual({ eventNames: ['kept'] })
    expect(await get('/events/stats')).toEqual([{ name: 'kept', count: 1 }])
    expect((await remove('gone')).body).toEqual({ deletedCount: 0 })
  })

  test('deletes events that are in use', async () => {
    await track(['used'])
    users.workflows.set('used', 'W')
    expect((await remove('used')).body).toEqual({ deletedCount: 1 })
    users.workflows.clear()
  })

  for (const name of ['stats', 'names', 'track', 'a/b', 'ü 😀', '100%', 'contact'])
    test(`deletes the event named ${name}`, async () => {
      await track([name])
      expect((await remove(name)).body).toEqual({ deletedCount: 1 })
    })

  for (const name of ['email.sent', 'contact.unsubscribed', 'segment.vip.entry'])
    test(`is 400 for ${name}, and deletes nothing`, async () => {
      await recordEvents(world.ctx, world.project.id, [{ name }])
      const { status, body } = await remove(name)
      expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
      expect((await get('/events')).total).toBe(1)
    })

  test('is 422 for a name that can not be', async () => {
    expect((await remove('x'.repeat(256))).status).toBe(422)
  })

  test('leaves the events of other projects', async () => {
    await track(['same'])
    const first = world.project
    await world.startOver()
    expect((await remove('same')).body).toEqual({ deletedCount: 0 })
    world.project = first
    expect((await get('/events')).total).toBe(1)
  })

  test('answers at once how many there are of very many, and a job deletes the rest', async () => {
    await fill('many', 25_000)
    await fill('few', 3)
    const contact = await track(['many'])
    const { body } = await remove('many')
    expect(body).toEqual({ deletedCount: 25_001 })
    const left = (await get('/events?eventName=many&limit=1')).total
    expect(left).toBe(15_001)
    world.clock.advance(1)
    await track(['many'])
    await drain(world.ctx, jobHandlers(world.ctx))
    const list = await get('/events?eventName=many')
    expect([list.total, list.data.length]).toEqual([1, 1])
    expect(list.data[0].contactId).toBe(contact)
    expect(await get('/events/stats')).toEqual([
      { name: 'few', count: 3 },
      { name: 'many', count: 1 },
    ])
  })

  test('of one name twice at once counts each event once', async () => {
    await fill('many', 3_000)
    const answers = await Promise.all([remove('many'), remove('many'), remove('many')])
    expect(answers.reduce((sum, { body }) => sum + body.deletedCount, 0)).toBe(3_000)
    expect(await get('/events/names')).toEqual({ eventNames: [] })
  })
})

describe('who may call', () => {
  const emptyList = { data: [], cursor: null, hasMore: false, total: 0 }
  const noUse = { usedInSegments: [], usedInWorkflows: [], totalCount: 0, uniqueContacts: 0, canDelete: true }
  /** With what a project without events is answered. */
  const routes: Array<[string, string, unknown]> = [
    ['GET', '/events', emptyList],
    ['GET', '/events?eventName=x', emptyList],
    ['GET', '/events/names', { eventNames: [] }],
    ['GET', '/events/stats', []],
    ['GET', '/events/contact/:x', emptyList],
    ['GET', '/events/x/usage', noUse],
    ['DELETE', '/events/x', { deletedCount: 0 }],
  ]
  for (const [method, path, nothing] of routes) {
    test(`${method} ${path}: nobody without a key, and not the public key`, async () => {
      const target = path.replace(':x', unknownId)
      const none = await world.call(method, target, { key: undefined })
      expect([none.status, none.body.error.code]).toEqual([401, 'MISSING_AUTH'])
      const wrong = await world.call(method, target, { key: world.project.publicKey })
      expect([wrong.status, wrong.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
    })

    test(`${method} ${path}: of another project's events nothing is seen, and nothing is touched`, async () => {
      const contact = await track(['x', 'x'])
      const other = await makeProject(world)
      const { body } = await world.call(method, path.replace(':x', contact), { key: other.secretKey })
      expect(body).toEqual(nothing)
      expect((await get('/events')).total).toBe(2)
    })
  }

  test('a disabled project reads its events and deletes none', async () => {
    await track(['x'])
    await updateProject(world.ctx, world.project.id, { disabled: true })
    expect((await get('/events')).total).toBe(1)
    const { status, body } = await remove('x')
    expect([status, body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
  })
})

test('nothing in a path or a query is answered with a 5xx', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }).map(text => encodeURIComponent(text.toWellFormed())),
    fc.string().map(text => text.replaceAll(/[\s#]/g, '')),
    fc.constantFrom('%00', '%', '%zz', '%ED%A0%80', '..', '%2e%2e', '%2F', '1e999', '-0', 'null', '[]'),
  )
  const path = fc.oneof(
    fc
      .tuple(fc.constantFrom('eventName', 'limit', 'cursor'), text)
      .map(([key, value]) => `GET /events?${key}=${value}`),
    fc
      .tuple(fc.constantFrom('startDate', 'endDate'), text)
      .map(([key, value]) => `GET /events/stats?${key}=${value}`),
    text.map(value => `GET /events/contact/${value}`),
    text.map(value => `GET /events/${value}/usage`),
    text.map(value => `DELETE /events/${value}`),
    text.map(value => `GET /events/names?${value}`),
  )
  const given = fc.sample(path, 400)
  for (const line of given) {
    const [method, ...rest] = line.split(' ')
    const target = rest.join(' ')
    if (!URL.canParse(`http://localhost${target}`)) continue
    const { status } = await world.call(method!, target)
    expect([line, status < 500]).toEqual([line, true])
  }
})
