// What editors need of the API: their document is kept beside the body, and nobody overwrites what somebody else wrote meanwhile.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
})
afterAll(() => world.close())

const editor = { kind: 'blocks', document: { type: 'doc', content: [{ type: 'paragraph' }] } }
const call = (method: string, path: string, body?: unknown) =>
  path.startsWith('/campaigns')
    ? on.call(method, path, body)
    : world.call(method, path, { key: on.project.secretKey, ...(body === undefined ? {} : { body }) })

interface Kind {
  path: string
  change: 'PATCH' | 'PUT'
  make: (more?: object) => Promise<Record<string, unknown> & { id: string }>
}

const kinds: [name: string, kind: Kind][] = [
  [
    'template',
    {
      path: '/templates',
      change: 'PATCH',
      make: async more => {
        const given = { name: 'T', subject: 'S', body: '<p>one</p>', from: sender, ...more }
        return (await call('POST', '/templates', given)).body
      },
    },
  ],
  [
    'campaign',
    {
      path: '/campaigns',
      change: 'PUT',
      make: async more => {
        const given = { name: 'C', subject: 'S', body: '<p>one</p>', from: sender, audienceType: 'ALL' }
        return (await call('POST', '/campaigns', { ...given, ...more })).body.data
      },
    },
  ],
]

describe.each(kinds)('a %s', (_, { path, change, make }) => {
  test('keeps what its editor made the body from, and lists leave it out', async () => {
    const made = await make({ editor })
    expect(made).toMatchObject({ editor, version: 1 })
    expect((await call('GET', `${path}/${made.id}`)).body).toMatchObject({ editor, version: 1 })
    const [listed] = (await call('GET', path)).body.data
    expect(listed.version).toBe(1)
    expect(listed).not.toHaveProperty('editor')
    expect(await make()).toMatchObject({ editor: null })
  })

  test('loses the document with a body that somebody else wrote, and with nothing else', async () => {
    const { id } = await make({ editor })
    const to = async (body: object) => (await call(change, `${path}/${id}`, body)).body.editor
    expect(await to({ name: 'Other' })).toEqual(editor)
    expect(await to({ body: '<p>two</p>', editor: { kind: 'markdown', document: 'two' } })).toMatchObject({
      kind: 'markdown',
    })
    expect(await to({ body: '<p>three</p>' })).toBeNull()
  })

  test('takes its document along when it is copied', async () => {
    const { id } = await make({ editor })
    const copy = (await call('POST', `${path}/${id}/duplicate`)).body
    expect(copy).toMatchObject({ editor, version: 1 })
  })

  test('refuses a document that is too large, and one of no known editor', async () => {
    const { id } = await make()
    const large = { kind: 'markdown', document: 'x'.repeat(500_001) }
    const answer = await call(change, `${path}/${id}`, { editor: large })
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, 'editor'])
    const strange = await call(change, `${path}/${id}`, { editor: { kind: 'word', document: '' } })
    expect(strange.status).toBe(422)
  })

  test('is not changed by whoever has not seen the newest version: 409 with that version', async () => {
    const { id } = await make()
    const save = (body: object) => call(change, `${path}/${id}`, body)
    expect((await save({ subject: 'Ada', expectedVersion: 1 })).body).toMatchObject({ version: 2 })
    const late = await save({ subject: 'Ben', expectedVersion: 1 })
    expect([late.status, late.body.error.code, late.body.error.details]).toEqual([
      409,
      'CONFLICT',
      { version: 2 },
    ])
    expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ subject: 'Ada', version: 2 })
    expect((await save({ subject: 'Ben', expectedVersion: 2 })).body).toMatchObject({ version: 3 })
    // Whoever does not say what they have seen overwrites it, as before.
    expect((await save({ subject: 'Cleo' })).body).toMatchObject({ subject: 'Cleo', version: 4 })
  })

  test('is saved once by two who save the same version at the same moment', async () => {
    const { id } = await make()
    const answers = await Promise.all(
      ['Ada', 'Ben'].map(subject => call(change, `${path}/${id}`, { subject, expectedVersion: 1 })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 409])
  })
})

test('what is done with a campaign is no change of what is written', async () => {
  await on.contacts(1)
  const id = await on.draft()
  await on.send(id, new Date(world.clock.now().getTime() + 3_600_000).toISOString())
  expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({ status: 'SCHEDULED', version: 1 })
})

describe('the check before sending', () => {
  const warnings = async (body: string, more: object = {}) =>
    (await call('POST', '/templates/preview', { subject: 'S', body, ...more })).body.warnings

  test('says for how many contacts a value is missing, where nothing stands in for it', async () => {
    await on.contacts(2, { data: { city: 'Lyon' } })
    await on.contacts(3, { prefix: 'ben' })
    expect(await warnings('<p>{{name}} from {{city}}</p>')).toEqual([
      {
        code: 'missing_values',
        message: '3 of 5 contacts have no "city", and see nothing in its place',
        variable: 'city',
        contacts: 3,
      },
    ])
    for (const body of [
      '{{city ?? "home"}}',
      '{{city | default: "home"}}',
      '{% if city %}{{city}}{% endif %}',
      '{{email}}',
    ])
      expect(await warnings(body)).toEqual([])
    expect(await warnings('{{city}}', { data: { city: 'Oslo' } })).toEqual([])
    expect(await warnings('{{city}}', { type: 'TRANSACTIONAL' })).toEqual([])
  })

  test('names images without a text and links that lead nowhere', async () => {
    const body = `<img src="a.png"><img src="b.png" alt=""><a href="">x</a><a href="#">x</a><a href='https://'>x</a>
<a href="#top">x</a><a href="https://a.example">x</a><a name="top"></a>`
    expect((await warnings(body)).map((each: { message: string }) => each.message)).toEqual([
      'Images without alt text: 2',
      'Links that lead nowhere: 3',
    ])
  })

  test('names links to sample addresses, and to nothing else', async () => {
    const links = [
      'https://example.com/first',
      'https://www.example.org',
      'https://example.com.acme.example/',
    ]
    const body = links.map(link => `<a href="${link}">x</a>`).join('')
    expect(
      await warnings(`${body}<a href="https://shop.acme.example/?to=https://example.com">x</a>`),
    ).toEqual([{ code: 'sample_link', message: 'Links to example.com, a sample address: 2' }])
  })

  test.each([
    ['{{firstName ?? "there"}}', []],
    ['{{firstName | default: "there"}}', []],
    ['{{firstName}}', ['firstName']],
    ['{{firstName ?? "there"}} {{firstName}}', ['firstName']],
    ['{% if firstName %}x{% endif %}', ['firstName']],
  ])('of a field that no contact has, %s is judged by its fallback', async (body, names) => {
    const found = await warnings(`<p>${body}</p>`)
    expect(found.map((each: { variable: string }) => each.variable)).toEqual(names)
  })
})
