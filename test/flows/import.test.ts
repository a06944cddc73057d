// Contacts that come from other programs: what each source becomes, that nobody is re-subscribed, that a second run changes nothing,
// and that a dry run reports the same and changes nothing at all.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportSource } from '../../src/cli/import/record'
import { reportText } from '../../src/cli/import/report'
import { csvSource, readMap } from '../../src/cli/import/sources/csv'
import { listmonkFile, readEnabled } from '../../src/cli/import/sources/listmonk'
import { listmonkDatabase } from '../../src/cli/import/sources/listmonk-database'
import { mailchimpSource } from '../../src/cli/import/sources/mailchimp'
import { readTable } from '../../src/cli/import/table'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type ImportWorld, importWorld } from '../support/import'
import { listmonkTables } from '../support/listmonk'
import type { MadeProject } from '../support/make'
import { blocksOf } from '../support/page'
import { makeWorld, type World } from '../support/world'

const fixtures = join(import.meta.dir, '../data/import')
const listmonk = (): ImportSource => listmonkFile(join(fixtures, 'listmonk.csv'), { enabled: true })
const mailchimp = (): ImportSource => mailchimpSource([join(fixtures, 'mailchimp')])

let world: World
let imports: ImportWorld
let folder = ''
let project: MadeProject

beforeAll(async () => {
  world = await makeWorld()
  imports = importWorld(world, () => project)
  folder = mkdtempSync(join(tmpdir(), 'waxwing-import-'))
})
beforeEach(async () => {
  project = await world.newProject()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const call: ImportWorld['call'] = (...asked) => imports.call(...asked)
const run: ImportWorld['run'] = (...asked) => imports.run(...asked)
const people: ImportWorld['people'] = () => imports.people()
const suppressions: ImportWorld['suppressions'] = () => imports.suppressions()

async function written(): Promise<unknown> {
  const [row] = await world.ctx.sql`
    select (select json_agg(c order by id) from contacts c where project_id = ${project.id}) as contacts,
           (select count(*) from suppressions where project_id = ${project.id}) as suppressions,
           (select count(*) from segments where project_id = ${project.id}) as segments,
           (select count(*) from contact_fields where project_id = ${project.id}) as fields,
           (select count(*) from contact_deltas where project_id = ${project.id}) as deltas,
           (select count(*) from events where project_id = ${project.id}) as events`
  return row
}

describe('a file of listmonk', () => {
  test('carries over attributes, states and the blocklist', async () => {
    const report = await run(listmonk())
    expect(report).toMatchObject({
      read: 5,
      created: 4,
      updated: 0,
      refused: 1,
      suppressed: 1,
    })
    expect(report.unsubscribed.size).toBe(2)
    expect(await people()).toEqual([
      [
        'ada@example.com',
        true,
        {
          name: 'Ada Lovelace',
          signedUpAt: '2023-05-04T12:34:56.000Z',
          city: 'London',
          tags: ['math', 'poet'],
          paid: true,
        },
      ],
      ['broken@example.com', true, { name: 'Broken', signedUpAt: '2023-05-06T00:00:00.000Z' }],
      ['grace@example.com', false, { name: 'Grace', signedUpAt: '2023-05-05T00:00:00.000Z' }],
      ['spam@example.com', false, { name: 'Trap, Spam', signedUpAt: '2023-05-06T00:00:00.000Z' }],
    ])
    expect(await suppressions()).toEqual([['spam@example.com', 'manual', 'listmonk: blocklisted']])
    expect(report.examples).toEqual([
      { place: 'line 6', email: 'nonsense', reason: 'the address is not valid' },
    ])
  })

  test('a second run changes nothing, and says so', async () => {
    await run(listmonk())
    const before = await written()
    expect(await run(listmonk())).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 4,
      suppressed: 0,
      refused: 1,
    })
    expect(await written()).toEqual(before)
  })

  test('a dry run reports the same and writes nothing', async () => {
    const before = await written()
    const options = { segmentsOf: () => ['Everybody'] }
    const dry = await run(listmonk(), { ...options, isDryRun: true })
    expect(await written()).toEqual(before)
    const real = await run(listmonk(), options)
    expect(dry).toEqual(real)
    expect(reportText(dry, true)).toContain('nothing was changed')
    expect(reportText(real, false)).toContain('created                 4')
  })

  test('who unsubscribed here stays so; who unsubscribed there is unsubscribed here', async () => {
    const { body: ada } = await call('POST', '/contacts', { email: 'ada@example.com' })
    await call('PATCH', `/contacts/${ada.id}`, { subscribed: false })
    await call('POST', '/contacts', { email: 'grace@example.com', subscribed: true, data: { plan: 'pro' } })
    const report = await run(listmonk())
    expect(report).toMatchObject({ created: 2, updated: 2, leftOut: 1 })
    expect(report.leftOutExamples).toEqual([{ place: 'line 2', email: 'Ada@Example.com' }])
    expect(reportText(report, false)).toContain(
      'opted out or snoozed, left as is, the first 1:\n  line 2 (Ada@Example.com)',
    )
    const states = (await people()).map(([email, subscribed, data]) => [email, subscribed, data['plan']])
    expect(states.slice(0, 3)).toEqual([
      ['ada@example.com', false, undefined],
      ['broken@example.com', true, undefined],
      ['grace@example.com', false, 'pro'],
    ])
  })

  test('what enabled means has to be said', () => {
    expect(readEnabled('subscribed')).toBe(true)
    expect(readEnabled('unsubscribed')).toBe(false)
    expect(() => readEnabled(undefined)).toThrow('--enabled-are')
  })
})

