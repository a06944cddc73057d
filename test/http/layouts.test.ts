// Layouts: kept like templates, checked where they are saved, and around whatever is sent, previewed and tested in them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let on: CampaignWorld
let app: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const unknown = '018f0000-0000-7000-8000-000000000000'
const framed = (content: string, top = 'Fernway'): string =>
  `<html><head><title>x</title></head><body><h1>${top}</h1><main>${content}</main><p>1 Example Street</p></body></html>`
const place = '{{ content }}'

const call = (method: string, path: string, body?: unknown, of = on.project) =>
  request(app, method, path, { key: of.secretKey, ...(body === undefined ? {} : { body }) })

async function layout(body = framed(place)): Promise<string> {
  const { status, body: made } = await call('POST', '/layouts', { name: 'House', body })
  expect([status, made.error]).toEqual([201, undefined])
  return made.id
}

async function template(more: object = {}): Promise<string> {
  const given = { name: 'T', subject: 'S', body: '<p>Hello {{name}}</p>', from: sender, ...more }
  const { status, body } = await call('POST', '/templates', given)
  expect([status, body.error]).toEqual([201, undefined])
  return body.id
}

/** Line breaks say nothing here. */
const flat = (html: string): string => html.replaceAll('\n', '')

describe('kept', () => {
  test('a layout is made, read, changed and deleted', async () => {
    const body = framed(place)
    const made = await call('POST', '/layouts', { name: 'House', body })
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...{ id: expect.any(String), name: 'House', description: null, body, editor: null, version: 1 },
        ...{ projectId: on.project.id, createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
    ])
    const path = `/layouts/${made.body.id}`
    expect((await call('GET', path)).body).toEqual(made.body)
    const changed = await call('PATCH', path, { description: 'Ours', expectedVersion: 1 })
    expect([changed.status, changed.body]).toMatchObject([200, { description: 'Ours', body, version: 2 }])
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
  })

  test('nobody overwrites what somebody else wrote meanwhile', async () => {
    const path = `/layouts/${await layout()}`
    await call('PATCH', path, { name: 'Theirs' })
    const late = await call('PATCH', path, { name: 'Mine', expectedVersion: 1 })
    expect([late.status, late.body.error.details]).toEqual([409, { version: 2 }])
    expect((await call('GET', path)).body.name).toBe('Theirs')
  })

  test('they are listed by pages, newest first', async () => {
    const ids = [await layout(), await layout(), await layout()].reverse()
    const first = (await call('GET', '/layouts?limit=2')).body
    expect([first.data.map(({ id }: { id: string }) => id), first.hasMore, first.total]).toEqual([
      ids.slice(0, 2),
      true,
      3,
    ])
    const second = (await call('GET', `/layouts?limit=2&cursor=${first.cursor}`)).body
    expect([second.data.map(({ id }: { id: string }) => id), second.hasMore, second.cursor]).toEqual([
      ids.slice(2),
      false,
      null,
    ])
  })

  test("another project's are not found", async () => {
    const id = await layout()
    const other = await world.newProject()
    const tries: Array<[string, string, object?]> = [
      ['GET', `/layouts/${id}`],
      ['GET', `/layouts/${id}/usage`],
      ['PATCH', `/layouts/${id}`, { name: 'x' }],
      ['DELETE', `/layouts/${id}`],
      ['POST', '/templates', { name: 'T', subject: 'S', body: 'B', from: sender, layoutId: id }],
      ['POST', '/templates/preview', { body: 'B', layoutId: id }],
      [
        'POST',
        '/campaigns',
        { name: 'C', subject: 'S', body: 'B', from: sender, audienceType: 'ALL', layoutId: id },
      ],
    ]
    for (const [method, path, body] of tries)
      expect([method, path, (await call(method, path, body, other)).status]).toEqual([method, path, 404])
    expect((await call('GET', '/layouts', undefined, other)).body.data).toEqual([])
  })
})

