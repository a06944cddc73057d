// POST /v1/track and its alias: what an accepted event leaves behind, what is refused and leaves nothing, and what many requests
// at once may not do to each other.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { hour } from '../../src/lib/time'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import { findEvents, setListener } from '../../src/modules/audience/events/service'
import { addSandboxDomain } from '../../src/modules/sending/domains/service'
import { anyCharacter } from '../support/any-character'
import { makeProject } from '../support/make'
import { makeTrackingWorld, type TrackingWorld } from '../support/tracking'

let world: TrackingWorld
beforeAll(async () => {
  world = await makeTrackingWorld()
})
beforeEach(async () => void (await world.startOver()))
afterAll(() => world.close())

const unknownId = '018f4f3e-0000-7000-8000-000000000000'

async function rowCounts(): Promise<Record<string, number>> {
  const [row] = await world.ctx.sql`
    select (select count(*)::int from contacts) as contacts, (select count(*)::int from events) as events,
           (select count(*)::int from jobs) as jobs, (select count(*)::int from idempotency_keys) as keys,
           (select count(*)::int from contact_deltas) as counts, (select count(*)::int from event_deltas) as totals`
  return row as Record<string, number>
}

/** Runs `act` and fails the test when it left any row behind. */
async function untouched<T>(act: () => Promise<T>): Promise<T> {
  const before = await rowCounts()
  const result = await act()
  expect(await rowCounts()).toEqual(before)
  return result
}

const names = async (): Promise<string[]> => (await world.events()).map(event => event.name)
const routed = async (): Promise<string[]> =>
  (
    await world.ctx.sql<{ id: string }[]>`
      select args ->> 'eventId' as id from jobs where project_id = ${world.project.id} and kind = 'event.route' order by id`
  ).map(row => row.id)

describe('an accepted event', () => {
  test('answers the contact, the event and its time', async () => {
    const { status, body } = await world.track({ email: ' Ada@Example.com', event: 'signed_up' })
    expect(status).toBe(200)
    const contact = await world.contact('ada@example.com')
    const [event] = await world.events()
    expect(event).toMatchObject({ name: 'signed_up', contactId: contact!.id, data: null })
    expect(body).toEqual({
      success: true,
      data: { contact: contact!.id, event: event!.id, timestamp: world.clock.now().toISOString() },
    })
  })

  test('creates its contact as subscribed, without an event of that, and with the data', async () => {
    await world.track({ email: 'a@example.com', event: 'e', data: { plan: 'pro', seats: 3, tags: ['x'] } })
    expect(await world.contact('a@example.com')).toMatchObject({
      subscribed: true,
      data: { plan: 'pro', seats: 3, tags: ['x'] },
    })
    expect(await names()).toEqual(['e'])
  })

  test('creates its contact as unsubscribed where the request says so, without an event of that', async () => {
    await world.track({ email: 'a@example.com', event: 'e', subscribed: false })
    expect(await world.contact('a@example.com')).toMatchObject({ subscribed: false })
    expect(await names()).toEqual(['e'])
  })

  test('leaves the state of a contact that exists', async () => {
    await world.track({ email: 'a@example.com', event: 'first', subscribed: false })
    await world.track({ email: 'a@example.com', event: 'second' })
    expect(await world.contact('a@example.com')).toMatchObject({ subscribed: false })
    expect(await names()).toEqual(['first', 'second'])
  })

  test('comes after the event of the state that it changes', async () => {
    await world.track({ email: 'a@example.com', event: 'one' })
    await world.track({ email: 'a@example.com', event: 'two', subscribed: false })
    await world.track({ email: 'a@example.com', event: 'three', subscribed: false })
    await world.track({ email: 'a@example.com', event: 'four', subscribed: true })
    expect(await names()).toEqual([
      'one',
      'contact.unsubscribed',
      'two',
      'three',
      'contact.subscribed',
      'four',
    ])
  })

  test('is a new event each time', async () => {
    const first = await world.track({ email: 'a@example.com', event: 'visit' })
    const second = await world.track({ email: 'a@example.com', event: 'visit' })
    expect(first.body.data.contact).toBe(second.body.data.contact)
    expect(first.body.data.event).not.toBe(second.body.data.event)
  })

  test('may carry a null for data, and members that nobody knows', async () => {
    const answer = await world.track({ email: 'a@example.com', event: 'e', data: null, priority: 1 })
    expect(answer.status).toBe(200)
  })

  for (const event of [
    'contact.created',
    'segment.created',
    'segment.x.updated',
    'segment.premium',
    'email',
    'emails.sent',
    'contacts.subscribed',
    'segments.entry',
    'a:b@c/d-e f ü 😀',
    ' ',
    'x'.repeat(255),
  ])
    test(`may be named ${JSON.stringify(event.slice(0, 30))}`, async () => {
      expect((await world.track({ email: 'a@example.com', event })).status).toBe(200)
      expect(await names()).toEqual([event])
    })

  test('keeps its data as sent and patches the contact with them', async () => {
    await world.track({ email: 'a@example.com', event: 'e', data: { drop: 1, keep: 'kept' } })
    const data = { drop: null, keep: '', 'with.dot': { deep: [1, null, { a: 'b' }] }, 'line\nbreak': true }
    await world.track({ email: 'a@example.com', event: 'e', data })
    expect((await world.contact('a@example.com'))!.data).toEqual({
      keep: 'kept',
      'with.dot': data['with.dot'],
      'line\nbreak': true,
    })
    expect((await world.events())[1]!.data).toEqual(data)
  })

  test('drops reserved keys from the contact and from the event', async () => {
    const data = {
      id: 1,
      svc_id: 1,
      svc_email: 1,
      email: 'x',
      unsubscribeUrl: 1,
      subscribeUrl: 1,
      manageUrl: 1,
    }
    await world.track({ email: 'a@example.com', event: 'e', data: { ...data, plan: { id: 7 } } })
    expect((await world.contact('a@example.com'))!.data).toEqual({ plan: { id: 7 } })
    expect((await world.events())[0]!.data).toEqual({ plan: { id: 7 } })
  })
})

