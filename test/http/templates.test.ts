// Templates over HTTP: what is saved is sound, so that sending can trust it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { updateProject } from '../../src/modules/projects/queries'
import type { Answer, RequestOptions } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const good = { name: 'Welcome', subject: 'Hi {{name}}', body: '<p>Hi</p>', from: sender }

const create = (changes: Record<string, unknown> = {}, options: RequestOptions = {}): Promise<Answer> =>
  world.call('POST', '/templates', { body: { ...good, ...changes }, ...options })

async function countTemplates(): Promise<number> {
  const [row] = await world.ctx.sql`select count(*)::int as count from templates`
  return row!.count
}

/** Fails the test when a template was saved. */
async function unsaved(act: () => Promise<Answer>): Promise<Answer> {
  const before = await countTemplates()
  const answer = await act()
  expect(await countTemplates()).toBe(before)
  return answer
}

describe('a new template', () => {
  test('is MARKETING unless it says otherwise, and what it leaves out is null', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const now = world.clock.now().toISOString()
    expect(body).toEqual({
      ...good,
      id: expect.any(String),
      description: null,
      fromName: null,
      replyTo: null,
      type: 'MARKETING',
      projectId: world.project.id,
      createdAt: now,
      updatedAt: now,
    })
    expect((await world.call('GET', `/templates/${body.id}`)).body).toEqual(body)
  })

  test('keeps everything it is given', async () => {
    const all = { description: 'Sent first', fromName: 'Acme', replyTo: 'Help@Example.com', type: 'HEADLESS' }
    const { body } = await create(all)
    expect(body).toMatchObject({ ...all, replyTo: 'help@example.com' })
  })

  for (const type of ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'])
    test(`may be ${type}`, async () => {
      expect((await create({ type })).body.type).toBe(type)
    })
})

describe('a template is refused', () => {
  for (const [member, message] of [
    ['name', 'Name is required'],
    ['subject', 'Subject is required'],
    ['body', 'Body is required'],
    ['from', 'From address is required'],
  ] as const)
    for (const value of [undefined, ''])
      test(`with ${value === '' ? 'an empty' : 'no'} ${member}: 400 in the short form`, async () => {
        const { status, body } = await unsaved(() => create({ [member]: value }))
        expect([status, body]).toEqual([400, { error: message }])
      })

  const rows: Array<[string, Record<string, unknown>, string[]]> = [
    ['with a name of 101 characters', { name: 'x'.repeat(101) }, ['name too_big']],
    ['with a number as name', { name: 1 }, ['name invalid_type']],
    ['with a description of 501 characters', { description: 'x'.repeat(501) }, ['description too_big']],
    ['with a subject of 999 characters', { subject: 'x'.repeat(999) }, ['subject too_big']],
    ['with a line break in the subject', { subject: 'a\nb' }, ['subject invalid_string']],
    ['with a line break in the sender name', { fromName: 'a\r\nb' }, ['fromName invalid_string']],
    ['with a bad sender', { from: 'x' }, ['from invalid_string']],
    ['with a bad reply address', { replyTo: 'x' }, ['replyTo invalid_string']],
    ['with an unknown type', { type: 'BULK' }, ['type invalid_enum_value']],
    [
      'with several faults, all told',
      { from: 'x', replyTo: 'y' },
      ['from invalid_string', 'replyTo invalid_string'],
    ],
  ]
  for (const [name, changes, expected] of rows)
    test(`${name}: 422`, async () => {
      const { status, body } = await unsaved(() => create(changes))
      const found = body.error.errors.map(
        (item: { field: string; code: string }) => `${item.field} ${item.code}`,
      )
      expect([status, body.error.code, found]).toEqual([422, 'VALIDATION_ERROR', expected])
    })

  const broken: Array<[string, Record<string, unknown>, object]> = [
    ['an open tag in the body', { body: '<p>\n{% if a %}' }, { field: 'body', line: 2, column: 1 }],
    ['an unknown filter', { body: '{{ a | nofilter }}' }, { field: 'body', line: 1 }],
    [
      'a broken output in the subject',
      { subject: 'Hi {% endif %}' },
      { field: 'subject', line: 1, column: 4 },
    ],
  ]
  for (const [name, changes, details] of broken)
    test(`with ${name}: 400 with the place`, async () => {
      const { status, body } = await unsaved(() => create(changes))
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.details).toMatchObject(details)
      expect(body.error.message).toContain('Invalid template syntax')
    })

  test('from a domain that is not the project’s: 403 with the documented code', async () => {
    const { status, body } = await unsaved(() => create({ from: 'me@nowhere.com' }))
    expect([status, body.error.code]).toEqual([403, 'INTERNAL_SERVER_ERROR'])
  })

  test('without a key, and with the public one: 401', async () => {
    expect((await unsaved(() => create({}, { key: undefined }))).status).toBe(401)
    expect((await unsaved(() => create({}, { key: world.project.publicKey }))).status).toBe(401)
  })

  test('while the project is disabled: 403, though reading works', async () => {
    const project = await world.newProject()
    const { body } = await create({}, { key: project.secretKey })
    await updateProject(world.ctx, project.id, { disabled: true })
    const refused = await unsaved(() => create({}, { key: project.secretKey }))
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
    expect((await world.call('GET', `/templates/${body.id}`, { key: project.secretKey })).status).toBe(200)
  })
})

describe('a template that is not there', () => {
  test('is 404, also for one of another project; 422 for what is no id', async () => {
    const other = await world.newProject()
    const { body: foreign } = await create({}, { key: other.secretKey })
    for (const id of [foreign.id, '018f4f3e-0000-7000-8000-000000000000']) {
      const { status, body } = await world.call('GET', `/templates/${id}`)
      expect([status, body.error.code, body.error.details]).toEqual([
        404,
        'TEMPLATE_NOT_FOUND',
        { resource: 'Template', id },
      ])
    }
    expect((await world.call('GET', '/templates/x')).status).toBe(422)
  })
})