describe('checked', () => {
  const faulty: Array<[name: string, body: string]> = [
    ['without a place', '<p>Hello</p>'],
    ['with two', '{{ content }}{{ content }}'],
    ['with one in an attribute', '<p title="{{ content }}">'],
  ]
  test.each(faulty)('a layout %s is 422, with what to write', async (_, body) => {
    const id = await layout()
    const answers = [
      await call('POST', '/layouts', { name: 'L', body }),
      await call('PATCH', `/layouts/${id}`, { body }),
      await call('POST', '/layouts/preview', { body }),
    ]
    for (const { status, body: answer } of answers)
      expect([status, answer.error.errors[0].field, answer.error.suggestion]).toEqual([
        422,
        'body',
        expect.stringContaining('Write {{ content }} once'),
      ])
  })

  test('broken syntax is 400 with its place, and what is too long 422', async () => {
    const broken = await call('POST', '/layouts', { name: 'L', body: `<p>\n{% if %}${place}</p>` })
    expect([broken.status, broken.body.error.details]).toEqual([400, { field: 'body', line: 2, column: 1 }])
    const long = await call('POST', '/layouts', { name: 'L', body: place.padEnd(200_001) })
    expect(long.status).toBe(422)
  })

  test('a body in a layout leaves it room, whatever it becomes', async () => {
    const layoutId = await layout()
    const body = 'x'.repeat(1_900_000)
    const given = { name: 'T', subject: 'S', from: sender }
    expect((await call('POST', '/templates', { ...given, body, layoutId })).status).toBe(422)
    expect((await call('POST', '/campaigns', { ...given, audienceType: 'ALL', body, layoutId })).status).toBe(
      422,
    )
    const plain = `/templates/${await template({ body })}`
    expect((await call('PATCH', plain, { layoutId })).status).toBe(422)
    const draft = `/campaigns/${await on.draft({ body })}`
    expect((await call('PUT', draft, { layoutId })).status).toBe(422)
    expect((await call('PUT', draft, { layoutId, body: 'B' })).status).toBe(200)
  })
})

describe('named', () => {
  test('by a template, which says so, is copied with it, and gives it up', async () => {
    const layoutId = await layout()
    const id = await template({ layoutId })
    expect((await call('GET', `/templates/${id}`)).body).toMatchObject({
      layoutId,
      body: '<p>Hello {{name}}</p>',
    })
    expect((await call('GET', '/templates')).body.data[0].layoutId).toBe(layoutId)
    const copy = (await call('POST', `/templates/${id}/duplicate`)).body
    expect(copy.layoutId).toBe(layoutId)
    expect((await call('PATCH', `/templates/${id}`, { name: 'U' })).body.layoutId).toBe(layoutId)
    expect((await call('PATCH', `/templates/${id}`, { layoutId: unknown })).status).toBe(404)
    expect((await call('PATCH', `/templates/${id}`, { layoutId: null })).body.layoutId).toBeNull()
    expect((await call('GET', `/templates/${await template()}`)).body.layoutId).toBeNull()
  })

  test('by a campaign, likewise', async () => {
    const layoutId = await layout()
    const id = await on.draft({ layoutId })
    expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ layoutId })
    expect((await call('GET', '/campaigns')).body.data[0].layoutId).toBe(layoutId)
    expect((await call('POST', `/campaigns/${id}/duplicate`)).body.layoutId).toBe(layoutId)
    expect((await call('PUT', `/campaigns/${id}`, { layoutId: unknown })).status).toBe(404)
    expect((await call('PUT', `/campaigns/${id}`, { name: 'U' })).body.layoutId).toBe(layoutId)
    expect((await call('PUT', `/campaigns/${id}`, { layoutId: null })).body.layoutId).toBeNull()
  })

  test('it is not deleted while something not yet sent uses it, and the refusal says how much', async () => {
    const layoutId = await layout()
    const first = await template({ layoutId })
    const second = await template({ layoutId })
    const draft = await on.draft({ layoutId })
    const path = `/layouts/${layoutId}`
    const refused = await call('DELETE', path)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      {
        message: 'Cannot delete layout: 2 template(s) and 1 campaign(s) not yet sent use it',
        details: { templates: 2, campaigns: 1 },
        suggestion: expect.any(String),
      },
    ])
    expect((await call('GET', `${path}/usage`)).body).toEqual({
      templates: [
        { id: second, name: 'T' },
        { id: first, name: 'T' },
      ],
      templateCount: 2,
      campaigns: [{ id: draft, name: expect.any(String) }],
      campaignCount: 1,
    })
    await call('DELETE', `/templates/${first}`)
    await call('PATCH', `/templates/${second}`, { layoutId: null })
    expect((await call('DELETE', path)).status).toBe(409)
    await call('DELETE', `/campaigns/${draft}`)
    expect((await call('DELETE', path)).status).toBe(204)
  })

  test('it is not deleted while somebody begins to use it', async () => {
    for (let n = 0; n < 10; n++) {
      const layoutId = await layout()
      const given = { name: 'T', subject: 'S', body: 'B', from: sender, layoutId }
      const [made, gone] = await Promise.all([
        call('POST', '/templates', given),
        call('DELETE', `/layouts/${layoutId}`),
      ])
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([made.status, gone.status])
    }
  })
})

