// The receivers for everybody but Amazon: reports in JSON and reports that came as mail, both signed with the instance's secret.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { reportKinds } from '../../src/modules/sending/feedback/report'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { arf, type DsnOptions, dsn } from '../support/dsn'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { type Answer, request } from '../support/request'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

let world: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld({ feedbackWebhookSecret: secret })
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

let counter = 0

interface Signing {
  id?: string
  sentAt?: Date
  secret?: string
}

function post(path: string, body: string, signing: Signing = {}): Promise<Answer> {
  const sentAt = signing.sentAt ?? world.ctx.clock.now()
  const id = signing.id ?? `call-${++counter}`
  const headers = signatureHeaders(signing.secret ?? secret, { id, sentAt, body })
  const type = path === '/webhooks/bounce' ? 'application/json' : 'message/rfc822'
  return request(world.app, 'POST', path, { body, headers: { ...headers, 'content-type': type } })
}

const report = (reports: unknown, signing?: Signing): Promise<Answer> =>
  post('/webhooks/bounce', JSON.stringify({ reports }), signing)

async function delivered(body: Record<string, unknown> = {}): Promise<{ id: string; messageId: string }> {
  const id = await world.sendOne({ subscribed: true, ...body })
  await world.drain()
  return { id, messageId: (await world.email(id)).messageId }
}

const suppressed = async (): Promise<unknown[]> => {
  const rows = await world.ctx
    .sql`select email, reason from suppressions where project_id = ${world.project.id}`
  return [...rows]
}

describe('reports in JSON', () => {
  test('are about messages by id, Message-ID, provider id or recipient', async () => {
    const [one, two, last] = [
      await delivered(),
      await delivered({ to: 'b@example.com' }),
      await delivered({ to: 'c@example.com' }),
    ]
    const { id, providerId } = await world.sent({ to: 'd@example.com' })
    const answer = await report([
      { type: 'opened', emailId: one.id },
      { type: 'bounced', messageId: two.messageId, reason: '550 no such user' },
      { type: 'delivered', messageId: providerId, at: '2026-03-01T11:59:59Z' },
      {
        type: 'clicked',
        recipient: 'C@example.com',
        projectId: world.project.id,
        link: 'https://example.com',
      },
    ])
    expect(answer).toMatchObject({ status: 200, body: { success: true, applied: 4, unknown: [] } })
    const statuses = [one.id, two.id, id, last.id].map(async each => (await world.email(each)).status)
    expect(await Promise.all(statuses)).toEqual(['OPENED', 'BOUNCED', 'DELIVERED', 'CLICKED'])
    expect(await suppressed()).toEqual([{ email: 'b@example.com', reason: 'bounce' }])
  })

  test('about unknown messages are told apart and do not hold up the rest', async () => {
    const { id, messageId } = await delivered()
    const answer = await report([
      { type: 'opened', emailId: crypto.randomUUID() },
      { type: 'opened', messageId: messageId.replace('@', '@x') },
      { type: 'opened', recipient: 'nobody@example.com', projectId: world.project.id },
      { type: 'opened', emailId: id },
      { type: 'opened', recipient: 'ada@example.com', projectId: crypto.randomUUID() },
    ])
    expect(answer.body).toEqual({ success: true, applied: 1, unknown: [0, 1, 2, 4] })
  })

  test('several about one message are put together in their order of time', async () => {
    const { id } = await world.sent()
    await report([
      { type: 'clicked', emailId: id, link: 'https://a.example', at: '2026-03-01T11:59:30Z' },
      { type: 'opened', emailId: id, at: '2026-03-01T11:59:20Z' },
      { type: 'opened', emailId: id, at: '2026-03-01T11:59:10Z' },
      { type: 'opened', emailId: id, machine: true, at: '2026-03-01T11:59:05Z' },
      { type: 'delivered', emailId: id, at: '2026-03-01T11:59:00Z' },
    ])
    expect(await world.email(id)).toMatchObject({
      ...{ status: 'CLICKED', opens: 2, clicks: 1 },
      ...{ openedAt: '2026-03-01T11:59:10.000Z', deliveredAt: '2026-03-01T11:59:00.000Z' },
    })
    expect(await world.eventNames()).toEqual(['email.sent', 'email.delivery', 'email.open', 'email.click'])
    expect((await world.row(id)).machine_opens).toBe(1)
  })

  test('take effect once for one webhook-id', async () => {
    const { id } = await delivered()
    const reports = [{ type: 'opened', emailId: id }]
    expect((await report(reports, { id: 'same' })).body).toMatchObject({ applied: 1 })
    expect((await report(reports, { id: 'same' })).body).toEqual({ success: true, duplicate: true })
    expect((await world.email(id)).opens).toBe(1)
  })

  test('carry any words safely', async () => {
    const { id } = await delivered()
    const answer = await report([{ type: 'bounced', emailId: id, reason: 'NUL \0, half \ud800 and <b>' }])
    expect(answer.status).toBe(200)
    expect((await world.email(id)).error).toBe('NUL , half \ufffd and <b>')
  })

  test.each<[string, unknown]>([
    ['no list', {}],
    ['an empty list', { reports: [] }],
    [
      'too many',
      { reports: Array.from({ length: 1_001 }, () => ({ type: 'opened', emailId: crypto.randomUUID() })) },
    ],
    ['an unknown type', { reports: [{ type: 'seen', emailId: crypto.randomUUID() }] }],
    ['no name', { reports: [{ type: 'opened' }] }],
    ['two names', { reports: [{ type: 'opened', emailId: crypto.randomUUID(), messageId: 'x' }] }],
    ['a recipient without project', { reports: [{ type: 'opened', recipient: 'a@example.com' }] }],
    ['a wrong date', { reports: [{ type: 'opened', emailId: crypto.randomUUID(), at: 'soon' }] }],
    [
      'a long reason',
      { reports: [{ type: 'bounced', emailId: crypto.randomUUID(), reason: 'x'.repeat(1_001) }] },
    ],
    ['an unknown member', { reports: [{ type: 'opened', emailId: crypto.randomUUID(), when: 1 }] }],
  ])('with %s are 422', async (_, body) => {
    const answer = await post('/webhooks/bounce', JSON.stringify(body))
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
    expect(answer.body.error.errors.length).toBeGreaterThan(0)
  })

  test('that can not be read are named, and do not hold up the others', async () => {
    const { id } = await delivered()
    const answer = await report([
      { type: 'seen', emailId: id },
      { type: 'opened', emailId: '42' },
      'opened',
      { type: 'opened', emailId: crypto.randomUUID() },
      { type: 'opened', emailId: id },
      { type: 'opened', emailId: id, at: 'soon' },
    ])
    expect(answer).toMatchObject({ status: 200, body: { success: true, applied: 1, unknown: [3] } })
    expect(answer.body.invalid).toEqual([
      { field: 'reports.0.type', message: expect.stringContaining(reportKinds.join(', ')) },
      { field: 'reports.1.emailId', message: 'Must be a UUID' },
      { field: 'reports.2', message: expect.stringContaining('object') },
      { field: 'reports.5.at', message: 'Must be a date' },
    ])
    expect((await world.email(id)).opens).toBe(1)
  })

  test('of an unknown type hear which types there are', async () => {
    const { body } = await report([{ type: 'seen', emailId: crypto.randomUUID() }])
    expect(body.error.errors).toMatchObject([{ field: 'reports.0.type' }])
    for (const kind of reportKinds) expect(body.error.errors[0].message).toContain(kind)
  })

  test('that are no JSON are 400', async () => {
    expect((await post('/webhooks/bounce', '{')).status).toBe(400)
  })
})