describe("listmonk's database", () => {
  let other: TestDatabase
  beforeAll(async () => {
    other = await cloneDatabase({ empty: true, max: 1 })
    await other.sql.unsafe(listmonkTables)
  })
  afterAll(() => other.drop())

  test('tells the state of every subscription', async () => {
    const report = await run(listmonkDatabase(other.url), { segmentsOf: record => record.lists })
    expect(report).toMatchObject({ read: 6, created: 6, suppressed: 2, refused: 0 })
    expect((await people()).map(([email, subscribed]) => [email, subscribed])).toEqual([
      ['blocked@example.com', false],
      ['bounced@example.com', false],
      ['confirmed@example.com', true],
      ['left@example.com', false],
      ['single@example.com', true],
      ['waiting@example.com', false],
    ])
    expect(await suppressions()).toEqual([
      ['blocked@example.com', 'manual', 'listmonk: blocklisted'],
      ['bounced@example.com', 'bounce', 'listmonk: blocklisted after a hard bounce'],
    ])
    const segments = (await call('GET', '/segments')).body as Array<Record<string, unknown>>
    expect(segments.map(({ name, type, memberCount }) => [name, type, memberCount]).sort()).toEqual([
      ['Monthly', 'STATIC', 1],
      ['Weekly', 'STATIC', 1],
    ])
  })

  test('a database without its tables, and none at all, are told in words', async () => {
    const wrong = run(listmonkDatabase(world.database.url))
    await expect(wrong).rejects.toThrow('the database has no tables of listmonk')
    const url = new URL(other.url)
    url.pathname = '/no_such_database'
    await expect(run(listmonkDatabase(url.href))).rejects.toThrow('no_such_database')
  })
})

