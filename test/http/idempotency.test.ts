// Idempotency-Key on POST /v1/send: a request is performed at most once, and a request that was not performed blocks nothing.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hour } from '../../src/lib/time'
import { claimKeys } from '../../src/modules/api/v1/queries'
import { pruneIdempotencyKeys } from '../../src/modules/api/v1/service'
import type { Answer } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

let counter = 0
const newKey = (): string => `key ${counter++}`

function send(
  key: string,
  body: Record<string, unknown> = {},
  secretKey = world.project.secretKey,
): Promise<Answer> {
  return world.send(
    { to: 'ada@example.com', ...body },
    { key: secretKey, headers: { 'idempotency-key': key } },
  )
}

async function countEmails(subject: string): Promise<number> {
  const [row] = await world.ctx.sql`select count(*)::int as count from emails where subject = ${subject}`
  return row!.count
}

const isKept = async (key: string): Promise<boolean> =>
  (await world.ctx.sql`select 1 from idempotency_keys where key = ${key}`).length > 0

describe('a key', () => {
  test('lets the first request through and refuses the second, with what the first one was', async () => {
    const key = newKey()
    const at = world.clock.now().toISOString()
    const first = await send(key, { subject: 'once' })
    expect(first.status).toBe(200)
    world.clock.advance(1_000)
    const { status, body } = await send(key, { subject: 'once' })
    expect([status, body.error.code, body.error.statusCode]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED', 409])
    expect(body.error.details).toEqual({
      key,
      originalRequest: 'POST /v1/send',
      originalRequestAt: at,
      originalStatusCode: 200,
      sameRequest: true,
      originalResult: { emails: [first.body.data.emails[0].email] },
    })
    expect(body.error.suggestion).toContain('new key')
    expect(await countEmails('once')).toBe(1)
  })

  test('is refused with another body too', async () => {
    const key = newKey()
    await send(key, { subject: 'mine' })
    const { status, body } = await send(key, { subject: 'other body', to: 'bob@example.com' })
    expect([status, body.error.details.sameRequest]).toEqual([409, false])
    expect(body.error.message).toContain('for a different request, so this request was not performed')
    expect(body.error.suggestion).toContain('new key')
    expect(await countEmails('other body')).toBe(0)
  })

  test('says of a repetition whether it says the same, whatever the order of its members', async () => {
    const key = newKey()
    const long = 'x'.repeat(2_000)
    await send(key, { data: { a: 1, b: { c: long, d: [1, 2] } } })
    const again = async (data: object) => (await send(key, { data })).body.error.details.sameRequest
    expect(await again({ b: { d: [1, 2], c: long }, a: 1 })).toBe(true)
    expect(await again({ a: 1, b: { c: `${long}y`, d: [1, 2] } })).toBe(false)
    expect(await again({ a: 1, b: { c: long, d: [2, 1] } })).toBe(false)
    expect(await again({ a: '1', b: { c: long, d: [1, 2] } })).toBe(false)
  })

  test('lets exactly one of fifty requests through that come at once', async () => {
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        send(key, { subject: 'race', to: `r${n}@example.com`, data: { n } }),
      ),
    )
    const statuses = answers.map(answer => answer.status)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(statuses.filter(status => status === 409)).toHaveLength(49)
    expect(await countEmails('race')).toBe(1)
    const contacts = await world.ctx.sql`
      select email from contacts where project_id = ${world.project.id} and email like 'r%@example.com'`
    expect(contacts).toHaveLength(1)
  })

  test('stands for one project only', async () => {
    const key = newKey()
    const other = await world.newProject()
    const answers = await Promise.all([send(key), send(key, {}, other.secretKey)])
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
  })

  test('is shared by the endpoints: one used elsewhere is used', async () => {
    const key = newKey()
    const result = { event: 'x' }
    await claimKeys(
      world.ctx,
      [
        {
          projectId: world.project.id,
          byPublicKey: false,
          key,
          path: '/events/track',
          requestHash: '1',
          result,
        },
      ],
      hour,
    )
    const { status, body } = await send(key, { subject: 'tracked' })
    expect([status, body.error.details.originalRequest]).toEqual([409, 'POST /events/track'])
    expect(await countEmails('tracked')).toBe(0)
  })

  test('leaves requests without a key alone', async () => {
    for (let n = 0; n < 2; n++) expect((await world.send({ to: 'ada@example.com' })).status).toBe(200)
  })

  test('is free again after 24 hours, for one request, whether it was cleaned up or not', async () => {
    const key = newKey()
    await send(key)
    world.clock.advance(24 * hour - 1)
    expect((await send(key)).status).toBe(409)
    world.clock.advance(1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(key)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('is forgotten by the job once its time is over, and not before', async () => {
    const [old, young] = [newKey(), newKey()]
    await send(old)
    world.clock.advance(12 * hour)
    await send(young)
    await pruneIdempotencyKeys(world.ctx)
    expect([await isKept(old), await isKept(young)]).toEqual([true, true])
    world.clock.advance(12 * hour)
    expect(await pruneIdempotencyKeys(world.ctx)).toBeGreaterThan(0)
    expect([await isKept(old), await isKept(young)]).toEqual([false, true])
  })
})

describe('a request that is not performed', () => {
  const rows: Array<[string, Record<string, unknown>, number]> = [
    ['a faulty one', { to: 'nobody' }, 422],
    ['one from a foreign domain', { from: 'me@nowhere.com' }, 403],
    ['one with an unknown template', { template: '018f4f3e-0000-7000-8000-000000000000' }, 404],
    ['one without sender', { from: undefined }, 422],
  ]
  for (const [name, body, expected] of rows)
    test(`does not use its key up: ${name}`, async () => {
      const key = newKey()
      expect((await send(key, body)).status).toBe(expected)
      expect(await isKept(key)).toBe(false)
      expect((await send(key)).status).toBe(200)
    })

  test('nor one that only the database refuses', async () => {
    const key = newKey()
    await world.send({ to: 'full@example.com', data: { a: 'x'.repeat(60_000) } })
    expect((await send(key, { to: 'full@example.com', data: { b: 'x'.repeat(9_000) } })).status).toBe(422)
    expect(await isKept(key)).toBe(false)
    expect((await send(key, { to: 'full@example.com' })).status).toBe(200)
  })

  test('does not spoil the key for a good one that comes at the same time', async () => {
    const key = newKey()
    await world.send({ to: 'brim@example.com', data: { a: 'x'.repeat(60_000) } })
    const bad = { to: 'brim@example.com', data: { b: 'x'.repeat(9_000) } }
    const answers = await Promise.all([
      send(newKey()),
      send(newKey()),
      send(newKey()),
      send(key, bad),
      send(key),
    ])
    const [refused, performed] = answers.slice(3)
    expect(performed!.status).toBe(200)
    // Whichever is looked at first: the fault, or that the good one has the key already.
    expect([422, 409]).toContain(refused!.status)
  })
})

describe('a header that is no key', () => {
  for (const [name, key] of [
    ['an empty one', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a tab inside', 'a\tb'],
    ['other than ASCII', 'clé'],
  ] as const)
    test(`is 400: ${name}`, async () => {
      const before = await countEmails('bad key')
      const { status, body } = await send(key, { subject: 'bad key', from: sender })
      expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
      expect(await countEmails('bad key')).toBe(before)
      expect(await isKept(key)).toBe(false)
    })

  test('of 255 characters is one', async () => {
    expect((await send('y'.repeat(255))).status).toBe(200)
  })
})
