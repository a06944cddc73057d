// Contacts that come over the interfaces of other programs, and in the files that these export: what each state becomes, page after page,
// through pauses and broken answers, and that a second run changes nothing. The shapes are those of their own sources and documents.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageFault } from '../../src/cli/arguments'
import { byPage } from '../../src/cli/import/answered'
import { type Api, openApi } from '../../src/cli/import/api'
import { openSource, type SourceChoices } from '../../src/cli/import/sources'
import { brevoSource } from '../../src/cli/import/sources/brevo'
import { notifuseSource } from '../../src/cli/import/sources/notifuse'
import { plunkSource } from '../../src/cli/import/sources/plunk'
import { usesendSource } from '../../src/cli/import/sources/usesend'
import { type ImportWorld, importWorld } from '../support/import'
import type { MadeProject } from '../support/make'
import { type PeerServer, servePeer } from '../support/peer-server'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let project: MadeProject
let imports: ImportWorld
let folder = ''
let server: PeerServer | undefined

beforeAll(async () => {
  world = await makeWorld()
  imports = importWorld(world, () => project)
  folder = mkdtempSync(join(tmpdir(), 'waxwing-import-'))
})
beforeEach(async () => {
  project = await world.newProject()
})
afterEach(async () => {
  await server?.close()
  server = undefined
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const pauses: number[] = []

function apiOf(peer: PeerServer): Api {
  pauses.length = 0
  return openApi({
    address: `${peer.address}/`,
    headers: { authorization: 'Bearer secret' },
    pause: async ms => pauses.push(ms),
  })
}

const created = '2024-05-06T07:08:09.000Z'

/** What everybody is here: subscribed, when they opted out, what they left. */
async function states(): Promise<Array<[name: string, subscribed: boolean, optedOut: string | null]>> {
  const { body } = await imports.call('GET', '/contacts?sort=email&dir=asc&limit=100')
  return body.data.map((one: Record<string, string>) => [
    one['email']!.split('@')[0],
    one['subscribed'],
    one['optedOutAt'],
  ])
}

/** By name: what each decided about topics. */
async function decisions(): Promise<Record<string, Record<string, boolean>>> {
  const found: Record<string, Record<string, boolean>> = {}
  const { body } = await imports.call('GET', '/contacts?sort=email&dir=asc&limit=100')
  for (const { id, email } of body.data) {
    const topics = (await imports.call('GET', `/contacts/${id}/topics`)).body.data
    const decided = topics.filter((one: { decidedAt: string | null }) => one.decidedAt !== null)
    if (decided.length > 0)
      found[email.split('@')[0]] = Object.fromEntries(
        decided.map((one: { name: string; subscribed: boolean }) => [one.name, one.subscribed]),
      )
  }
  return found
}

describe('Plunk', () => {
  const people = Array.from({ length: 250 }, (_, n) => ({
    ...{ id: `c${n}`, email: `p${String(n).padStart(3, '0')}@x.test`, subscribed: n % 2 === 0 },
    ...{ data: n % 5 === 0 ? null : { plan: 'pro', seats: n }, createdAt: created, updatedAt: created },
  }))

  function serve(rows: ReadonlyArray<{ id: string }> = people): PeerServer {
    server = servePeer({
      '/contacts': query => {
        const from = query.get('cursor') ? rows.findIndex(({ id }) => id === query.get('cursor')) + 1 : 0
        const data = rows.slice(from, from + Math.min(100, Number(query.get('limit'))))
        const hasMore = from + data.length < rows.length
        return { data, hasMore, total: rows.length, ...(hasMore ? { cursor: data.at(-1)!.id } : {}) }
      },
      '/events': query => ({
        events:
          query.get('eventName') === 'contact.unsubscribed'
            ? [
                { contactId: 'c1', createdAt: '2025-02-03T04:05:06.000Z' },
                { contactId: 'c1', createdAt: '2024-02-03T04:05:06.000Z' },
              ]
            : [],
      }),
    })
    return server
  }

  test('gives contacts page after page, and tells by its events who opted out from who was never asked', async () => {
    const peer = serve()
    const dry = await imports.run(plunkSource(apiOf(peer)), { isDryRun: true })
    expect((await states()).length).toBe(0)
    expect(await imports.run(plunkSource(apiOf(peer)))).toEqual(dry)
    expect(dry).toMatchObject({ read: 250, created: 250, refused: 0 })
    expect(dry.unsubscribed.size).toBe(125)
    expect((await states()).slice(0, 4)).toEqual([
      ['p000', true, null],
      ['p001', false, '2025-02-03T04:05:06.000Z'],
      ['p002', true, null],
      ['p003', false, null],
    ])
    expect((await imports.people())[1]![2]).toEqual({ plan: 'pro', seats: 1, signedUpAt: created })
    expect(new Set(peer.keys)).toEqual(new Set(['Bearer secret']))
    expect(await imports.run(plunkSource(apiOf(peer)))).toMatchObject({ created: 0, unchanged: 250 })
  })

  test('is another Waxwing: topics as they are there, and nobody who left one is brought back', async () => {
    const there = await world.newProject()
    const callThere = (method: string, path: string, body?: unknown) =>
      request(imports.app, method, path, { key: there.secretKey, body })
    const made = async (path: string, body: unknown): Promise<string> =>
      (await callThere('POST', path, body)).body.id
    const news = await made('/topics', { name: 'News', subscribedByDefault: true, description: 'Weekly' })
    const hidden = await made('/topics', { name: 'Beta', offeredOnPages: false })
    const old = await made('/topics', { name: 'Old' })
    const people = await Promise.all(
      ['ada', 'bob', 'eve'].map(name => made('/contacts', { email: `${name}@x.test` })),
    )
    const decide = (index: number, topics: Record<string, boolean>) =>
      callThere('PUT', `/contacts/${people[index]}/topics`, {
        topics: Object.entries(topics).map(([id, subscribed]) => ({ id, subscribed })),
      })
    await decide(0, { [news]: false, [hidden]: true })
    await decide(1, { [old]: true, [hidden]: false })
    await callThere('PATCH', `/topics/${old}`, { archived: true })
    const api: Api = {
      async get(path, query = {}) {
        const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
        return (await callThere('GET', `${path}?${asked}`)).body
      },
    }
    const source = plunkSource(api, { topics: true })
    expect(await imports.run(source)).toMatchObject({ created: 3, refused: 0 })
    expect(await decisions()).toEqual({
      ada: { News: false, Beta: true },
      bob: { Old: true, Beta: false },
    })
    const { data } = (await imports.call('GET', '/topics')).body
    const byName = Object.fromEntries(data.map((one: { name: string }) => [one.name, one]))
    expect(byName).toMatchObject({
      News: { subscribedByDefault: true, offeredOnPages: true, archived: false, description: 'Weekly' },
      Beta: { subscribedByDefault: false, offeredOnPages: false, archived: false },
      Old: { archived: true },
    })
    // Joined there again, after it was left here: the no counts.
    const ada = (await imports.call('GET', '/contacts?search=ada')).body.data[0].id
    await imports.call('PUT', `/contacts/${ada}/topics`, {
      topics: [{ id: byName.Beta.id, subscribed: false }],
    })
    expect(await imports.run(source)).toMatchObject({ created: 0 })
    expect((await decisions())['ada']).toEqual({ News: false, Beta: false })
  })

  test('is asked again after the pause it names, and after answers that were cut off or failed', async () => {
    const peer = serve()
    peer.faults.push(
      () => new Response('slow down', { status: 429, headers: { 'retry-after': '7' } }),
      () => new Response('{"data": [{"id": "c0"', { headers: { 'content-type': 'application/json' } }),
      () => new Response('oh', { status: 502 }),
    )
    expect(await imports.run(plunkSource(apiOf(peer)))).toMatchObject({ created: 250 })
    expect(pauses).toEqual([7_000, 2_000, 4_000])
  })

  test('that fails for good, half-way, leaves what was done; the next run does the rest', async () => {
    const peer = serve(
      Array.from({ length: 700 }, (_, n) => ({ ...people[0]!, id: `c${n}`, email: `q${n}@x.test` })),
    )
    const broken = plunkSource(apiOf(peer))
    let pages = 0
    const stopping: Api = {
      async get(path, query) {
        if (path === '/contacts' && ++pages === 7) throw new Error('cut')
        return await apiOf(peer).get(path, query)
      },
    }
    await expect(imports.run(plunkSource(stopping))).rejects.toThrow('cut')
    expect((await imports.call('GET', '/contacts?limit=1')).body.total).toBe(500)
    expect(await imports.run(broken)).toMatchObject({ created: 200, unchanged: 500 })
  })

  test('that is Waxwing says itself who opted out', async () => {
    const peer = serve([
      { ...people[1]!, email: 'asked@x.test', optedOutAt: null } as never,
      { ...people[1]!, id: 'c9', email: 'out@x.test', optedOutAt: created } as never,
    ])
    await imports.run(plunkSource(apiOf(peer)))
    expect(await states()).toEqual([
      ['asked', false, null],
      ['out', false, created],
    ])
  })

  test.each<[string, () => Response, string]>([
    ['refuses the key', () => new Response('', { status: 401 }), 'the key is refused (401)'],
    ['points elsewhere', () => Response.redirect('https://elsewhere.test/'), 'it redirects elsewhere (302)'],
    ['is another program', () => Response.json({ hello: 'you' }), 'no list of contacts'],
    [
      'asks to wait for an hour',
      () => new Response('', { status: 429, headers: { 'retry-after': '3600' } }),
      'asks to wait 60 minutes',
    ],
  ])('that %s stops the import, with the reason', async (_name, fault, words) => {
    const peer = serve()
    peer.faults.push(() => Response.json({ events: [] }), fault)
    await expect(imports.run(plunkSource(apiOf(peer)))).rejects.toThrow(words)
    expect(pauses).toEqual([])
  })

  test('that answers without end, or not at all, stops the import', async () => {
    const peer = serve()
    const limits = { answerMs: 100, bytes: 10_000 }
    const api = openApi({ address: peer.address, headers: {}, limits, pause: async () => {} })
    peer.faults.push(() => new Response('['.repeat(10_001)))
    await expect(imports.run(plunkSource(api))).rejects.toThrow('larger than 10000 bytes')
    const silent = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
    peer.faults.push(...Array.from({ length: 6 }, () => silent))
    await expect(imports.run(plunkSource(api))).rejects.toThrow('no answer')
  })

  test('that fails six times in a row, or leads in circles, stops the import', async () => {
    const peer = serve()
    peer.faults.push(...Array.from({ length: 6 }, () => () => new Response('', { status: 503 })))
    await expect(imports.run(plunkSource(apiOf(peer)))).rejects.toThrow('it answers 503')
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
    const page = () => Response.json({ data: [], hasMore: true, cursor: 'same' })
    peer.faults.push(() => Response.json({ events: [] }), page, page)
    await expect(imports.run(plunkSource(apiOf(peer)))).rejects.toThrow('the same page again')
  })
})

describe('useSend', () => {
  const row = (id: number, subscribed: boolean, unsubscribeReason: string | null = null) => ({
    ...{
      id: `u${id}`,
      email: `u${id}@x.test`,
      firstName: id === 0 ? 'Ada' : null,
      lastName: null,
      subscribed,
    },
    ...{
      unsubscribeReason,
      properties: { seats: '4', city: 'Oslo' },
      createdAt: created,
      updatedAt: created,
    },
  })
  const books: Record<string, object[]> = {
    b1: [
      row(0, true),
      row(1, false),
      row(2, false, 'UNSUBSCRIBED'),
      row(3, false, 'BOUNCED'),
      row(4, false, 'COMPLAINED'),
      row(5, true),
    ],
    b2: [row(5, false, 'UNSUBSCRIBED'), row(0, true)],
  }

  function serve(rows = books): PeerServer {
    server = servePeer({
      '/api/v1/contactBooks': () => [
        { id: 'b1', name: 'News', properties: {}, variables: [], emoji: '📙', createdAt: created },
        { id: 'b2', name: 'Offers', properties: {}, variables: [], emoji: '📙', createdAt: created },
      ],
      '/api/v1/contactBooks/*': (query, path) => {
        const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
        return rows[path.split('/')[4]!]!.slice((page - 1) * limit, page * limit)
      },
    })
    return server
  }

  test('keeps properties that are called like its own fields under other names, and says so', async () => {
    const properties = { firstName: 'Nick', signedUpAt: 'never', city: 'Oslo' }
    const report = await imports.run(
      usesendSource(apiOf(serve({ b1: [{ ...row(0, true), properties }], b2: [] }))),
    )
    expect((await imports.people())[0]![2]).toEqual({
      ...{ firstName: 'Ada', signedUpAt: created, city: 'Oslo' },
      ...{ propertyFirstName: 'Nick', propertySignedUpAt: 'never' },
    })
    expect([...report.without.reasons.keys()]).toEqual([
      'the property "firstName" is imported as "propertyFirstName", because useSend has its own "firstName"',
      'the property "signedUpAt" is imported as "propertySignedUpAt", because useSend has its own "signedUpAt"',
    ])
  })

  test('gives its contact books; the reasons are kept apart, and a no in one book counts for all', async () => {
    const source = usesendSource(apiOf(serve()))
    const dry = await imports.run(source, { isDryRun: true, segmentsOf: record => record.lists })
    const report = await imports.run(source, { segmentsOf: record => record.lists })
    expect(report).toEqual(dry)
    expect(report).toMatchObject({ read: 8, created: 6, repeated: 2, suppressed: 2, refused: 0 })
    const known = await states()
    expect(known.map(([name, subscribed, optedOut]) => [name, subscribed, optedOut !== null])).toEqual([
      ['u0', true, false],
      ['u1', false, false],
      ['u2', false, true],
      ['u3', false, true],
      ['u4', false, true],
      ['u5', false, true],
    ])
    expect((await imports.people())[0]![2]).toEqual({
      ...{ firstName: 'Ada', seats: 4, city: 'Oslo', signedUpAt: created },
    })
    expect(await imports.suppressions()).toEqual([
      ['u3@x.test', 'bounce', 'useSend: bounced'],
      ['u4@x.test', 'complaint', 'useSend: complained'],
    ])
    expect(await decisions()).toMatchObject({
      u0: { News: true, Offers: true },
      u5: { Offers: false },
    })
    expect((await decisions())['u1']).toBeUndefined()
    const segments = (await imports.call('GET', '/segments')).body as Array<Record<string, unknown>>
    expect(segments.map(({ name, memberCount }) => [name, memberCount]).sort()).toEqual([
      ['News', 2],
      ['Offers', 1],
    ])
    expect(await imports.run(source)).toMatchObject({ created: 0, updated: 0, suppressed: 0 })
  })

  test('gives the same in the file of a book', async () => {
    const path = join(folder, 'book.csv')
    writeFileSync(
      path,
      '\ufeffEmail,First Name,Last Name,Subscribed,Unsubscribe Reason,Created At,city\n' +
        `a@x.test,Ada,Lovelace,Yes,,${created},London\nb@x.test,,,No,BOUNCED,${created},\nc@x.test,,,No,,${created},\n`,
    )
    const report = await imports.run(open('usesend', path))
    expect(report).toMatchObject({ read: 3, created: 3, suppressed: 1 })
    expect((await imports.people())[0]).toEqual([
      'a@x.test',
      true,
      { firstName: 'Ada', lastName: 'Lovelace', city: 'London', signedUpAt: created },
    ])
    expect((await states()).map(([, , optedOut]) => optedOut !== null)).toEqual([false, true, false])
  })
})

describe('Notifuse', () => {
  const member = (list_name: string, status: string, deleted_at: string | null = null) => ({
    ...{ email: '', list_id: list_name.toLowerCase(), list_name, status, created_at: created, deleted_at },
  })
  const contact = (name: string, ...contact_lists: object[]) => ({
    ...{ email: `${name}@x.test`, first_name: name, language: 'de', custom_number_1: 4, phone: null },
    ...{ custom_json_1: { vip: true }, created_at: created, updated_at: created, contact_lists },
  })
  const rows = [
    contact('active', member('News', 'active'), member('Offers', 'unsubscribed')),
    contact('bounced', member('News', 'bounced')),
    contact('complained', member('News', 'complained')),
    contact('gone', member('News', 'active', created)),
    contact('left', member('News', 'unsubscribed')),
    contact('none'),
    contact('pending', member('News', 'pending')),
  ]

  test('gives its contacts with the state of each list', async () => {
    server = servePeer({
      '/api/lists.list': () => ({
        lists: [
          { id: 'news', name: 'News', is_public: true, description: 'All of it' },
          { id: 'offers', name: 'Offers', is_public: false },
        ],
      }),
      '/api/contacts.list': query => {
        if (query.get('workspace_id') !== 'ws1' || query.get('with_contact_lists') !== 'true')
          return undefined
        const at = Number(query.get('cursor') ?? 0)
        return {
          contacts: rows.slice(at, at + 3),
          ...(at + 3 < rows.length ? { next_cursor: String(at + 3) } : {}),
        }
      },
    })
    const source = notifuseSource(apiOf(server), 'ws1')
    const dry = await imports.run(source, { isDryRun: true })
    expect(await imports.run(source)).toEqual(dry)
    expect(dry).toMatchObject({ read: 7, created: 7, suppressed: 2 })
    expect((await states()).map(([name, subscribed, out]) => [name, subscribed, out !== null])).toEqual([
      ['active', true, false],
      ['bounced', false, true],
      ['complained', false, true],
      ['gone', false, false],
      ['left', false, true],
      ['none', false, false],
      ['pending', false, false],
    ])
    expect((await imports.people())[0]![2]).toEqual({
      ...{
        firstName: 'active',
        locale: 'de',
        customNumber1: 4,
        customJson1: { vip: true },
        signedUpAt: created,
      },
    })
    expect(await decisions()).toEqual({
      active: { News: true, Offers: false },
      bounced: { News: false },
      complained: { News: false },
      left: { News: false },
    })
    expect((await imports.suppressions()).map(([email, reason]) => [email, reason])).toEqual([
      ['bounced@x.test', 'bounce'],
      ['complained@x.test', 'complaint'],
    ])
    expect(await imports.run(source)).toMatchObject({ created: 0, updated: 0, unchanged: 7 })
  })
})

describe('Brevo', () => {
  const contact = (
    id: number,
    emailBlacklisted: boolean,
    listIds: number[],
    listUnsubscribed: number[] | null,
  ) => ({
    ...{ id, email: `b${id}@x.test`, emailBlacklisted, smsBlacklisted: false, listIds, listUnsubscribed },
    ...{
      createdAt: created,
      modifiedAt: created,
      attributes: { FIRSTNAME: 'B', SEATS: 3, DOUBLE_OPT_IN: '1' },
    },
  })

  test('gives contacts with lists, and the addresses that it blocks', async () => {
    const many = Array.from({ length: 998 }, (_, n) => contact(n + 10, false, [], null))
    const contacts = [
      contact(1, false, [7, 8], null),
      contact(2, true, [7], [8]),
      contact(3, false, [8], [7]),
      ...many,
    ]
    const blocked = [
      { email: 'b3@x.test', reason: { code: 'hardBounce', message: 'Contact was flagged as a hard bounce' } },
      { email: 'b1@x.test', reason: { code: 'unsubscribedViaEmail', message: 'unsubscribed' } },
      { email: 'spam@x.test', reason: { code: 'contactFlaggedAsSpam', message: 'complaint' } },
    ].map(one => ({ ...one, senderEmail: 'me@x.test', blockedAt: created }))
    const slice = (rows: object[], query: URLSearchParams): object[] =>
      rows.slice(Number(query.get('offset')), Number(query.get('offset')) + Number(query.get('limit')))
    server = servePeer({
      '/v3/contacts/lists': query => ({
        count: 2,
        lists: slice(
          [
            { id: 7, name: 'News' },
            { id: 8, name: 'Offers' },
          ],
          query,
        ),
      }),
      '/v3/contacts': query => ({ count: contacts.length, contacts: slice(contacts, query) }),
      '/v3/smtp/blockedContacts': query => ({ count: 3, contacts: slice(blocked, query) }),
    })
    const api = openApi({ address: `${server.address}/v3`, headers: { 'api-key': 'k' } })
    const report = await imports.run(brevoSource(api))
    expect(report).toMatchObject({ read: 1_004, created: 1_002, repeated: 2, suppressed: 2, refused: 0 })
    expect((await imports.call('GET', '/contacts?search=b1@')).body.data[0]).toMatchObject({
      ...{ subscribed: false, optedOutAt: created },
      data: { firstName: 'B', SEATS: 3, DOUBLE_OPT_IN: '1', signedUpAt: created },
    })
    expect(await imports.suppressions()).toEqual([
      ['b3@x.test', 'bounce', 'brevo: Contact was flagged as a hard bounce'],
      ['spam@x.test', 'complaint', 'brevo: complaint'],
    ])
    const topicsOf = async (search: string) => {
      const { id } = (await imports.call('GET', `/contacts?search=${search}`)).body.data[0]
      const { data } = (await imports.call('GET', `/contacts/${id}/topics`)).body
      return data
        .filter((one: { decidedAt: string | null }) => one.decidedAt !== null)
        .map((one: Record<string, unknown>) => [one['name'], one['subscribed']])
    }
    expect(await topicsOf('b3@')).toEqual([
      ['News', false],
      ['Offers', true],
    ])
    expect(await imports.run(brevoSource(api))).toMatchObject({ created: 0, updated: 0, suppressed: 0 })
  })

  test('and Loops give files, of which a column has to say who is subscribed', async () => {
    const [brevo, loops] = [join(folder, 'brevo.csv'), join(folder, 'loops.csv')]
    writeFileSync(
      brevo,
      'CONTACT ID;EMAIL;FIRSTNAME;EMAIL_MARKETING\n1;a@x.test;Ada;Subscribed\n2;b@x.test;;Unsubscribed\n',
    )
    expect(await imports.run(open('brevo', brevo))).toMatchObject({ read: 2, created: 2 })
    writeFileSync(
      loops,
      `Email,First Name,User Group,Subscribed,Created At,News\nc@x.test,Cy,VIPs,true,${created},true\nd@x.test,,,false,${created},\n`,
    )
    await imports.call('POST', '/topics', { name: 'News' })
    expect(
      await imports.run(open('loops', loops, { map: ['News=topic:News'] }), { missingTopics: 'refuse' }),
    ).toMatchObject({ read: 2, created: 2 })
    expect((await states()).map(([name, subscribed, out]) => [name, subscribed, out !== null])).toEqual([
      ['a', true, false],
      ['b', false, true],
      ['c', true, false],
      ['d', false, true],
    ])
    expect((await imports.people())[2]![2]).toEqual({
      firstName: 'Cy',
      userGroup: 'VIPs',
      signedUpAt: created,
    })
    expect(await decisions()).toEqual({ c: { News: true } })
    writeFileSync(brevo, 'EMAIL;FIRSTNAME\na@x.test;Ada\n')
    await expect(imports.run(open('brevo', brevo))).rejects.toThrow('no column that says who is subscribed')
  })
})

function open(kind: string, name: string, choices: Partial<SourceChoices> = {}) {
  return openSource(kind, [name], {
    map: [],
    'only-list': [],
    topics: false,
    content: false,
    finished: false,
    ...choices,
  })
}

describe('the command line', () => {
  const key = (): string => {
    const path = join(folder, 'key')
    writeFileSync(path, 'secret\n')
    return path
  }

  test('topics are made only where they are asked for', async () => {
    server = servePeer({
      '/api/lists.list': () => ({ lists: [] }),
      '/api/contacts.list': () => ({
        contacts: [{ email: 'a@x.test', contact_lists: [{ list_name: 'News', status: 'active' }] }],
      }),
    })
    const choices = { 'key-file': key(), workspace: 'ws1' }
    await imports.run(open('notifuse', server.address, choices))
    expect((await imports.call('GET', '/topics')).body.data).toEqual([])
    await imports.run(open('notifuse', server.address, { ...choices, topics: true }))
    expect(await decisions()).toEqual({ a: { News: true } })
    expect(new Set(server.keys)).toEqual(new Set(['Bearer secret']))
  })

  test.each<[string, string, Partial<SourceChoices>, string]>([
    ['plunk', 'http://x.test', {}, '--key-file is missing'],
    ['plunk', 'contacts.csv', {}, 'plunk is not imported from contacts.csv'],
    ['csv', 'https://x.test', {}, 'csv is not imported from https://x.test'],
    ['loops', 'loops.csv', { topics: true }, '--topics is not for loops'],
    ['csv', 'a.csv', { workspace: 'w' }, '--workspace is not for csv'],
    ['listmonk', 'postgres://x/y', { 'enabled-are': 'subscribed' }, '--enabled-are is not for listmonk'],
    ['notifuse', 'https://x.test', { 'key-file': 'k' }, '--workspace is missing'],
    ['mailgun', 'x', {}, 'unknown source: mailgun'],
  ])('%s from %s with %p is refused', (kind, name, choices, words) => {
    expect(() => open(kind, name, choices)).toThrow(words)
    expect(() => open(kind, name, choices)).toThrow(UsageFault)
  })

  test('a key in the address is refused, and one of two lines too', () => {
    const path = join(folder, 'two')
    writeFileSync(path, 'one\ntwo\n')
    expect(() => open('plunk', 'https://key@x.test', { 'key-file': key() })).toThrow('--key-file')
    expect(() => open('plunk', 'https://x.test', { 'key-file': path })).toThrow('one line')
  })
})

test('an address that gives the same page for every number ends the import; a last page that is full does not', async () => {
  const rows = [{ id: 1 }, { id: 2 }]
  let asked = 0
  const stuck = byPage(2, async () => {
    if (++asked > 5) throw new Error('it goes on for ever')
    return rows
  })
  await expect(Array.fromAsync(stuck)).rejects.toThrow('same page again')
  expect(await Array.fromAsync(byPage(1, async page => rows.slice(page - 1, page)))).toEqual(rows)
})