describe('shown', () => {
  const preview = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body
  }
  const codes = ({ warnings }: { warnings: Array<{ code: string; variable?: string }> }): string[] =>
    warnings.map(({ code, variable }) => (variable ? `${code} ${variable}` : code))

  test('a preview is the joined mail, in the layout of the template or of the request', async () => {
    const layoutId = await layout()
    const templateId = await template({ layoutId, type: 'TRANSACTIONAL' })
    const data = { name: 'Ada' }
    const saved = await preview('/templates/preview', { templateId, data })
    expect(flat(saved.html)).toBe(framed('<p>Hello Ada</p>'))
    expect(saved.text).toContain('1 Example Street')
    const written = await preview('/templates/preview', { templateId, body: '<p>Bye</p>' })
    expect(flat(written.html)).toBe(framed('<p>Bye</p>'))
    const other = await layout(framed(place, 'Other'))
    expect((await preview('/templates/preview', { templateId, layoutId: other })).html).toContain('Other')
    expect((await preview('/templates/preview', { templateId, layoutId: null })).html).not.toContain('Street')
  })

  test('a layout that is being written is shown around a text', async () => {
    const body = framed(place, '{{ company }}')
    const shown = await preview('/layouts/preview', {
      body,
      content: '<p>Text</p>',
      data: { company: 'Fern' },
    })
    expect(flat(shown.html)).toStartWith(framed('<p>Text</p>', 'Fern').slice(0, 80))
    expect(codes(await preview('/layouts/preview', { body }))).toContain('unknown_variable company')
  })

  test('the check before a send looks at both', async () => {
    await on.contacts(2)
    await on.contacts(1, { prefix: 'eve', data: { city: 'Bonn' } })
    const message = { body: '<p>Hello</p>', subject: 'S', type: 'HEADLESS' }
    expect(codes(await preview('/templates/preview', message))).toEqual(['missing_unsubscribe_link'])
    const layoutId = await layout(
      framed(`${place}<a href="{{ unsubscribeUrl }}">Stop</a>{{ city }}{{ nobody }}`),
    )
    expect(codes(await preview('/templates/preview', { ...message, layoutId }))).toEqual([
      'unknown_variable nobody',
      'missing_values city',
    ])
    const large = { ...message, body: 'x'.repeat(60_000) }
    const second = await layout(framed(place + 'y'.repeat(60_000)))
    expect(codes(await preview('/templates/preview', { ...large, layoutId }))).not.toContain('body_too_large')
    expect(codes(await preview('/templates/preview', { ...large, layoutId: second }))).toContain(
      'body_too_large',
    )
  })

  test('of a campaign, too', async () => {
    const id = await on.draft({ layoutId: await layout() })
    expect((await preview(`/campaigns/${id}/preview`, {})).html).toContain('1 Example Street')
  })
})

