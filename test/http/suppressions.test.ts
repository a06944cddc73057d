// The list of suppressed addresses: what is on it, what it stops, and how an address gets off it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'

let world: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld()
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(() => world.close())

const add = (emails: unknown, note?: string) =>
  world.call('POST', '/suppressions', { body: { emails, ...(note === undefined ? {} : { note }) } })
const addresses = async (query = ''): Promise<string[]> => {
  const { body } = await world.call('GET', `/suppressions${query}`)
  return body.data.map((row: { email: string }) => row.email)
}

test('added addresses get nothing, until they are taken off', async () => {
  expect(await add(['Ada@Example.com', 'ada@example.com'], 'asked by phone')).toMatchObject({
    status: 201,
    body: { added: 1, existing: 0 },
  })
  expect((await world.call('GET', '/suppressions')).body).toMatchObject({
    data: [{ email: 'ada@example.com', reason: 'manual', source: 'asked by phone', emailId: null }],
    total: 1,
    hasMore: false,
  })
  const id = await world.sendOne()
  await world.drain()
  expect(await world.email(id)).toMatchObject({
    status: 'FAILED',
    error: expect.stringContaining('suppressed'),
  })
  expect((await world.call('DELETE', '/suppressions/Ada%40example.com')).status).toBe(204)
  const next = await world.sendOne()
  await world.drain()
  expect((await world.email(next)).status).toBe('DELIVERED')
})

test('a bounced address may be written to again, and its contact stays unsubscribed', async () => {
  const { id, providerId } = await world.sent()
  await world.tell('Bounce', providerId, { bounceType: 'Permanent' })
  expect((await world.call('GET', '/suppressions')).body.data).toMatchObject([
    { email: 'ada@example.com', reason: 'bounce', emailId: id },
  ])
  expect((await world.call('DELETE', '/suppressions/ada@example.com')).status).toBe(204)
  expect(await addresses()).toEqual([])
  expect((await world.contact()).subscribed).toBe(false)
})

test('an address keeps the reason that it has', async () => {
  const { providerId } = await world.sent()
  await world.tell('Complaint', providerId)
  expect((await add(['ada@example.com', 'b@example.com'])).body).toEqual({ added: 1, existing: 1 })
  expect(await addresses('?reason=complaint')).toEqual(['ada@example.com'])
  expect(await addresses('?reason=manual')).toEqual(['b@example.com'])
})

test('pages lead through the whole list, newest first, without gaps', async () => {
  const all: string[] = []
  for (let batch = 0; batch < 3; batch++) {
    const emails = Array.from({ length: 15 }, (_, n) => `p${batch}-${String(n).padStart(2, '0')}@example.com`)
    await add(emails)
    all.unshift(...emails)
    world.clock.advance(1_000)
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await world.call('GET', `/suppressions?limit=7&cursor=${cursor}`)
    seen.push(...body.data.map((row: { email: string }) => row.email))
    cursor = body.cursor
  }
  expect(seen).toEqual(all)
  expect(await addresses('?email=P1-03@example.com')).toEqual(['p1-03@example.com'])
})

test.each<[string, number, unknown]>([
  ['an empty list', 400, []],
  ['no list', 422, undefined],
  ['a text', 422, 'ada@example.com'],
  ['what is no address', 422, ['no address']],
  ['half an address', 422, ['a@example.com', 'b@']],
  ['too many', 422, Array.from({ length: 1_001 }, (_, n) => `a${n}@example.com`)],
])('to add %s is refused (%p)', async (_, status, emails) => {
  expect((await add(emails)).status).toBe(status)
  expect(await addresses()).toEqual([])
})

test.each(['x', Buffer.from('["nonsense","00000000-0000-0000-0000-000000000000"]').toString('base64url')])(
  'the cursor %p is 400',
  async cursor => {
    expect((await world.call('GET', `/suppressions?cursor=${cursor}`)).status).toBe(400)
  },
)

test('an unknown reason is 400, an address that is not listed 404', async () => {
  expect((await world.call('GET', '/suppressions?reason=other')).status).toBe(400)
  expect((await world.call('DELETE', '/suppressions/nobody@example.com')).status).toBe(404)
})

test("another project's list is its own", async () => {
  await add(['ada@example.com'])
  const mine = world.project
  world.project = await world.newProject()
  expect(await addresses()).toEqual([])
  expect((await world.call('DELETE', '/suppressions/ada@example.com')).status).toBe(404)
  world.project = mine
  expect(await addresses()).toEqual(['ada@example.com'])
})

test('a public key, no key and a disabled project change nothing', async () => {
  const { publicKey } = world.project
  const body = { emails: ['ada@example.com'] }
  expect((await world.call('POST', '/suppressions', { body, key: publicKey })).status).toBe(401)
  expect((await world.call('GET', '/suppressions', { key: '' })).status).toBe(401)
  await world.ctx.sql`update projects set disabled = true where id = ${world.project.id}`
  expect((await world.call('POST', '/suppressions', { body })).status).toBe(403)
  expect((await world.call('GET', '/suppressions')).status).toBe(200)
})

test('the audit log says who added and removed', async () => {
  await add(['ada@example.com'])
  await world.call('DELETE', '/suppressions/ada@example.com')
  const rows = await world.ctx.sql`
    select action, subject, details, actor from audit_log
     where project_id = ${world.project.id} and action like 'suppression.%' order by id`
  const actor = world.project.secretKey.slice(0, 11)
  expect([...rows]).toEqual([
    { action: 'suppression.added', subject: null, details: { count: 1, first: 'ada@example.com' }, actor },
    { action: 'suppression.removed', subject: 'ada@example.com', details: { reason: 'manual' }, actor },
  ])
})
