// Drafts of campaigns through the API: the documented statuses and bodies, and the wall between projects.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { campaignsRoutes } from '../../src/modules/features/campaigns/routes'
import { type CampaignWorld, campaignWorld, message } from '../support/campaigns'
import { testConfig } from '../support/context'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const unknown = '018f0000-0000-7000-8000-000000000000'
const tree = (plan: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: plan }] }],
})

describe('creating', () => {
  test('answers 201, wrapped, a DRAFT with an estimate of its recipients', async () => {
    await on.contacts(3)
    await on.contacts(1, { subscribed: false, prefix: 'bob' })
    const answer = await on.call('POST', '/campaigns', message)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      success: true,
      data: {
        ...message,
        id: expect.any(String),
        projectId: on.project.id,
        description: null,
        fromName: null,
        replyTo: null,
        type: 'MARKETING',
        status: 'DRAFT',
        audienceCondition: null,
        segmentId: null,
        topicId: null,
        inArchive: false,
        timing: null,
        abTest: null,
        editor: null,
        layoutId: null,
        version: 1,
        scheduledFor: null,
        totalRecipients: 3,
        sentCount: 0,
        deliveredCount: 0,
        openedCount: 0,
        clickedCount: 0,
        bouncedCount: 0,
        sentAt: null,
        finishedAt: null,
        pausedAt: null,
        pausedReason: null,
        receivers: [],
        createdAt: world.clock.now().toISOString(),
        updatedAt: world.clock.now().toISOString(),
      },
    })
  })

  test.each<[string, Record<string, unknown>, number, string | undefined]>([
    ['without a name', { name: undefined }, 422, 'name'],
    ['without a subject', { subject: undefined }, 422, 'subject'],
    ['without a body', { body: undefined }, 422, 'body'],
    ['without a sender', { from: undefined }, 422, 'from'],
    ['without an audience type', { audienceType: undefined }, 422, 'audienceType'],
    ['with an unknown type', { type: 'OTHER' }, 422, 'type'],
    ['with a sender that is no address', { from: 'nobody' }, 422, 'from'],
    ['with a reply address that is none', { replyTo: 'nobody' }, 422, 'replyTo'],
    ['with a line break in the subject', { subject: 'a\nb' }, 422, 'subject'],
    ['with a segment id that is no UUID', { audienceType: 'SEGMENT', segmentId: 'x' }, 422, 'segmentId'],
    ['with an over-long name', { name: 'x'.repeat(201) }, 422, 'name'],
    [
      'with a faulty tree',
      { audienceType: 'FILTERED', audienceCondition: { logic: 'AND', groups: [] } },
      422,
      'audienceCondition.groups',
    ],
    ['for SEGMENT without a segment', { audienceType: 'SEGMENT' }, 400, undefined],
    ['for FILTERED without a condition', { audienceType: 'FILTERED' }, 400, undefined],
    ['from a domain of nobody', { from: 'a@elsewhere.example' }, 403, undefined],
    ['to a segment that is not there', { audienceType: 'SEGMENT', segmentId: unknown }, 404, undefined],
  ])('%s is refused and leaves nothing', async (_, change, status, field) => {
    const answer = await on.call('POST', '/campaigns', { ...message, ...change })
    expect(answer.status).toBe(status)
    if (field) expect(answer.body.error.errors[0].field).toBe(field)
    expect((await on.call('GET', '/campaigns')).body.total).toBe(0)
  })

  test('the two refusals of a missing companion say which', async () => {
    const errors = await Promise.all(
      ['SEGMENT', 'FILTERED'].map(audienceType =>
        on.call('POST', '/campaigns', { ...message, audienceType }),
      ),
    )
    expect(errors.map(answer => answer.body.error.message)).toEqual([
      'Segment ID is required for SEGMENT audience type',
      'Audience condition is required for FILTERED audience type',
    ])
  })

  test('counts segments and filters, and subscribed contacts only unless it is TRANSACTIONAL', async () => {
    await on.contacts(2, { data: { plan: 'pro' } })
    await on.contacts(1, { data: { plan: 'pro' }, subscribed: false, prefix: 'bob' })
    await on.contacts(4, { data: { plan: 'free' }, prefix: 'cid' })
    const members = await on.call('POST', '/segments', { name: 'Few', type: 'STATIC' })
    await on.call('POST', `/segments/${members.body.id}/members`, {
      emails: ['ada-1@example.com', 'bob-1@example.com'],
    })
    const pros = await on.call('POST', '/segments', { name: 'Pros', condition: tree('pro') })
    const total = async (body: Record<string, unknown>): Promise<number> =>
      (await on.call('POST', '/campaigns', { ...message, ...body })).body.data.totalRecipients
    expect(await total({})).toBe(6)
    expect(await total({ type: 'TRANSACTIONAL' })).toBe(7)
    expect(await total({ audienceType: 'FILTERED', audienceCondition: tree('pro') })).toBe(2)
    expect(await total({ audienceType: 'SEGMENT', segmentId: members.body.id })).toBe(1)
    expect(await total({ audienceType: 'SEGMENT', segmentId: pros.body.id, type: 'TRANSACTIONAL' })).toBe(3)
  })
})