describe('sent', () => {
  const send = async (body: object): Promise<string> => {
    const answer = await call('POST', '/v1/send', { to: 'ada@example.com', data: { name: 'Ada' }, ...body })
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return answer.body.data.emails[0].email
  }
  const htmlOf = async (id: string): Promise<string> => flat((await call('GET', `/emails/${id}`)).body.body)

  test('by /v1/send with a template, as the layout is at that moment', async () => {
    const layoutId = await layout()
    const id = await template({ layoutId })
    const first = await send({ template: id })
    await call('PATCH', `/layouts/${layoutId}`, { body: framed(place, 'New') })
    const second = await send({ template: id })
    const own = await send({ template: id, body: '<div>Mine</div>' })
    expect([await htmlOf(first), await htmlOf(second), await htmlOf(own)]).toEqual([
      framed('<p>Hello Ada</p>'),
      framed('<p>Hello Ada</p>', 'New'),
      '<div>Mine</div>',
    ])
  })

  test('by a workflow, whose executions keep the layout that they began with', async () => {
    const layoutId = await layout()
    const templateId = await template({ layoutId, type: 'TRANSACTIONAL' })
    const [contact, other] = await on.contacts(2)
    const flow = (await call('POST', '/workflows', { name: 'W', eventName: 'joined', allowReentry: true }))
      .body
    const step = async (fields: object) => {
      const made = await call('POST', `/workflows/${flow.id}/steps`, { position: { x: 0, y: 0 }, ...fields })
      expect(made.status).toBe(201)
    }
    await step({ type: 'SEND_EMAIL', name: 'First', config: {}, templateId })
    await step({ type: 'DELAY', name: 'Wait', config: { amount: 1, unit: 'hours' } })
    await step({ type: 'SEND_EMAIL', name: 'Second', config: {}, templateId })
    await call('PATCH', `/workflows/${flow.id}`, { enabled: true })
    const start = (contactId: string) => call('POST', `/workflows/${flow.id}/executions`, { contactId })
    expect((await start(contact!)).status).toBe(201)
    await on.drain()
    await call('PATCH', `/layouts/${layoutId}`, { body: framed(place, 'New') })
    await start(other!)
    await on.drain()
    world.clock.advance(3_700_000)
    await on.drain()
    const sent = (await world.received()).map(
      ({ to, html }) => `${to![0]!.address} ${flat(html!).slice(0, 80)}`,
    )
    const tops = (top: string) => expect.stringContaining(`<h1>${top}</h1>`)
    expect(sent.filter(line => line.startsWith('ada-1')).length).toBe(2)
    expect(sent.filter(line => line.startsWith('ada-1'))).toEqual([tops('Fernway'), tops('Fernway')])
    expect(sent.filter(line => line.startsWith('ada-2'))).toEqual([tops('New'), tops('New')])
  })

  test('by a simulation', async () => {
    const templateId = await template({ layoutId: await layout() })
    const flow = (await call('POST', '/workflows', { name: 'W', eventName: 'joined' })).body
    await call('POST', `/workflows/${flow.id}/steps`, {
      ...{ position: { x: 0, y: 0 }, type: 'SEND_EMAIL', name: 'First', config: {}, templateId },
    })
    const answer = await call('POST', `/workflows/${flow.id}/simulate`, {
      contact: { email: 'a@example.com' },
    })
    expect(JSON.stringify(answer.body)).toContain('1 Example Street')
  })

  test('by a test message of a campaign', async () => {
    const id = await on.draft({ layoutId: await layout() })
    expect((await call('POST', `/campaigns/${id}/test`, { email: 'ada-1@example.com' })).status).toBe(200)
    expect((await world.received())[0]!.html).toContain('1 Example Street')
  })

  test('by a campaign, which keeps the layout that it began with', async () => {
    await on.contacts(3)
    const layoutId = await layout()
    const id = await on.draft({ layoutId, body: '<p>News for {{name}}</p>' })
    await call('PATCH', `/layouts/${layoutId}`, { body: framed(place, 'Changed') })
    expect((await on.send(id)).status).toBe(200)
    await call('PATCH', `/layouts/${layoutId}`, { body: framed(place, 'Too late') })
    await on.drain()
    const sent = await world.received()
    expect(sent.map(({ html }) => html!.includes('<h1>Changed</h1>'))).toEqual([true, true, true])
    expect(sent.map(({ html }) => html!.includes('News for Ada '))).toEqual([true, true, true])
    const [recipient] = await on.recipients(id)
    const shown = (await call('GET', `/emails/${recipient!.emailId ?? recipient!.id}`)).body
    expect(shown.body).toContain('<h1>Changed</h1>')
    expect((await call('POST', `/campaigns/${id}/preview`)).body.html).toContain('Changed')
    expect((await call('GET', `/campaigns/${id}`)).body.body).toBe('<p>News for {{name}}</p>')
  })

  test('a sent campaign holds no layout, and its copy is the mail as it left', async () => {
    await on.contacts(1)
    const layoutId = await layout()
    const id = await on.draft({ layoutId, body: '<p>News</p>' })
    await on.send(id)
    await on.drain()
    const copied = (await call('POST', `/campaigns/${id}/duplicate`)).body
    expect([copied.layoutId, copied.body]).toEqual([layoutId, '<p>News</p>'])
    await call('DELETE', `/campaigns/${copied.id}`)
    expect((await call('DELETE', `/layouts/${layoutId}`)).status).toBe(204)
    const copy = (await call('POST', `/campaigns/${id}/duplicate`)).body
    expect([copy.layoutId, flat(copy.body)]).toEqual([null, framed('<p>News</p>')])
  })

  test('what costs too much stays refused in a layout', async () => {
    const nested = '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}'
    const id = await template({ layoutId: await layout(framed(place + nested)) })
    const answer = await call('POST', '/v1/send', { to: 'ada@example.com', template: id })
    expect([answer.status, answer.body.error.message]).toEqual([422, 'The template is too costly to render'])
  })
})
