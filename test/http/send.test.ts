// POST /v1/send: who may call it, what it refuses and how it says so, and what a refusal leaves behind (nothing).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import { sendBody } from '../../src/modules/api/v1/model/bodies'
import { insertDomain } from '../../src/modules/sending/domains/queries'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld({ maxAttachmentBytes: 10_000, maxMessageBytes: 200_000 })
})
afterAll(() => world.close())

async function rowCounts(): Promise<Record<string, number>> {
  const [row] = await world.ctx.sql`
    select (select count(*)::int from emails) as emails, (select count(*)::int from contacts) as contacts,
           (select count(*)::int from attachments) as attachments, (select count(*)::int from jobs) as jobs,
           (select count(*)::int from events) as events, (select count(*)::int from idempotency_keys) as keys`
  return row as Record<string, number>
}

/** Runs `act` and fails the test when it left any row behind. */
async function untouched<T>(act: () => Promise<T>): Promise<T> {
  const before = await rowCounts()
  const result = await act()
  expect(await rowCounts()).toEqual(before)
  return result
}

const file = { filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }
const long = (length: number): string => 'x'.repeat(length)

describe('an accepted request', () => {
  test('may hold null for every member that it needs no value for', async () => {
    const { body: template } = await world.call('POST', '/templates', {
      body: { name: 'Reset', subject: 'S', body: '<p>{{name}}</p>', from: sender },
    })
    const nothing = Object.fromEntries(
      Object.keys(sendBody.properties)
        .filter(name => !['to', 'template'].includes(name))
        .map(name => [name, null]),
    )
    const to = { email: 'null@example.com', name: null }
    const body = { ...nothing, to, template: template.id }
    const { status, body: answer } = await world.call('POST', '/v1/send', { body })
    expect([status, answer.error?.errors]).toEqual([200, undefined])
  })

  test('answers the contact and the id of the message, which is PENDING', async () => {
    const { status, body } = await world.send({ to: 'First@Example.com' })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: {
        emails: [
          { contact: { id: expect.any(String), email: 'first@example.com' }, email: expect.any(String) },
        ],
        timestamp: world.clock.now().toISOString(),
      },
    })
    expect(await world.email(body.data.emails[0].email)).toMatchObject({
      contactId: body.data.emails[0].contact.id,
      to: 'first@example.com',
      status: 'PENDING',
      sourceType: 'TRANSACTIONAL',
      sentAt: null,
      tries: [],
    })
  })

  test('answers one item a recipient, in their order, also for the same address twice', async () => {
    const to = ['b@example.com', { email: 'a@example.com', name: 'A' }, 'B@example.com']
    const { body } = await world.send({ to })
    const { emails } = body.data
    expect(emails.map((item: { contact: { email: string } }) => item.contact.email)).toEqual([
      'b@example.com',
      'a@example.com',
      'b@example.com',
    ])
    expect(emails[0].contact.id).toBe(emails[2].contact.id)
    expect(new Set(emails.map((item: { email: string }) => item.email)).size).toBe(3)
  })

  test('ignores members that it does not know', async () => {
    expect((await world.send({ to: 'a@example.com', priority: 'high' })).status).toBe(200)
  })

  test('takes null as not given for whatever may be left out', async () => {
    const names = [
      ...['cc', 'bcc', 'text', 'template', 'name', 'subscribed', 'data', 'headers', 'reply'],
      ...['scheduledFor', 'tags', 'metadata', 'tracking', 'attachments'],
    ]
    const nothing = Object.fromEntries(names.map(name => [name, null]))
    const to = { email: 'a@example.com', name: null }
    expect((await world.send({ to, from: { email: sender, name: null }, ...nothing })).status).toBe(200)
    const file = {
      filename: 'a.txt',
      content: 'YQ==',
      contentType: 'text/plain',
      contentId: null,
      disposition: null,
    }
    expect((await world.send({ to, attachments: [file] })).status).toBe(200)
  })

  test('takes a null for data', async () => {
    expect((await world.send({ to: 'a@example.com', data: null })).status).toBe(200)
  })
})