describe('values for this event only', () => {
  const body = {
    email: 'a@example.com',
    event: 'reset',
    data: { code: { value: 's3cret', persistent: false }, plan: 'pro' },
  }

  async function everyText(): Promise<string> {
    const rows = await Promise.all(
      ['contacts', 'contact_fields', 'events', 'event_transients', 'jobs'].map(
        table =>
          world.ctx
            .sql`select to_jsonb(t) as row from ${world.ctx.sql(table)} t where project_id = ${world.project.id}`,
      ),
    )
    return JSON.stringify(rows)
  }

  test('are stored nowhere where nobody listens, and replace nothing', async () => {
    await world.track({ ...body, data: { code: 'old' } })
    await world.track(body)
    expect(await everyText()).not.toContain('s3cret')
    expect((await world.contact('a@example.com'))!.data).toEqual({ code: 'old', plan: 'pro' })
    expect((await world.events())[1]!.data).toEqual({ plan: 'pro' })
  })

  test('reach whoever listens, unwrapped, and no list', async () => {
    await setListener(world.ctx, world.project.id, world.ctx.random.uuid(world.clock.now()), ['reset'])
    const { body: answer } = await world.track(body)
    const [found] = await findEvents(world.ctx, world.project.id, [answer.data.event])
    expect(found!.data).toEqual({ code: 's3cret', plan: 'pro' })
    expect(await routed()).toEqual([answer.data.event])
    for (const path of ['/events', '/events?eventName=reset', `/events/contact/${answer.data.contact}`]) {
      const list = await world.call('GET', path)
      expect(list.body.data[0].data).toEqual({ plan: 'pro' })
      expect(JSON.stringify(list.body)).not.toContain('s3cret')
    }
    expect((await world.contact('a@example.com'))!.data).toEqual({ plan: 'pro' })
  })

  test('are only those that say persistent: false beside a value', async () => {
    const data = {
      a: { value: 1 },
      b: { value: 1, persistent: true },
      c: { persistent: false },
      d: { value: 1, persistent: 'no' },
    }
    await world.track({ ...body, data })
    expect((await world.contact('a@example.com'))!.data).toEqual(data)
    expect((await world.events())[0]!.data).toEqual(data)
  })
})