describe('reading', () => {
  test('pages, statuses, search and sort', async () => {
    await on.contacts(1)
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      world.clock.advance(1_000)
      await on.draft({ name, subject: name === 'Beta' ? 'about ALPHA' : 'x' })
    }
    const list = async (query: string) => (await on.call('GET', `/campaigns?${query}`)).body
    const names = async (query: string): Promise<string[]> =>
      (await list(query)).data.map((each: { name: string }) => each.name)
    expect(await list('pageSize=2')).toMatchObject({ page: 1, pageSize: 2, total: 3, totalPages: 2 })
    expect(await names('pageSize=2&page=2')).toEqual(['Alpha'])
    expect(await names('search=alpha')).toEqual(['Beta', 'Alpha'])
    expect(await names('search=HELLO@acme')).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await names('status=SENT')).toEqual([])
    expect(await names('status=DRAFT&sort=name&dir=asc')).toEqual(['Alpha', 'Beta', 'Gamma'])
    const wrong = await on.call('GET', '/campaigns?status=draft')
    expect([wrong.status, wrong.body.error.message]).toEqual([400, 'The query names what does not exist'])
    expect((await list('pageSize=1000')).pageSize).toBe(100)
  })

  test('another project finds none of it, at any path', async () => {
    const id = await on.draft()
    const other = await world.newProject()
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/send', {}],
      ['POST', '/cancel'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/duplicate'],
      ['POST', '/retry-failed'],
      ['POST', '/test', { email: 'a@example.com' }],
      ['POST', '/preview', {}],
      ['GET', '/stats'],
      ['GET', '/recipients'],
    ] as const) {
      const answer = await on.call(method, `/campaigns/${id}${path}`, body, other)
      expect([path, answer.status, answer.body.error.message]).toEqual([path, 404, 'Campaign not found'])
    }
    expect((await on.call('GET', '/campaigns', undefined, other)).body.total).toBe(0)
    expect((await on.call('GET', `/campaigns/${id}`)).body.name).toBe('News')
  })

  test('an id that is no UUID is 422, a public key 401, a disabled project 403', async () => {
    expect((await on.call('POST', '/campaigns/x/send', {})).status).toBe(422)
    const publicKey = { ...on.project, secretKey: on.project.publicKey }
    expect((await on.call('GET', '/campaigns', undefined, publicKey)).status).toBe(401)
    const id = await on.draft()
    await world.ctx.sql`update projects set disabled = true where id = ${on.project.id}`
    const answer = await on.send(id)
    expect([answer.status, answer.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
    expect((await on.call('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT')
  })
})

describe('changing', () => {
  test('takes single members, keeps the rest, and clears what is null', async () => {
    await on.contacts(2, { data: { plan: 'pro' } })
    await on.contacts(1, { data: { plan: 'free' }, prefix: 'bob' })
    const id = await on.draft({ fromName: 'Acme', replyTo: 'reply@acme.example' })
    const put = async (body: unknown) => (await on.call('PUT', `/campaigns/${id}`, body)).body
    expect(await put({ name: 'Other' })).toMatchObject({
      name: 'Other',
      fromName: 'Acme',
      totalRecipients: 3,
    })
    expect(await put({ fromName: null, replyTo: null, description: null })).toMatchObject({
      name: 'Other',
      fromName: null,
      replyTo: null,
    })
    expect(await put({ audienceType: 'FILTERED', audienceCondition: tree('pro') })).toMatchObject({
      audienceType: 'FILTERED',
      audienceCondition: tree('pro'),
      totalRecipients: 2,
    })
    expect(await put({ audienceType: 'ALL' })).toMatchObject({ audienceCondition: null, totalRecipients: 3 })
  })

  test.each<[string, Record<string, unknown>, number]>([
    ['SEGMENT without a segment', { audienceType: 'SEGMENT' }, 400],
    ['FILTERED without a condition', { audienceType: 'FILTERED' }, 400],
    ['an unknown segment', { audienceType: 'SEGMENT', segmentId: unknown }, 404],
    ['a foreign sender', { from: 'a@elsewhere.example' }, 403],
    ['an unknown type', { type: 'OTHER' }, 422],
    ['an empty name', { name: '' }, 422],
  ])('%s is refused and changes nothing', async (_, change, status) => {
    const id = await on.draft()
    const before = (await on.call('GET', `/campaigns/${id}`)).body
    expect((await on.call('PUT', `/campaigns/${id}`, change)).status).toBe(status)
    expect((await on.call('GET', `/campaigns/${id}`)).body).toEqual(before)
  })
})

test('a copy is a new draft of the same message', async () => {
  const id = await on.draft({ description: 'Why' })
  const answer = await on.call('POST', `/campaigns/${id}/duplicate`)
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({ ...message, name: 'News (Copy)', description: 'Why', status: 'DRAFT' })
  expect(answer.body.id).not.toBe(id)
})

test('a copy of a campaign whose segment is gone has none, and can be sent when it has an audience', async () => {
  await on.contacts(1, { data: { plan: 'pro' } })
  const segmentId = (await on.call('POST', '/segments', { name: 'Pros', condition: tree('pro') })).body.id
  const filters = [{ field: `segment.${segmentId}`, operator: 'memberOfSegment' }]
  const sent = [
    await on.draft({ audienceType: 'SEGMENT', segmentId }),
    await on.draft({
      audienceType: 'FILTERED',
      audienceCondition: { logic: 'AND', groups: [{ filters }] },
    }),
  ]
  for (const id of sent) await on.send(id)
  await on.drain()
  expect((await on.call('DELETE', `/segments/${segmentId}`)).status).toBe(204)
  for (const id of sent) {
    const copy = await on.call('POST', `/campaigns/${id}/duplicate`)
    expect(copy).toMatchObject({
      status: 201,
      body: { status: 'DRAFT', segmentId: null, totalRecipients: 0 },
    })
    const path = `/campaigns/${copy.body.id}`
    expect((await on.call('POST', `${path}/duplicate`)).status).toBe(201)
    expect((await on.call('POST', `${path}/preview`, {})).body.audience).toEqual({
      matching: 0,
      recipients: 0,
    })
    expect([400, 404]).toContain((await on.send(copy.body.id)).status)
    expect((await on.call('PUT', path, { audienceType: 'ALL' })).body.totalRecipients).toBe(1)
    expect((await on.send(copy.body.id)).status).toBe(200)
  }
})

test('a filter that names a segment by what is no id, or that is not there, is 404 and saves nothing', async () => {
  const id = await on.draft()
  for (const name of ['nonsense', '', crypto.randomUUID()]) {
    const filters = [{ field: `segment.${name}`, operator: 'memberOfSegment' }]
    const body = { audienceType: 'FILTERED', audienceCondition: { logic: 'AND', groups: [{ filters }] } }
    const status = name === '' ? 422 : 404
    expect((await on.call('POST', '/campaigns', { ...message, ...body })).status).toBe(status)
    expect((await on.call('PUT', `/campaigns/${id}`, body)).status).toBe(status)
  }
  expect((await on.call('GET', `/campaigns/${id}`)).body.audienceType).toBe('ALL')
})

test('a segment that an active campaign names cannot be deleted, whichever way it names it', async () => {
  await on.contacts(1, { data: { plan: 'pro' } })
  const segment = (await on.call('POST', '/segments', { name: 'Pros', condition: tree('pro') })).body.id
  const direct = await on.draft({ audienceType: 'SEGMENT', segmentId: segment })
  const filters = [{ field: `segment.${segment}`, operator: 'memberOfSegment' }]
  const indirect = await on.draft({
    audienceType: 'FILTERED',
    audienceCondition: { logic: 'AND', groups: [{ filters }] },
  })
  const refused = await on.call('DELETE', `/segments/${segment}`)
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'Cannot delete segment: it is currently used in 2 active campaign(s)',
  ])
  await on.send(direct)
  await on.drain()
  expect((await on.call('DELETE', `/segments/${segment}`)).status).toBe(409)
  await on.call('DELETE', `/campaigns/${indirect}`)
  expect((await on.call('DELETE', `/segments/${segment}`)).status).toBe(204)
})

