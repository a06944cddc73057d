// Templates through the API: the documented statuses and bodies, the wall between projects, and previews.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { templateUses } from '../../src/modules/sending/templates/hooks'
import { templatesRoutes } from '../../src/modules/sending/templates/routes'
import { on } from '../../src/platform/hooks'
import { withHooks } from '../support/hooks'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let project: MadeProject
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  project = await world.newProject()
})
afterAll(() => world.close())

const full = {
  name: 'Welcome',
  description: 'For new customers',
  subject: 'Hello {{name}}',
  body: '<p>Hello {{name ?? "you"}}</p>',
  from: sender,
  fromName: 'Acme',
  replyTo: 'reply@acme.example',
  type: 'TRANSACTIONAL',
}
const call = (method: string, path: string, body?: unknown, of = project) =>
  world.call(method, path, { key: of.secretKey, ...(body === undefined ? {} : { body }) })
const create = async (body: Record<string, unknown> = {}, of = project) => {
  world.clock.advance(1_000)
  const answer = await call('POST', '/templates', { ...full, ...body }, of)
  expect(answer.status).toBe(201)
  return answer.body
}
const unknown = '018f0000-0000-7000-8000-000000000000'

describe('creating and reading', () => {
  test('a template with every member comes back as it was given', async () => {
    const made = await create()
    expect(made).toMatchObject({ ...full, projectId: project.id })
    expect((await call('GET', `/templates/${made.id}`)).body).toEqual(made)
  })

  test('the least template is MARKETING, and what was left out is null', async () => {
    const { name, subject, body, from } = full
    const answer = await call('POST', '/templates', { name, subject, body, from })
    expect(answer.body).toMatchObject({
      type: 'MARKETING',
      description: null,
      fromName: null,
      replyTo: null,
    })
  })

  test.each([
    ['name', 'Name is required'],
    ['subject', 'Subject is required'],
    ['body', 'Body is required'],
    ['from', 'From address is required'],
  ])('without %s: 400 in the short form', async (member, message) => {
    const answer = await call('POST', '/templates', { ...full, [member]: undefined })
    expect([answer.status, answer.body]).toEqual([400, { error: message }])
  })

  test('another project sees none of it', async () => {
    const made = await create()
    const other = await world.newProject()
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/duplicate'],
      ['GET', '/usage'],
    ] as const) {
      const answer = await call(method, `/templates/${made.id}${path}`, body, other)
      expect([answer.status, answer.body.error.message]).toEqual([404, 'Template not found'])
    }
    expect((await call('GET', '/templates', undefined, other)).body.total).toBe(0)
    expect((await call('GET', `/templates/${made.id}`)).body.name).toBe('Welcome')
  })

  test('an id that is no UUID is 422, a public key 401', async () => {
    expect((await call('GET', '/templates/nothing')).status).toBe(422)
    const answer = await world.call('GET', '/templates', { key: project.publicKey })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
  })
})

describe('the list', () => {
  test('pages of 10, 10 and 5, newest first', async () => {
    for (let n = 1; n <= 25; n++) await create({ name: `Template ${n}` })
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => call('GET', `/templates?page=${page}&pageSize=10`)),
    )
    expect(pages.map(page => page.body.data.length)).toEqual([10, 10, 5, 0])
    expect(pages[0]!.body).toMatchObject({ page: 1, pageSize: 10, total: 25, totalPages: 3 })
    expect(pages[0]!.body.data[0].name).toBe('Template 25')
    expect((await call('GET', '/templates?pageSize=1000')).body.pageSize).toBe(100)
  })

  test('search, type and sort', async () => {
    await create({ name: 'Alpha', subject: 'x', description: null, type: 'MARKETING' })
    await create({ name: 'Beta', subject: 'alpha news', description: null })
    await create({ name: 'Gamma', subject: 'x', description: 'like ALPHA', type: 'HEADLESS' })
    await create({ name: '100% off_', subject: 'x', description: null })
    const names = async (query: string): Promise<string[]> =>
      (await call('GET', `/templates?${query}`)).body.data.map((each: { name: string }) => each.name)
    expect(await names('search=alpha')).toEqual(['Gamma', 'Beta', 'Alpha'])
    expect(await names('search=alpha&type=HEADLESS')).toEqual(['Gamma'])
    expect(await names('search=%25')).toEqual(['100% off_'])
    expect(await names('search=+')).toHaveLength(4)
    expect(await names('sort=name&dir=asc')).toEqual(['100% off_', 'Alpha', 'Beta', 'Gamma'])
    expect(await names('sort=secret&dir=sideways')).toEqual(['100% off_', 'Gamma', 'Beta', 'Alpha'])
    expect((await call('GET', '/templates?type=OTHER')).status).toBe(400)
    expect((await call('GET', '/templates?page=0')).status).toBe(422)
  })
})