describe('a request without the right to track', () => {
  const rows: Array<[string, () => Record<string, string>, string]> = [
    ['no key', () => ({}), 'MISSING_AUTH'],
    ['an unknown key', () => ({ authorization: `Bearer pk_${'0'.repeat(64)}` }), 'INVALID_API_KEY'],
    ['the secret key', () => ({ authorization: `Bearer ${world.project.secretKey}` }), 'INVALID_API_KEY'],
  ]
  for (const [name, headers, code] of rows)
    test(`is 401: ${name}`, async () => {
      const body = { email: 'a@example.com', event: 'e' }
      const answer = await untouched(() => world.track(body, { key: undefined, headers: headers() }))
      expect([answer.status, answer.body.error.code]).toEqual([401, code])
      expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'))
    })

  test('is 401 at the alias with the public key', async () => {
    const answer = await untouched(() =>
      world.call('POST', '/events/track', {
        key: world.project.publicKey,
        body: { email: 'a@b.co', event: 'e' },
      }),
    )
    expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('is 403 while the project is disabled, by either way', async () => {
    await updateProject(world.ctx, world.project.id, { disabled: true })
    const body = { email: 'a@example.com', event: 'e' }
    const headers = { 'idempotency-key': 'kept free' }
    const answers = await untouched(() =>
      Promise.all([world.track(body, { headers }), world.call('POST', '/events/track', { body, headers })]),
    )
    for (const answer of answers)
      expect([answer.status, answer.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
  })
})

describe('a faulty request', () => {
  const long = (length: number): string => 'x'.repeat(length)
  /** Name, changes to a good request, `field code` of the faults. Undefined removes a member. */
  const rows: Array<[string, Record<string, unknown>, string[]]> = [
    ['without address', { email: undefined }, ['email invalid_type']],
    ['with an empty address', { email: '' }, ['email invalid_string']],
    ['with a bad address', { email: 'ada' }, ['email invalid_string']],
    ['with a number for the address', { email: 5 }, ['email invalid_type']],
    ['with a list of addresses', { email: ['a@b.co'] }, ['email invalid_type']],
    ['with a very long address', { email: `${long(400)}@b.co` }, ['email too_big']],
    ['without event', { event: undefined }, ['event invalid_type']],
    ['with an empty event', { event: '' }, ['event too_small']],
    ['with an event of 256 characters', { event: long(256) }, ['event too_big']],
    ['with a number for the event', { event: 5 }, ['event invalid_type']],
    ['with NUL in the event', { event: 'a\0b' }, ['event invalid_string']],
    ['with text for subscribed', { subscribed: 'true' }, ['subscribed invalid_type']],
    ['with a null for subscribed', { subscribed: null }, ['subscribed invalid_type']],
    ['with a list for data', { data: [] }, ['data invalid_type']],
    ['with text for data', { data: 'x' }, ['data invalid_type']],
    ['with data of more than 64 KB', { data: { x: long(65_536) } }, ['data too_big']],
    ['with an empty key', { data: { '': 1 } }, ['data. too_small']],
    [
      'with several faults at once',
      { email: 'ada', event: 'email.x', data: { '': 1 } },
      ['email invalid_string', 'event reserved_event', 'data. too_small'],
    ],
  ]
  for (const [name, changes, expected] of rows)
    test(`is 422 and leaves nothing: ${name}`, async () => {
      const good = { email: 'new@example.com', event: 'e' }
      for (const path of ['/v1/track', '/events/track']) {
        const key = path === '/v1/track' ? world.project.publicKey : world.project.secretKey
        const headers = { 'idempotency-key': 'free' }
        const { status, body } = await untouched(() =>
          world.call('POST', path, { key, headers, body: { ...good, ...changes } }),
        )
        const found = body.error?.errors?.map(
          (item: { field: string; code: string }) => `${item.field} ${item.code}`,
        )
        expect([path, status, body.error?.code, found]).toEqual([path, 422, 'VALIDATION_ERROR', expected])
      }
    })

  for (const event of [
    'email.sent',
    'email.',
    'email.anything at all',
    'contact.subscribed',
    'contact.unsubscribed',
    'segment.vip.entry',
    'segment.vip.exit',
    'segment.entry',
  ])
    test(`is 422 with code reserved_event: ${event}`, async () => {
      for (const [path, key] of [
        ['/v1/track', world.project.publicKey],
        ['/events/track', world.project.secretKey],
      ] as const) {
        const { status, body } = await untouched(() =>
          world.call('POST', path, { key, body: { email: 'new@example.com', event } }),
        )
        expect(status).toBe(422)
        expect(body.error.errors).toEqual([
          {
            field: 'event',
            code: 'reserved_event',
            received: event,
            message: expect.stringContaining(event),
          },
        ])
      }
    })

  test('is 400 for JSON that can not be read', async () => {
    const { status, body } = await untouched(() => world.track('{"email": '))
    expect([status, body.error.code, body.error.errors]).toEqual([400, 'VALIDATION_ERROR', undefined])
  })

  test('is 413 for more than 128 kB', async () => {
    const { status } = await untouched(() =>
      world.track({ email: 'a@b.co', event: 'e', data: { x: long(131_100) } }),
    )
    expect(status).toBe(413)
  })

  test('is 422 when the contact would hold more than it may', async () => {
    await world.track({ email: 'full@example.com', event: 'e', data: { x: long(60_000) } })
    const { status, body } = await untouched(() =>
      world.track(
        { email: 'full@example.com', event: 'e', data: { y: long(10_000) } },
        { headers: { 'idempotency-key': 'free' } },
      ),
    )
    expect([status, body.error.errors[0].field, body.error.errors[0].code]).toEqual([422, 'data', 'too_big'])
  })
})

describe('an Idempotency-Key', () => {
  const body = { email: 'a@example.com', event: 'e' }
  const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

  test('performs a request once and tells the second one that there was a first, but not what it made', async () => {
    expect((await world.track(body, withKey('k 1'))).status).toBe(200)
    const second = await untouched(() =>
      world.track({ email: 'other@example.com', event: 'x' }, withKey('k 1')),
    )
    expect([second.status, second.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
    expect(second.body.error.details).toEqual({
      key: 'k 1',
      originalRequest: 'POST /v1/track',
      originalRequestAt: world.clock.now().toISOString(),
      originalStatusCode: 200,
    })
  })

  const letter = { to: 'a@example.com', from: 'a@acme.example', subject: 'S', body: 'B' }
  const send = (key: string) => world.call('POST', '/v1/send', { body: letter, ...withKey(key) })
  const alias = (key: string) => world.call('POST', '/events/track', { body, ...withKey(key) })

  test('of the alias holds for /v1/send as well, each way', async () => {
    await addSandboxDomain(world.ctx, { id: world.project.id, name: 'Acme' })
    const tracked = await alias('tracked')
    const refused = await send('tracked')
    expect([refused.status, refused.body.error.details]).toMatchObject([
      409,
      {
        originalRequest: 'POST /events/track',
        originalResult: { contact: tracked.body.data.contact, event: tracked.body.data.event },
      },
    ])
    expect((await send('sent')).status).toBe(200)
    const again = await alias('sent')
    expect([again.status, again.body.error.details.originalRequest]).toEqual([409, 'POST /v1/send'])
  })

  test('that somebody used with the public key stands in the way of no message', async () => {
    await addSandboxDomain(world.ctx, { id: world.project.id, name: 'Acme' })
    expect((await world.track(body, withKey('order-7'))).status).toBe(200)
    expect((await send('order-7')).status).toBe(200)
    expect((await world.track(body, withKey('order-8'))).status).toBe(200)
    expect((await alias('order-8')).status).toBe(200)
  })

  test('of a message tells nothing to whoever guesses it with the public key', async () => {
    await addSandboxDomain(world.ctx, { id: world.project.id, name: 'Acme' })
    const sent = await send('order-9')
    expect((await world.track(body, withKey('order-9'))).status).toBe(200)
    const again = await world.track(body, withKey('order-9'))
    expect([again.status, again.body.error.details.originalRequest]).toEqual([409, 'POST /v1/track'])
    expect(JSON.stringify(again.body)).not.toContain(sent.body.data.emails[0].email)
  })

  test('is free after a refusal, and after its time', async () => {
    expect((await world.track({ ...body, event: 'email.x' }, withKey('again'))).status).toBe(422)
    expect((await world.track(body, withKey('again'))).status).toBe(200)
    world.clock.advance(24 * hour - 1)
    expect((await world.track(body, withKey('again'))).status).toBe(409)
    world.clock.advance(1)
    expect((await world.track(body, withKey('again'))).status).toBe(200)
  })

  test('is of one project', async () => {
    const other = await makeProject(world)
    expect((await world.track(body, withKey('both'))).status).toBe(200)
    expect((await world.track(body, { key: other.publicKey, ...withKey('both') })).status).toBe(200)
  })

  for (const key of ['', 'x'.repeat(256), 'tab\tstop', 'é'])
    test(`is 400 when it is ${JSON.stringify(key.slice(0, 10))}`, async () => {
      const answer = await untouched(() => world.track(body, withKey(key)))
      expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST'])
    })
})

describe('POST /events/track', () => {
  test('takes a name and the id of a contact', async () => {
    const { body: made } = await world.track({ email: 'a@example.com', event: 'first' })
    const answer = await world.call('POST', '/events/track', {
      body: {
        name: 'second',
        contactId: made.data.contact,
        subscribed: false,
        data: { plan: 'pro', gone: null },
      },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({
      contact: made.data.contact,
      event: (await world.events()).at(-1)!.id,
      timestamp: world.clock.now().toISOString(),
    })
    expect(await names()).toEqual(['first', 'contact.unsubscribed', 'second'])
    expect(await world.contact('a@example.com')).toMatchObject({ subscribed: false, data: { plan: 'pro' } })
  })

  test('is 404 for an id that is no contact of the project, and leaves nothing', async () => {
    const { body: made } = await world.track({ email: 'a@example.com', event: 'first' })
    await world.startOver()
    for (const contactId of [unknownId, made.data.contact]) {
      const answer = await untouched(() =>
        world.call('POST', '/events/track', {
          body: { name: 'e', contactId },
          headers: { 'idempotency-key': 'free' },
        }),
      )
      expect([answer.status, answer.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND'])
    }
  })

  test('refuses reserved names in this form too', async () => {
    const { body: made } = await world.track({ email: 'a@example.com', event: 'first' })
    const body = { name: 'email.bounce', contactId: made.data.contact }
    const answer = await untouched(() => world.call('POST', '/events/track', { body }))
    expect([answer.status, answer.body.error.errors[0]]).toMatchObject([
      422,
      { field: 'name', code: 'reserved_event' },
    ])
  })

  test('refuses an id that is none', async () => {
    const answer = await untouched(() =>
      world.call('POST', '/events/track', { body: { name: 'e', contactId: 'x' } }),
    )
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, 'contactId'])
  })
})

describe('fifty requests at once', () => {
  test('share one transaction: the first does not have one to itself', async () => {
    const answers = await Promise.all(
      many(n => world.track({ email: `together-${n}@example.com`, event: 'e' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [row] = await world.ctx.sql<{ count: number }[]>`
      select count(distinct xmin::text)::int as count from events where project_id = ${world.project.id}`
    expect(row!.count).toBe(1)
  })

  const many = <T>(make: (n: number) => T): T[] => Array.from({ length: 50 }, (_, n) => make(n))

  test('see a new address first: one contact, all their data, fifty events', async () => {
    const answers = await Promise.all(
      many(n => world.track({ email: 'New@example.com', event: 'visit', data: { [`k${n}`]: n } })),
    )
    expect(answers.map(answer => answer.status)).toEqual(many(() => 200))
    expect(new Set(answers.map(answer => answer.body.data.contact)).size).toBe(1)
    expect(new Set(answers.map(answer => answer.body.data.event)).size).toBe(50)
    expect(Object.keys((await world.contact('new@example.com'))!.data)).toHaveLength(50)
    expect(await names()).toEqual(many(() => 'visit'))
  })

  test('flip a subscription: exactly one event of that, before theirs', async () => {
    await world.track({ email: 'a@example.com', event: 'first' })
    await Promise.all(many(() => world.track({ email: 'a@example.com', event: 'bye', subscribed: false })))
    expect(await names()).toEqual(['first', 'contact.unsubscribed', ...many(() => 'bye')])
  })

  test('contradict each other: every change is recorded, and they alternate', async () => {
    await world.track({ email: 'a@example.com', event: 'first', subscribed: true })
    await Promise.all(many(n => world.track({ email: 'a@example.com', event: 'e', subscribed: n % 2 === 1 })))
    const flips = (await names()).filter(name => name.startsWith('contact.'))
    expect(flips.length).toBeGreaterThan(0)
    const alternating = flips.map((_, index) =>
      index % 2 === 0 ? 'contact.unsubscribed' : 'contact.subscribed',
    )
    expect(flips).toEqual(alternating)
    const { subscribed } = (await world.contact('a@example.com'))!
    expect(flips.at(-1)).toBe(subscribed ? 'contact.subscribed' : 'contact.unsubscribed')
  })

  test('carry one key: exactly one is performed', async () => {
    const answers = await Promise.all(
      many(n =>
        world.track({ email: `p${n}@example.com`, event: 'e' }, { headers: { 'idempotency-key': 'one' } }),
      ),
    )
    const performed = answers.filter(answer => answer.status === 200)
    expect(performed).toHaveLength(1)
    expect(answers.filter(answer => answer.status === 409)).toHaveLength(49)
    expect(await names()).toEqual(['e'])
  })

  test('carry one key on both routes: exactly one of each is performed', async () => {
    const { body: made } = await world.track({ email: 'a@example.com', event: 'first' })
    const headers = { 'idempotency-key': 'two ways' }
    const answers = await Promise.all(
      many(n =>
        n % 2 === 0
          ? world.track({ email: 'a@example.com', event: 'e' }, { headers })
          : world.call('POST', '/events/track', {
              headers,
              body: { name: 'e', contactId: made.data.contact },
            }),
      ),
    )
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(2)
    expect(await names()).toEqual(['first', 'e', 'e'])
  })

  test('are harmed by no bad neighbour', async () => {
    await world.track({ email: 'full@example.com', event: 'first', data: { x: 'x'.repeat(60_000) } })
    const answers = await Promise.all(
      many(n =>
        n % 10 === 3
          ? world.track({ email: 'full@example.com', event: 'bad', data: { y: 'y'.repeat(10_000) } })
          : world.track({ email: `ok${n}@example.com`, event: 'good' }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(many(n => (n % 10 === 3 ? 422 : 200)))
    expect((await names()).filter(name => name === 'good')).toHaveLength(45)
    expect(await names()).not.toContain('bad')
  })

  test('of several projects keep apart', async () => {
    const others = [world.project, await makeProject(world), await makeProject(world)]
    const answers = await Promise.all(
      many(n =>
        world.track({ email: 'same@example.com', event: `e${n % 3}` }, { key: others[n % 3]!.publicKey }),
      ),
    )
    expect(new Set(answers.map(answer => answer.body.data.contact)).size).toBe(3)
    for (const [n, project] of others.entries()) {
      const rows = await world.ctx.sql`select distinct name from events where project_id = ${project.id}`
      expect(rows.map(row => row.name)).toEqual([`e${n}`])
    }
  })

  test('route each event once where somebody listens', async () => {
    await setListener(world.ctx, world.project.id, world.ctx.random.uuid(world.clock.now()), ['heard'])
    const answers = await Promise.all(
      many(n => world.track({ email: `p${n % 5}@example.com`, event: n % 2 === 0 ? 'heard' : 'unheard' })),
    )
    const heard = answers.filter((_, n) => n % 2 === 0).map(answer => answer.body.data.event as string)
    expect((await routed()).toSorted()).toEqual(heard.toSorted())
  })
})

test('an event and its routing are there together or not at all', async () => {
  await setListener(world.ctx, world.project.id, world.ctx.random.uuid(world.clock.now()), ['e'])
  await world.ctx.sql`alter table jobs rename to jobs_away`
  const answer = await world.track(
    { email: 'a@example.com', event: 'e' },
    { headers: { 'idempotency-key': 'k' } },
  )
  await world.ctx.sql`alter table jobs_away rename to jobs`
  expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  expect(JSON.stringify(answer.body)).not.toContain('jobs')
  expect([await names(), await world.contact('a@example.com')]).toEqual([[], undefined])
  expect(
    (await world.track({ email: 'a@example.com', event: 'e' }, { headers: { 'idempotency-key': 'k' } }))
      .status,
  ).toBe(200)
  expect(await routed()).toHaveLength(1)
})

test('no JSON whatsoever is answered with a 5xx', async () => {
  const text = fc.oneof(
    fc.constantFrom('a@example.com', 'e', 'email.x', '', '\ud800', 'a\0'),
    fc.string({ unit: anyCharacter }),
  )
  const member = fc.oneof({ weight: 2, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() })
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        email: member,
        event: member,
        name: member,
        contactId: member,
        subscribed: member,
        data: fc.oneof(fc.jsonValue(), fc.dictionary(text, fc.jsonValue())),
      },
      { requiredKeys: [] },
    ),
    fc.record({
      email: fc.constant('a@example.com'),
      event: text,
      data: fc.dictionary(text, fc.jsonValue()),
    }),
  )
  await fc.assert(
    fc.asyncProperty(body, async given => {
      const [track, alias] = await Promise.all([
        world.track(JSON.stringify(given)),
        world.call('POST', '/events/track', { body: JSON.stringify(given) }),
      ])
      expect(track.status).toBeLessThan(500)
      expect(alias.status).toBeLessThan(500)
    }),
    { numRuns: 300 },
  )
})