describe('a test message', () => {
  test('goes to that address alone, rendered with its contact, marked, counted nowhere', async () => {
    await on.contacts(1, { data: { name: 'Ada' } })
    const id = await on.draft()
    const answer = await on.call('POST', `/campaigns/${id}/test`, { email: ' ADA-1@example.com ' })
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: 'Test email sent to ada-1@example.com' },
    ])
    const [mail] = await world.received()
    expect(mail).toMatchObject({ subject: '[TEST] News for Ada', to: [{ address: 'ada-1@example.com' }] })
    expect(mail!.html).toContain('<p>Hello Ada</p>')
    expect(mail!.html).toContain('Unsubscribe')
    await on.drain()
    expect(world.mail.sent).toHaveLength(1)
    expect((await on.call('GET', '/emails')).body.total).toBe(0)
    expect(await on.stats(id)).toMatchObject({ sentCount: 0, status: 'DRAFT' })
  })

  test('goes to several at once, and says to whom it did not', async () => {
    await on.contacts(1, { data: { name: 'Ada' } })
    const id = await on.draft()
    const send = (body: object) => on.call('POST', `/campaigns/${id}/test`, body)
    await world.ctx.sql`insert into suppressions (project_id, email, reason, source, created_at)
      values (${on.project.id}, 'out@example.com', 'complaint', 'x', ${world.clock.now()})`
    const emails = ['Ada-1@example.com', 'new@example.com', 'out@example.com', 'new@example.com']
    const { status, body } = await send({ emails })
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        message: 'Test email sent to ada-1@example.com, new@example.com',
        failed: [{ email: 'out@example.com', message: expect.stringContaining('suppressed') }],
      },
    ])
    const mails = await world.received()
    expect(mails.map(({ subject, to }) => [subject, to![0]!.address])).toEqual([
      ['[TEST] News for Ada', 'ada-1@example.com'],
      ['[TEST] News for you', 'new@example.com'],
    ])
    // Nothing is sent where an address is none, or where it is not said to whom.
    const fields = await Promise.all(
      [{ emails: ['a@example.com', 'nobody'] }, {}, { email: 'a@example.com', emails }].map(async given => {
        const refused = await send(given)
        return [refused.status, refused.body.error.errors[0].field]
      }),
    )
    expect(fields).toEqual([
      [422, 'emails.1'],
      [422, 'email'],
      [422, 'email'],
    ])
    const many = Array.from({ length: 11 }, (_, n) => `a-${n}@example.com`)
    expect((await send({ emails: many })).status).toBe(422)
    expect((await send({ emails: ['out@example.com'] })).status).toBe(400)
    expect(world.mail.sent).toHaveLength(2)
  })

  test('a stranger gets it without data; what is no address is 422', async () => {
    const id = await on.draft()
    await on.call('POST', `/campaigns/${id}/test`, { email: 'new@example.com' })
    expect((await world.received())[0]!.subject).toBe('[TEST] News for you')
    expect((await on.call('POST', `/campaigns/${id}/test`, { email: 'nobody' })).status).toBe(422)
  })

  test('is sent a hundred times an hour and project, no more', async () => {
    const id = await on.draft()
    const one = () => on.call('POST', `/campaigns/${id}/test`, { email: 'new@example.com' })
    const answers = []
    for (let n = 0; n < 101; n++) answers.push((await one()).status)
    expect([answers.filter(status => status === 200).length, answers.at(-1)]).toEqual([100, 429])
    expect(world.mail.sent).toHaveLength(100)
    const refused = await one()
    expect(refused.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(Number(refused.headers.get('retry-after'))).toBe(3_600)
    world.clock.advance(3_600_000)
    expect((await one()).status).toBe(200)
  })

  test('says so when the other side refuses it, or the address is suppressed', async () => {
    const id = await on.draft()
    world.mail.script(
      { outcome: 'refused', blame: 'other', response: '554 no' },
      { outcome: 'deferred', response: '421' },
    )
    const answers = [
      await on.call('POST', `/campaigns/${id}/test`, { email: 'a@example.com' }),
      await on.call('POST', `/campaigns/${id}/test`, { email: 'a@example.com' }),
    ]
    expect(answers.map(answer => answer.status)).toEqual([400, 503])
    await world.ctx.sql`insert into suppressions (project_id, email, reason, source, created_at)
      values (${on.project.id}, 'a@example.com', 'complaint', 'x', ${world.clock.now()})`
    expect((await on.call('POST', `/campaigns/${id}/test`, { email: 'a@example.com' })).status).toBe(400)
    expect(world.mail.attempts).toHaveLength(2)
  })
})

