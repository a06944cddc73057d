// POST /v1/send/batch: many different messages, an answer for each, and what a repeated list does.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(() => world.mail.clear())
afterAll(() => world.close())

const letter = (n: number, more: Record<string, unknown> = {}) => ({
  to: `ada-${n}@example.com`,
  from: sender,
  subject: `Letter ${n}`,
  body: `<p>${n}</p>`,
  ...more,
})
const post = (messages: unknown, headers: Record<string, string> = {}) =>
  world.call('POST', '/v1/send/batch', { body: { messages }, headers })
const statuses = (body: { data: { results: Array<{ statusCode: number }> } }) =>
  body.data.results.map(({ statusCode }) => statusCode)

test('each message is answered in its place, and leaves', async () => {
  const { status, body } = await post(Array.from({ length: 100 }, (_, n) => letter(n)))
  expect([status, body.success, body.data.results.length]).toEqual([200, true, 100])
  expect(body.data.results[7]).toEqual({
    success: true,
    statusCode: 200,
    data: {
      emails: [
        { contact: { id: expect.any(String), email: 'ada-7@example.com' }, email: expect.any(String) },
      ],
      timestamp: expect.any(String),
    },
  })
  await world.drain()
  const subjects = (await world.received()).map(mail => mail.subject)
  expect(new Set(subjects).size).toBe(100)
})

test('a faulty one is told so, and costs the others nothing', async () => {
  const { status, body } = await post([
    letter(1),
    letter(2, { to: 'nobody' }),
    letter(3, { from: 'a@other.example' }),
    letter(4, { html: '<p>x</p>' }),
    letter(5, { subject: 5 }),
    'a text',
    letter(7),
  ])
  expect([status, ...statuses(body)]).toEqual([200, 200, 422, 403, 422, 422, 422, 200])
  expect(body.data.results[1].error).toMatchObject({
    code: 'VALIDATION_ERROR',
    statusCode: 422,
    errors: [{ field: 'to' }],
    requestId: expect.any(String),
  })
  await world.drain()
  expect(world.mail.sent.map(({ envelope }) => envelope.to).sort()).toEqual([
    'ada-1@example.com',
    'ada-7@example.com',
  ])
})

describe('with an Idempotency-Key', () => {
  test('the same list again sends only what was not accepted', async () => {
    const key = { 'idempotency-key': 'nightly' }
    const first = await post([letter(1), letter(2, { to: 'nobody' })], key)
    expect(statuses(first.body)).toEqual([200, 422])
    const again = await post([letter(1), letter(2)], key)
    expect(statuses(again.body)).toEqual([409, 200])
    expect(again.body.data.results[0].error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { originalResult: { emails: [first.body.data.results[0].data.emails[0].email] } },
    })
  })

  test('that is none, nothing is done', async () => {
    expect((await post([letter(1)], { 'idempotency-key': 'ä' })).status).toBe(400)
  })
})

test.each([[[]], [Array.from({ length: 101 }, (_, n) => letter(n))], ['x'], [undefined]])(
  'a list of no or too many messages is refused',
  async messages => {
    const { status, body } = await post(messages)
    expect([status, body.error.errors[0].field]).toEqual([422, 'messages'])
  },
)

test('a wrong key is 401, and the public one, too', async () => {
  const body = { messages: [letter(1)] }
  for (const key of ['sk_nonsense', world.project.publicKey])
    expect((await world.call('POST', '/v1/send/batch', { body, key })).status).toBe(401)
})