describe('a call', () => {
  test.each<[string, Signing]>([
    ['signed with another secret', { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }],
    ['of ten minutes ago', { sentAt: new Date('2026-03-01T11:50:00Z') }],
    ['of the future', { sentAt: new Date('2026-03-01T12:10:00Z') }],
    ['with a very long id', { id: 'x'.repeat(300) }],
  ])('%s is 403 and changes nothing', async (_, signing) => {
    const { id } = await delivered()
    expect((await report([{ type: 'opened', emailId: id }], signing)).status).toBe(403)
    expect((await world.email(id)).status).toBe('DELIVERED')
  })

  test('without a signature is 403', async () => {
    for (const path of ['/webhooks/bounce', '/webhooks/dsn'])
      expect((await request(world.app, 'POST', path, { body: '{}' })).status).toBe(403)
  })

  test('is 403 where no secret is set', async () => {
    const fresh = await makeFeedbackWorld()
    const answer = await request(fresh.app, 'POST', '/webhooks/dsn', { body: 'x' })
    expect(answer.body.error.message).toContain('FEEDBACK_WEBHOOK_SECRET')
    await fresh.close()
  })

  test('that is too long is 413', async () => {
    expect((await post('/webhooks/bounce', 'x'.repeat(2 * 1024 ** 2 + 1))).status).toBe(413)
    expect((await post('/webhooks/dsn', 'x'.repeat(5 * 1024 ** 2 + 1))).status).toBe(413)
  })
})