describe('topics', () => {
  let other: TestDatabase
  beforeAll(async () => {
    other = await cloneDatabase({ empty: true, max: 1 })
    await other.sql.unsafe(listmonkTables)
  })
  afterAll(() => other.drop())

  /** Contacts with what they decided about topics. */
  async function decisions(): Promise<Array<[email: string, decided: Record<string, boolean>]>> {
    const { body } = await call('GET', '/contacts?sort=email&dir=asc&limit=100')
    const found: Array<[string, Record<string, boolean>]> = []
    for (const { id, email } of body.data) {
      const { data } = (await call('GET', `/contacts/${id}/topics`)).body
      const decided = data.filter((one: { decidedAt: string | null }) => one.decidedAt !== null)
      found.push([
        email.slice(0, email.indexOf('@')),
        Object.fromEntries(
          decided.map((one: { name: string; subscribed: boolean }) => [one.name, one.subscribed]),
        ),
      ])
    }
    return found.filter(([, decided]) => Object.keys(decided).length > 0)
  }

  async function ledgerOf(email: string): Promise<unknown[]> {
    const [contact] = (await call('GET', `/contacts?search=${email}`)).body.data
    const { data } = (await call('GET', `/contacts/${contact.id}/consent`)).body
    return data
      .filter((one: { topic: string | null }) => one.topic !== null)
      .map((one: Record<string, unknown>) => [one['topic'], one['before'], one['after'], one['source']])
  }

  test("are made of listmonk's lists, with the state of each subscription", async () => {
    const source = () => listmonkDatabase(other.url, { topics: true })
    const dry = await run(source(), { isDryRun: true })
    expect((await call('GET', '/topics')).body.data).toEqual([])
    expect(await run(source())).toEqual(dry)
    const { data } = (await call('GET', '/topics')).body
    expect(data.map((one: Record<string, unknown>) => [one['name'], one['subscribedByDefault']])).toEqual([
      ['Weekly', false],
      ['Monthly', false],
    ])
    expect(await decisions()).toEqual([
      ['blocked', { Weekly: false }],
      ['bounced', { Weekly: false }],
      ['confirmed', { Monthly: true }],
      ['left', { Weekly: false }],
      ['single', { Weekly: true }],
    ])
    expect(await ledgerOf('single')).toEqual([['Weekly', 'notAsked', 'subscribed', 'import']])
    expect(await run(source())).toMatchObject({ created: 0, updated: 0, unchanged: 6 })
  })

  test('come from a file of listmonk whose lists have states, which also say who left', async () => {
    const path = join(folder, 'states.csv')
    const line = (email: string, ...lists: Array<[string, string, string?]>) => {
      const told = lists.map(([name, status, optin]) => ({ name, subscription_status: status, optin }))
      return `${email},enabled,"${JSON.stringify(told).replaceAll('"', '""')}"`
    }
    const rows = [
      line('both@x.test', ['News', 'confirmed'], ['Offers', 'unsubscribed']),
      line('gone@x.test', ['News', 'unsubscribed']),
      line('waits@x.test', ['News', 'unconfirmed', 'double'], ['Offers', 'unconfirmed', 'single']),
      line('odd@x.test', ['News', 'perhaps']),
    ]
    writeFileSync(path, ['email,status,lists', ...rows, ''].join('\n'))
    const report = await run(listmonkFile(path, { enabled: true, topics: true }))
    expect(report.examples).toEqual([
      { place: 'line 5', email: 'odd@x.test', reason: 'lists are neither names nor JSON' },
    ])
    expect((await people()).map(([email, subscribed]) => [email, subscribed])).toEqual([
      ['both@x.test', true],
      ['gone@x.test', false],
      ['waits@x.test', true],
    ])
    expect(await decisions()).toEqual([
      ['both', { News: true, Offers: false }],
      ['gone', { News: false }],
      ['waits', { Offers: true }],
    ])
    const plain = listmonkFile(join(fixtures, 'listmonk.csv'), { enabled: true, topics: true })
    await expect(run(plain)).rejects.toThrow('no column "lists"')
  })

  test('come from columns of a table; who left one, or everything, is not brought back', async () => {
    await call('POST', '/topics', { name: 'Product news' })
    const topicId = (await call('GET', '/topics')).body.data[0].id
    const known: Record<string, string> = {}
    for (const name of ['left', 'out', 'here'])
      known[name] = (await call('POST', '/contacts', { email: `${name}@x.test` })).body.id
    const decide = (name: string, subscribed: boolean) =>
      call('PUT', `/contacts/${known[name]}/topics`, { topics: [{ id: topicId, subscribed }] })
    await decide('left', false)
    await decide('here', true)
    await call('PATCH', `/contacts/${known['out']}`, { subscribed: false })
    const path = join(folder, 'topics.csv')
    const said = [
      'left,yes',
      'out,yes',
      'here,no',
      'new,ja',
      'silent,',
      'odd,perhaps',
      'twice,no',
      'twice,yes',
    ]
    writeFileSync(path, `Mail,News\n${said.map(row => row.replace(',', '@x.test,')).join('\n')}\n`)
    const map = readMap(['Mail=email', 'News=topic:Product news'])
    const dry = await run(csvSource(path, { map }), { isDryRun: true, missingTopics: 'refuse' })
    const report = await run(csvSource(path, { map }), { missingTopics: 'refuse' })
    expect(report).toEqual(dry)
    expect(report).toMatchObject({ read: 8, created: 4, updated: 1, unchanged: 2, refused: 0, repeated: 1 })
    expect(report.leftOutExamples.map(({ email }) => email)).toEqual(['left@x.test', 'out@x.test'])
    expect(report.without.examples[0]!.reason).toContain('topic:Product news')
    expect(await decisions()).toEqual([
      ['here', { 'Product news': false }],
      ['left', { 'Product news': false }],
      ['new', { 'Product news': true }],
      ['twice', { 'Product news': false }],
    ])
    expect((await people()).find(([email]) => email === 'new@x.test')![2]).toEqual({})
    const unknown = csvSource(path, { map: readMap(['Mail=email', 'News=topic:Nwes']) })
    await expect(run(unknown, { missingTopics: 'refuse' })).rejects.toThrow('there is no topic "Nwes"')
  })
})