describe('changing', () => {
  test('each member by itself; the others stay; null clears', async () => {
    const made = await create()
    world.clock.advance(1_000)
    const changes = {
      name: 'Other',
      subject: 'Other',
      body: '<p>Other</p>',
      type: 'HEADLESS',
      from: 'other@acme.example',
      fromName: 'Other',
      replyTo: 'other@acme.example',
    }
    let expected = made
    for (const change of Object.entries(changes).map(([key, value]) => ({ [key]: value }))) {
      const answer = await call('PATCH', `/templates/${made.id}`, change)
      expect(answer.status).toBe(200)
      const { updatedAt } = answer.body
      expected = { ...expected, ...change, updatedAt, version: expected.version + 1 }
      expect(answer.body).toEqual(expected)
    }
    expect(expected.updatedAt > made.updatedAt).toBe(true)
    const cleared = await call('PATCH', `/templates/${made.id}`, { fromName: null, replyTo: null })
    expect(cleared.body).toMatchObject({ fromName: null, replyTo: null })
  })

  test.each<[string, Record<string, unknown>, number]>([
    ['broken Liquid', { body: '{% if x %}' }, 400],
    ['a foreign sender', { from: 'a@elsewhere.example' }, 403],
    ['a sender that is no address', { from: 'nobody' }, 422],
    ['an unknown type', { type: 'OTHER' }, 422],
    ['a name that is too long', { name: 'x'.repeat(101) }, 422],
    ['an empty subject', { subject: '' }, 422],
  ])('%s is refused and changes nothing', async (_, change, status) => {
    const made = await create()
    expect((await call('PATCH', `/templates/${made.id}`, change)).status).toBe(status)
    expect((await call('GET', `/templates/${made.id}`)).body).toEqual(made)
  })

  test('a fault names its line and column', async () => {
    const made = await create()
    const answer = await call('PATCH', `/templates/${made.id}`, { body: 'a\n {% if %}' })
    const word = await call('PATCH', `/templates/${made.id}`, { body: '{% if plan is "pro" %}x{% endif %}' })
    expect([word.status, word.body.error.message]).toEqual([
      400,
      'Invalid template syntax in body (line 1, column 1): "is" is not an operator: use ==, !=, >, <, >=, <=, contains, and, or',
    ])
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { field: 'body', line: 2, column: 2 },
    })
  })

  test.each([
    ['{{ name | append }}', '(line 1, column 1): filter "append" needs 1 argument: write append: text'],
    [
      'Hi {{ name | truncate: 5, "…", 3 }}',
      '(line 1, column 4): filter "truncate" has 3 arguments, which is too many: write truncate: [length], [ending]',
    ],
    [
      '{% for item in items step: 2 %}{{ item }}{% endfor %}',
      '(line 1, column 1): "for" has no parameter "step": use limit, offset, reversed',
    ],
    [
      '{% assign unsubscribeUrl = "https://acme.example" %}',
      '(line 1, column 1): "unsubscribeUrl" is set by Waxwing: choose another name',
    ],
  ])(
    'what Liquid would ignore is refused in templates, layouts, campaigns and previews: %s',
    async (source, reason) => {
      const made = await create()
      const inLayout = `${source}{{ content }}`
      const answers = [
        await call('POST', '/templates', { ...full, body: source }),
        await call('PATCH', `/templates/${made.id}`, { body: source }),
        await call('POST', '/templates/preview', { subject: 's', body: source }),
        await call('POST', '/layouts', { name: 'Frame', body: inLayout }),
        await call('POST', '/layouts/preview', { body: inLayout }),
      ]
      for (const { status, body } of answers)
        expect([status, body.error.message]).toEqual([400, `Invalid template syntax in body ${reason}`])
    },
  )
})