describe('a report that came as mail', () => {
  const returned = async (options: Partial<DsnOptions>): Promise<{ id: string; answer: Answer }> => {
    const { id, messageId } = await delivered()
    return { id, answer: await post('/webhooks/dsn', dsn({ messageId, ...options })) }
  }

  test('of an address that is gone bounces and suppresses, although the relay had accepted', async () => {
    const { id, answer } = await returned({})
    expect(answer.body).toEqual({ success: true, applied: 1, unknown: [] })
    expect(await world.email(id)).toMatchObject({
      status: 'BOUNCED',
      bouncedAt: '2026-03-01T11:59:30.000Z',
      error: '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown',
    })
    expect(await suppressed()).toEqual([{ email: 'ada@example.com', reason: 'bounce' }])
    expect((await world.contact()).subscribed).toBe(false)
  })

  test.each<[string, Partial<DsnOptions>]>([
    ['with the header only', { original: 'text/rfc822-headers' }],
    ['with 5.0.0 and a better code in the words', { status: '5.0.0' }],
    ['with 5.0.0 and a plain code', { status: '5.0.0', diagnostic: 'smtp; 550 No such user here' }],
    ['with a comment behind the status', { status: '5.1.1 (bad destination)' }],
    ['whose mailbox is disabled', { status: '5.2.1', diagnostic: 'smtp; 554 5.2.1 disabled' }],
  ])('%s suppresses', async (_, options) => {
    const { id } = await returned(options)
    expect((await world.email(id)).status).toBe('BOUNCED')
    expect(await suppressed()).toHaveLength(1)
  })

  test.each<[string, Partial<DsnOptions>]>([
    ['for its content', { status: '5.7.1', diagnostic: 'smtp; 550 5.7.1 spam' }],
    ['for its size', { status: '5.3.4', diagnostic: 'smtp; 552 5.3.4 too big' }],
    ['for the relay', { status: '5.0.0', diagnostic: 'smtp; 550 relay not permitted' }],
    ['for its sender', { status: '5.1.8', diagnostic: 'smtp; 550 5.1.8 bad sender' }],
  ])('of a message refused %s is FAILED, and its address stays good', async (_, options) => {
    const { id } = await returned(options)
    expect((await world.email(id)).status).toBe('FAILED')
    expect(await suppressed()).toEqual([])
    expect((await world.contact()).subscribed).toBe(true)
  })

  test('of a full mailbox is a soft bounce', async () => {
    const { id } = await returned({ status: '4.2.2', diagnostic: 'smtp; 452 4.2.2 full' })
    expect((await world.email(id)).status).toBe('BOUNCED')
    expect((await world.events()).at(-1)).toMatchObject({
      name: 'email.bounce',
      data: { transientBounce: true },
    })
    expect(await suppressed()).toEqual([])
  })

  test.each(['delayed', 'relayed', 'expanded', 'nonsense'])(
    'of a message that is %s changes nothing',
    async action => {
      const { id, answer } = await returned({ action, status: '4.0.0' })
      expect(answer).toMatchObject({ status: 200, body: { applied: 0 } })
      expect((await world.email(id)).status).toBe('DELIVERED')
    },
  )

  test('names the message in its own header where nothing is returned', async () => {
    const { id, messageId } = await delivered()
    await post(
      '/webhooks/dsn',
      dsn({ messageId: '', original: 'none', headers: [`In-Reply-To: ${messageId}`] }),
    )
    expect((await world.email(id)).status).toBe('BOUNCED')
  })

  test('of a complaint that proves nothing suppresses that one address, and counts nowhere', async () => {
    const { id, messageId } = await delivered()
    await post('/webhooks/dsn', arf(messageId))
    expect((await world.email(id)).status).toBe('DELIVERED')
    expect(await world.eventNames()).not.toContain('email.complaint')
    expect((await world.contact()).subscribed).toBe(false)
    expect(await suppressed()).toEqual([{ email: 'ada@example.com', reason: 'complaint' }])
  })

  test('that a message is no spam is no complaint', async () => {
    const { id, messageId } = await delivered()
    expect((await post('/webhooks/dsn', arf(messageId, 'not-spam'))).body).toMatchObject({ applied: 0 })
    expect((await world.email(id)).status).toBe('DELIVERED')
  })

  test.each([
    ['about mail that is not ours', dsn({ messageId: '<abc@elsewhere.example>' })],
    ['about a message that never was', dsn({ messageId: `<${crypto.randomUUID()}@acme.example>` })],
    ['that is an ordinary letter', 'From: a@b.example\r\nSubject: Hi\r\n\r\nHello'],
    ['that is empty', ''],
    ['that is no mail at all', '\0\u0001\u0002'.repeat(100)],
  ])('%s is taken and forgotten', async (_, raw) => {
    const answer = await post('/webhooks/dsn', raw)
    expect(answer).toMatchObject({ status: 200, body: { success: true, applied: 0 } })
  })

  test('that is built to explode is refused or forgotten, quickly', async () => {
    const nested = Array.from(
      { length: 3_000 },
      (_, n) => `Content-Type: multipart/report; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    const many = `Content-Type: multipart/report; boundary=b\r\n\r\n${'--b\r\nContent-Type: message/delivery-status\r\n\r\nA: b\r\n\r\n'.repeat(20_000)}`
    const long = dsn({ messageId: '<x@y.example>' }).replace(
      'Action: failed',
      `${'Action: failed\r\n\r\n'.repeat(50_000)}`,
    )
    const before = process.threadCpuUsage()
    for (const raw of [nested.join(''), many, long])
      expect([200, 400]).toContain((await post('/webhooks/dsn', raw)).status)
    // Of the processor: what explodes takes minutes.
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(3_000)
  })
})