describe('an export of Mailchimp', () => {
  test('is read by the names of its files, cleaned addresses last', async () => {
    const report = await run(mailchimp(), { segmentsOf: record => record.lists })
    expect(report).toMatchObject({ read: 6, created: 5, repeated: 1, suppressed: 2, refused: 0 })
    expect(await people()).toEqual([
      [
        'ada@example.com',
        true,
        {
          firstName: 'Ada',
          lastName: 'Lovelace',
          birthday: '12/10',
          notes: 'likes engines',
          signedUpAt: '2022-01-02T03:04:05Z',
        },
      ],
      ['both@example.com', false, { firstName: 'Both', signedUpAt: '2020-01-01T00:00:00Z' }],
      ['gone@example.com', false, { firstName: 'Gone', signedUpAt: '2020-01-01T00:00:00Z' }],
      [
        'grace@example.com',
        false,
        {
          firstName: 'Grace',
          lastName: 'Hopper',
          unsubReason: 'I no longer want to receive these emails',
          signedUpAt: '2021-01-01T00:00:00Z',
        },
      ],
      ['linus@example.com', true, { firstName: 'Linus', signedUpAt: '2022-02-02T00:00:00Z' }],
    ])
    expect(await suppressions()).toEqual([
      ['both@example.com', 'bounce', 'mailchimp: cleaned'],
      ['gone@example.com', 'bounce', 'mailchimp: cleaned'],
    ])
    const segments = (await call('GET', '/segments')).body as Array<Record<string, unknown>>
    expect(segments.map(({ name, memberCount }) => [name, memberCount]).sort()).toEqual([
      ['London, UK', 1],
      ['vip', 2],
    ])
  })

  test('a dry run of several files counts the same', async () => {
    const dry = await run(mailchimp(), { isDryRun: true })
    expect(await run(mailchimp())).toEqual(dry)
  })

  test('a file with another name is refused, since nobody could tell who unsubscribed', () => {
    expect(() => mailchimpSource([join(fixtures, 'listmonk.csv')])).toThrow('must begin with subscribed')
    expect(() => mailchimpSource([join(fixtures, 'nothing')])).toThrow('does not exist')
  })
})