describe('a request without the right to send', () => {
  const rows: Array<[string, () => Record<string, string>, number, string]> = [
    ['no key', () => ({}), 401, 'MISSING_AUTH'],
    ['another scheme', () => ({ authorization: 'Basic eDp5' }), 401, 'MISSING_AUTH'],
    ['an unknown key', () => ({ authorization: `Bearer sk_${'0'.repeat(64)}` }), 401, 'INVALID_API_KEY'],
    [
      'the public key',
      () => ({ authorization: `Bearer ${world.project.publicKey}` }),
      401,
      'INVALID_API_KEY',
    ],
  ]
  for (const [name, headers, status, code] of rows)
    test(`is refused: ${name}`, async () => {
      const answer = await untouched(() =>
        world.call('POST', '/v1/send', { key: undefined, headers: headers(), body: { to: 'x@example.com' } }),
      )
      expect([answer.status, answer.body.error.code]).toEqual([status, code])
      expect(answer.body.error.requestId).toBe(answer.headers.get('x-request-id'))
    })

  test('is refused while the project is disabled', async () => {
    const project = await world.newProject()
    await updateProject(world.ctx, project.id, { disabled: true })
    const answer = await untouched(() => world.send({ to: 'a@example.com' }, { key: project.secretKey }))
    expect([answer.status, answer.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
  })

  test('is refused with the documented code when the domain is not registered', async () => {
    for (const from of ['me@nowhere.com', 'me@sub.acme.example']) {
      const answer = await untouched(() => world.send({ to: 'a@example.com', from }))
      expect([answer.status, answer.body.error.code]).toEqual([403, 'INTERNAL_SERVER_ERROR'])
      expect(answer.body.error.statusCode).toBe(403)
    }
  })

  test('is refused likewise when the domain is not verified', async () => {
    const { ctx, project } = world
    const [own] = await ctx.sql`select * from domains where project_id = ${project.id}`
    await insertDomain(ctx, {
      id: ctx.random.uuid(ctx.clock.now()),
      projectId: project.id,
      domain: 'pending.com',
      verified: false,
      sandbox: false,
      selector: 'wx1',
      publicKey: own!.public_key,
      privateKey: own!.private_key,
      relaySigns: false,
      dkimTokens: null,
      dkimZone: null,
      contested: false,
      dkimStatus: 'pending',
      spfStatus: 'pending',
      dmarcStatus: 'pending',
      pendingSince: ctx.clock.now(),
      checkedAt: null,
      createdAt: ctx.clock.now(),
      updatedAt: ctx.clock.now(),
    })
    const answer = await untouched(() => world.send({ to: 'a@example.com', from: 'me@pending.com' }))
    expect([answer.status, answer.body.error.code]).toEqual([403, 'INTERNAL_SERVER_ERROR'])
  })
})

describe('a faulty request', () => {
  /** Name, changes to a good request, `field code` of the faults. Undefined removes a member. */
  const rows: Array<[string, Record<string, unknown>, string[]]> = [
    ['without recipients', { to: undefined }, ['to invalid_type']],
    ['with an empty list of them', { to: [] }, ['to too_small']],
    ['with too many of them', { to: Array.from({ length: 1001 }, (_, n) => `a${n}@b.co`) }, ['to too_big']],
    ['with a number for them', { to: 5 }, ['to invalid_type']],
    ['with a bad address', { to: 'ada' }, ['to invalid_string']],
    ['with a bad address in the list', { to: ['a@b.co', 'ada'] }, ['to.1 invalid_string']],
    ['with a bad address in an object', { to: [{ email: 'ada' }] }, ['to.0.email invalid_string']],
    ['with an object without address', { to: [{ name: 'Ada' }] }, ['to.0.email invalid_type']],
    ['with a number as address', { to: { email: 1 } }, ['to.email invalid_type']],
    ['without subject', { subject: undefined }, ['template custom', 'subject required']],
    ['with an empty subject', { subject: '' }, ['subject too_small']],
    ['with a subject of 999 characters', { subject: long(999) }, ['subject too_big']],
    ['with a line break in the subject', { subject: 'a\r\nBcc: x@y.z' }, ['subject invalid_string']],
    ['with a number as subject', { subject: 1 }, ['subject invalid_type']],
    ['without body', { body: undefined }, ['template custom', 'body required']],
    ['with an empty body', { body: '' }, ['body too_small']],
    ['with a template that is no UUID', { template: 'x' }, ['template invalid_string']],
    ['without sender', { from: undefined }, ['from required']],
    ['with a bad sender', { from: 'x' }, ['from invalid_string']],
    ['with a sender object without address', { from: { name: 'x' } }, ['from.email invalid_type']],
    [
      'with a line break in the name of the sender',
      { from: { email: sender, name: 'a\nb' } },
      ['from.name invalid_string'],
    ],
    ['with text for subscribed', { subscribed: 'yes' }, ['subscribed invalid_type']],
    ['with a list for data', { data: [] }, ['data invalid_type']],
    ['with text for data', { data: 'x' }, ['data invalid_type']],
    ['with data of more than 64 KB', { data: { x: long(65_536) } }, ['data too_big']],
    ['with a list of headers', { headers: ['x'] }, ['headers invalid_type']],
    ['with a number in the headers', { headers: { 'X-A': 1 } }, ['headers.X-A invalid_type']],
    ['with a header value of 999 characters', { headers: { 'X-A': long(999) } }, ['headers.X-A too_big']],
    [
      'with a line break in a header',
      { headers: { 'X-A': 'a\r\nBcc: b@c.de' } },
      ['headers.X-A invalid_string'],
    ],
    ['with a header that we write', { headers: { bcc: 'b@c.de' } }, ['headers.bcc invalid_string']],
    ['with a line break in a header name', { headers: { 'X\nA': 'b' } }, ['headers.X\nA invalid_string']],
    ['with a number under such a name', { headers: { 'X\nA': 1 } }, ['headers.X\nA invalid_type']],
    ['with a bad reply address', { reply: 'x' }, ['reply invalid_string']],
    ['with eleven attachments', { attachments: Array(11).fill(file) }, ['attachments too_big']],
    [
      'with an attachment without name',
      { attachments: [{ ...file, filename: undefined }] },
      ['attachments.0.filename invalid_type'],
    ],
    [
      'with an empty file name',
      { attachments: [{ ...file, filename: '' }] },
      ['attachments.0.filename too_small'],
    ],
    [
      'with a file name of 256 characters',
      { attachments: [{ ...file, filename: long(256) }] },
      ['attachments.0.filename too_big'],
    ],
    [
      'with a quote in a file name',
      { attachments: [{ ...file, filename: 'a"b' }] },
      ['attachments.0.filename invalid_string'],
    ],
    [
      'with an attachment without content',
      { attachments: [{ ...file, content: undefined }] },
      ['attachments.0.content invalid_type'],
    ],
    [
      'with content that is not Base64',
      { attachments: [{ ...file, content: 'ä' }] },
      ['attachments.0.content invalid_string'],
    ],
    [
      'with an attachment without type',
      { attachments: [{ ...file, contentType: undefined }] },
      ['attachments.0.contentType invalid_type'],
    ],
    [
      'with an unknown disposition',
      { attachments: [{ ...file, disposition: 'x' }] },
      ['attachments.0.disposition invalid_enum_value'],
    ],
    [
      'with an inline file without id',
      { attachments: [file, { ...file, disposition: 'inline' }] },
      ['attachments.1.contentId custom'],
    ],
    [
      'with an id of 256 characters',
      { attachments: [{ ...file, contentId: long(256) }] },
      ['attachments.0.contentId too_big'],
    ],
    [
      'with too many bytes of files',
      { attachments: [{ ...file, content: Buffer.alloc(10_001).toString('base64') }] },
      ['attachments too_big'],
    ],
    ['with a body that makes too large a message', { body: long(190_000) }, ['body too_big']],
    ['with NUL in the data', { data: { x: 'a\0b' } }, ['data.x invalid_string']],
  ]
  for (const [name, changes, expected] of rows)
    test(`is 422: ${name}`, async () => {
      const { status, body } = await untouched(() => world.send({ to: 'new@example.com', ...changes }))
      const found = body.error?.errors?.map(
        (item: { field: string; code: string }) => `${item.field} ${item.code}`,
      )
      expect([status, body.error?.code, found]).toEqual([422, 'VALIDATION_ERROR', expected])
    })

  test('is 422 as a whole for one bad recipient among good ones', async () => {
    const { status } = await untouched(() =>
      world.send({ to: ['good@example.com', 'bad', 'fine@example.com'] }),
    )
    expect(status).toBe(422)
  })

  test('is 400 for JSON that can not be read', async () => {
    const { status, body } = await untouched(() => world.call('POST', '/v1/send', { body: '{"to": ' }))
    expect([status, body.error.code, body.error.errors]).toEqual([400, 'VALIDATION_ERROR', undefined])
  })

  test('is 413 for a body larger than any message', async () => {
    const { status, body } = await untouched(() => world.send({ to: 'a@example.com', body: long(2_000_000) }))
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('is 404 for a template that does not exist, or is of another project', async () => {
    const other = await world.newProject()
    const made = await world.call('POST', '/templates', {
      key: other.secretKey,
      body: { name: 'T', subject: 'S', body: 'B', from: sender },
    })
    for (const template of [made.body.id, '018f4f3e-0000-7000-8000-000000000000']) {
      const { status, body } = await untouched(() => world.send({ to: 'a@example.com', template }))
      expect([status, body.error.code]).toEqual([404, 'TEMPLATE_NOT_FOUND'])
      expect(body.error.details).toEqual({ resource: 'Template', id: template })
    }
  })
})