test('a preview needs no body, but one that is there is judged', async () => {
  await on.contacts(1)
  const id = await on.draft({ subject: 'Hi {{name ?? "you"}}' })
  const preview = (body?: unknown) => on.call('POST', `/campaigns/${id}/preview`, body)
  expect(await preview()).toMatchObject({ status: 200, body: { subject: 'Hi you' } })
  expect(await preview({ data: { name: 'Ann' } })).toMatchObject({ body: { subject: 'Hi Ann' } })
  const faulty: Array<[unknown, string]> = [
    [{ contactId: 'x' }, 'contactId'],
    [{ data: 'x' }, 'data'],
  ]
  for (const [body, field] of faulty) {
    const { status, body: answer } = await preview(body)
    expect([status, answer.error.errors[0].field]).toEqual([422, field])
  }
})

test('a preview shows the message, what may be wrong, and whom it would miss', async () => {
  const [contactId] = await on.contacts(2)
  await on.contacts(3, { subscribed: false, prefix: 'bob' })
  const id = await on.draft({ body: '<p>{{name}} {{nmae}}</p>' })
  const answer = await on.call('POST', `/campaigns/${id}/preview`, { contactId })
  expect(answer.body).toMatchObject({
    subject: 'News for Ada 1',
    warnings: [{ code: 'unknown_variable', variable: 'nmae' }],
    audience: { matching: 5, recipients: 2 },
  })
  expect(answer.body.html).toContain('>Unsubscribe</a>')
})

test('a preview warns where links in mails can be opened on this machine alone', async () => {
  const path = `/campaigns/${await on.draft()}/preview`
  const config = testConfig({ mailTransport: 'smtp', smtpUrl: 'smtp://relay.example.net:587' })
  const misled = makeApplication({ ...world.ctx, config }, [campaignsRoutes])
  const { status, body } = await request(misled, 'POST', path, { key: on.project.secretKey })
  expect(status).toBe(200)
  expect(body.warnings).toContainEqual({
    code: 'dead_links',
    message: expect.stringMatching(/lead to http:\/\/localhost:3000.*set BASE_URL/),
  })
})