describe('any table', () => {
  const source = (map: string[]): ImportSource =>
    csvSource(join(fixtures, 'malformed.csv'), { map: readMap(map) })

  test('goes in by a mapping; what is broken is refused with its line', async () => {
    await call('POST', '/contacts', { email: 'first@example.com', data: { vip: true } })
    const report = await run(source(['Mail=email', 'First Name=firstName', 'plan=']))
    expect(report.examples.map(({ place }) => place)).toEqual(['line 4', 'line 5', 'line 7'])
    expect(report).toMatchObject({ read: 6, created: 2, repeated: 1, refused: 3 })
    expect((await people()).filter(([email]) => email !== 'first@example.com')).toEqual([
      ['ada@example.com', true, { firstName: 'Ada', Seats: '4', vip: true }],
      ['linus@example.com', true, { firstName: '=1+1', Seats: '1e5', vip: true }],
    ])
  })

  test('is read as the server reads it: named separators, blank rows, one type a column, lists of our own export', async () => {
    const path = join(folder, 'sheet.csv')
    const rows = [
      'sep=;',
      ';;;;;',
      'email;zip;"Which; one?";tags:json;data.id;consentChanges',
      'ada@example.com;90210;5" pipe;"[""a"",1]";x;[]',
      ';;;;;',
      'bo@example.com;01730;true;oops;;',
      'cy@example.com;01730;12;;;\x1a',
    ]
    writeFileSync(path, rows.join('\r\n'))
    const report = await run(csvSource(path, { map: new Map() }))
    expect(report.without.examples).toEqual([
      {
        place: 'line 6',
        email: 'bo@example.com',
        reason: 'tags: the cell must hold JSON, as the heading says',
      },
    ])
    expect(await people()).toEqual([
      ['ada@example.com', true, { zip: '90210', 'Which; one?': '5" pipe', tags: ['a', 1] }],
      ['bo@example.com', true, { zip: '01730', 'Which; one?': 'true' }],
      ['cy@example.com', true, { zip: '01730', 'Which; one?': '12' }],
    ])
    writeFileSync(path, 'email,name,name\nada@example.com,A,B\n')
    await expect(run(csvSource(path, { map: new Map() }))).rejects.toThrow(
      '"name" in column 2 and again in column 3',
    )
  })

  test('the report is the one that the page shows', async () => {
    const path = join(folder, 'people.csv')
    const rows = [
      'Mail;First Name;Plan;Internal',
      'ada@example.com;Ada;pro;x1',
      'grace@example.com;Grace;free;x2',
    ]
    writeFileSync(path, [...rows, 'nonsense;Nobody;;x3', ''].join('\n'))
    const map = readMap(['Mail=email', 'First Name=firstName', 'Internal='])
    const shown = blocksOf('docs/import.md').find(({ text }) => text.includes('\ndone\n'))
    expect(`${reportText(await run(csvSource(path, { map })), false)}\n`).toBe(shown!.text)
  })

  test('of Sendy and of phpList says who left, bounced and complained', async () => {
    const sendy = join(folder, 'sendy.csv')
    const states = ['Subscribed', 'Unsubscribed', 'Bounced', 'Marked as spam', 'Unconfirmed']
    writeFileSync(
      sendy,
      ['Name,Email,Status', ...states.map((state, n) => `P,s${n}@x.test,${state}`), ''].join('\n'),
    )
    const notes = (await run(csvSource(sendy, { map: new Map() }), { isDryRun: true })).notes
    expect(notes).toEqual([
      'No column says who is subscribed: every new contact is subscribed.',
      'The column "Status" is taken as a field. If it says who gets no email: --map "Status=subscribed"',
    ])
    const report = await run(csvSource(sendy, { map: readMap(['Status=subscribed']) }))
    expect(report).toMatchObject({ created: 5, refused: 0, suppressed: 2, notes: [] })
    const phplist = join(folder, 'phplist.csv')
    const rows = ['l0@x.test,1,0', 'l1@x.test,0,0', 'l2@x.test,1,1']
    writeFileSync(phplist, ['email,confirmed,blacklisted', ...rows, ''].join('\n'))
    const map = readMap(['confirmed=subscribed', 'blacklisted=suppressed'])
    expect(await run(csvSource(phplist, { map }))).toMatchObject({ created: 3, suppressed: 1, notes: [] })
    expect(reportText(await run(csvSource(phplist, { map: new Map() }), { isDryRun: true }), true)).toContain(
      'The column "blacklisted" is taken as a field. If it says who gets no email: --map "blacklisted=suppressed"',
    )
    const { body } = await call('GET', '/contacts?sort=email&dir=asc&limit=100')
    const told = body.data.map((one: Record<string, unknown>) => [
      String(one['email']).slice(0, 2),
      one['subscribed'],
      one['optedOutAt'] !== null,
    ])
    expect(told).toEqual([
      ['l0', true, false],
      ['l1', false, false],
      ['l2', false, true],
      ['s0', true, false],
      ['s1', false, true],
      ['s2', false, true],
      ['s3', false, true],
      ['s4', false, false],
    ])
    expect(await suppressions()).toEqual([
      ['l2@x.test', 'manual', 'import: suppressed'],
      ['s2@x.test', 'bounce', 'import: Bounced'],
      ['s3@x.test', 'complaint', 'import: Marked as spam'],
    ])
  })

  test('a heading that is not there, and a table without addresses, are refused as a whole', async () => {
    await expect(run(source(['Mail=email', 'Surname=lastName']))).rejects.toThrow('no column "surname"')
    await expect(run(source([]))).rejects.toThrow('no column of addresses')
    expect(() => readMap(['nonsense'])).toThrow('--map')
  })

  test('text that is no UTF-8 is refused, UTF-16 is read', async () => {
    const latin = join(folder, 'latin.csv')
    writeFileSync(latin, Buffer.from('email,name\nzoe@example.com,Zo\u00eb\n', 'latin1'))
    await expect(run(csvSource(latin, { map: new Map() }))).rejects.toThrow('UTF-8')
    const wide = join(folder, 'wide.csv')
    writeFileSync(wide, Buffer.from('\ufeffemail\tname\nzoe@example.com\tZoë\n', 'utf16le'))
    expect(await run(csvSource(wide, { map: new Map() }))).toMatchObject({ created: 1 })
    expect(await people()).toEqual([['zoe@example.com', true, { name: 'Zoë' }]])
  })

  test('a record that would make a contact too large is taken without its fields', async () => {
    await call('POST', '/contacts', { email: 'big@example.com', data: { before: 'x'.repeat(40_000) } })
    const path = join(folder, 'big.csv')
    writeFileSync(
      path,
      `email,after\na@example.com,1\nbig@example.com,${'y'.repeat(40_000)}\nz@example.com,2\n`,
    )
    expect(await run(csvSource(path, { map: new Map() }))).toMatchObject({
      created: 2,
      unchanged: 1,
      without: { count: 1 },
    })
  })

  test('lines are numbered as an editor does, over the border of a window too', async () => {
    const path = join(folder, 'long.csv')
    const rows = Array.from(
      { length: 40_000 },
      (_, n) => `p${n}@example.com,"two\r\nlines ${'x'.repeat(40)}"`,
    )
    writeFileSync(path, `email,note\r\n${rows.join('\r\n')}`)
    const places: Array<[line: number, email: string]> = []
    for await (const { line, cells } of readTable(path)) places.push([line, cells[0]!])
    expect(places).toHaveLength(40_001)
    expect(
      places.slice(1).every(([line, email], n) => line === 2 + 2 * n && email === `p${n}@example.com`),
    ).toBe(true)
  })
})

test.skipIf(!process.env['WAXWING_SLOW'])(
  '50,000 rows go in quickly, in memory that does not grow with the file',
  async () => {
    const path = join(folder, 'large.csv')
    const rows = Array.from(
      { length: 50_000 },
      (_, n) => `p${n}@example.com,Name ${n},${n % 3 ? 'pro' : 'free'}`,
    )
    writeFileSync(path, `email,name,plan\n${rows.join('\n')}\n`)
    Bun.gc(true)
    const [memory, began] = [process.memoryUsage.rss(), performance.now()]
    expect(await run(csvSource(path, { map: new Map() }))).toMatchObject({ read: 50_000, created: 50_000 })
    const seconds = (performance.now() - began) / 1_000
    const megabytes = (process.memoryUsage.rss() - memory) / 1e6
    console.log(`50,000 rows in ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB more`)
    expect(seconds).toBeLessThan(60)
    expect(megabytes).toBeLessThan(150)
    expect(await run(csvSource(path, { map: new Map() }))).toMatchObject({ unchanged: 50_000, created: 0 })
  },
  180_000,
)