describe('copies and deletion', () => {
  test('a copy has a new id and a name that says so, twice alike', async () => {
    const made = await create()
    const [first, second] = [
      await call('POST', `/templates/${made.id}/duplicate`),
      await call('POST', `/templates/${made.id}/duplicate`),
    ]
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ ...full, name: 'Welcome (Copy)' })
    expect(second.body.name).toBe('Welcome (Copy)')
    expect(new Set([made.id, first.body.id, second.body.id]).size).toBe(3)
  })

  test('a deleted template is gone, and messages that it sent stay without it', async () => {
    const made = await create()
    const sent = await world.send({ to: 'a@example.com', template: made.id }, { key: project.secretKey })
    await world.drain()
    expect((await call('GET', `/templates/${made.id}/usage`)).body).toEqual({
      campaigns: [],
      workflowSteps: [],
      forms: [],
      emailsSent: 1,
    })
    expect((await call('DELETE', `/templates/${made.id}`)).status).toBe(204)
    expect((await call('GET', `/templates/${made.id}`)).status).toBe(404)
    expect((await call('DELETE', `/templates/${made.id}`)).status).toBe(404)
    await world.drain()
    const id = sent.body.data.emails[0].email
    expect((await call('GET', `/emails/${id}`)).body).toMatchObject({ id, templateId: null })
  })

  test('one that a workflow step sends with stays: 409', async () => {
    const step = { id: unknown, name: 'Mail', workflowId: unknown, workflowName: 'Flow' }
    const ctx = withHooks(
      world.ctx,
      on(templateUses, async () => [step]),
    )
    const app = makeApplication(ctx, [templatesRoutes])
    const made = await create()
    const options = { key: project.secretKey }
    const answer = await request(app, 'DELETE', `/templates/${made.id}`, options)
    expect(answer.status).toBe(409)
    expect(answer.body.error.message).toStartWith(
      'Cannot delete template: it is currently used in workflow steps.',
    )
    expect((await request(app, 'GET', `/templates/${made.id}/usage`, options)).body.workflowSteps).toEqual([
      step,
    ])
    expect((await call('GET', `/templates/${made.id}`)).status).toBe(200)
  })
})

describe('the preview', () => {
  test('shows a contact what it would get, footer and links included', async () => {
    const sent = await world.send(
      { to: 'ada@example.com', subscribed: true, data: { name: 'Ada', locale: 'de-AT' } },
      { key: project.secretKey },
    )
    const contactId = sent.body.data.emails[0].contact.id
    const answer = await call('POST', '/templates/preview', {
      subject: 'Hi {{name}}',
      body: '<p>{{name}} <a href="{{manageUrl}}">x</a></p>',
      contactId,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.subject).toBe('Hi Ada')
    expect(answer.body.html).toContain('<p>Ada <a href="http://localhost:3000/manage/')
    expect(answer.body.html).toContain('>Abmelden</a>')
    expect(answer.body.text).toContain('Abmelden: http://localhost:3000/unsubscribe/')
    expect(answer.body.warnings).toEqual([])
  })

  test('takes example data, and a saved template', async () => {
    const { id } = await create()
    const answer = await call('POST', '/templates/preview', { templateId: id, data: { name: 'Bob' } })
    expect(answer.body).toMatchObject({ subject: 'Hello Bob', text: 'Hello Bob', warnings: [] })
  })

  test('warns of unknown variables, a missing way out and a body that is cut', async () => {
    const body = `{% for item in items %}{{item}}{% endfor %}{{frist}}${'x'.repeat(102_000)}`
    const answer = await call('POST', '/templates/preview', { subject: '{{email}}', body, type: 'HEADLESS' })
    expect(
      answer.body.warnings.map((each: { code: string; variable?: string }) => [each.code, each.variable]),
    ).toEqual([
      ['unknown_variable', 'items'],
      ['unknown_variable', 'frist'],
      ['missing_unsubscribe_link', undefined],
      ['body_too_large', undefined],
    ])
  })

  test('broken Liquid is 400, a contact of another project 404, nothing to show 422', async () => {
    const broken = await call('POST', '/templates/preview', { subject: 'x', body: '{% if %}' })
    expect(broken.status).toBe(400)
    const foreign = await call('POST', '/templates/preview', { subject: 'x', body: 'x', contactId: unknown })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'CONTACT_NOT_FOUND'])
    expect((await call('POST', '/templates/preview', {})).status).toBe(422)
  })
})
