// CSV imports: what is refused, what rows mean, that a crash loses nothing and does nothing twice.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { hour, minute } from '../../src/lib/time'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { pruneContactJobs, runImport } from '../../src/modules/audience/contacts/service'
import { type Context, inTransaction } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { liveRequests } from '../../src/platform/requests'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { makeRandom } from '../support/random'
import { request } from '../support/request'
import { until } from '../support/until'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [contactsRoutes])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

function form(content: string | Uint8Array<ArrayBuffer>, name = 'people.csv', type = 'text/csv'): FormData {
  const body = new FormData()
  body.set('file', new File([content], name, { type }))
  return body
}

const upload = async (project: MadeProject, content: string | Uint8Array<ArrayBuffer>): Promise<string> =>
  (await call(project, 'POST', '/contacts/import', form(content))).body.jobId
const standing = async (project: MadeProject, jobId: string) =>
  (await call(project, 'GET', `/contacts/import/${jobId}`)).body

/** Imports a file to its end and answers how it stands. */
async function imported(project: MadeProject, content: string | Uint8Array<ArrayBuffer>) {
  const jobId = await upload(project, content)
  await drain(ctx, handlers)
  return standing(project, jobId)
}

async function contactsOf(project: MadeProject) {
  return [
    ...(await ctx.sql<{ email: string; subscribed: boolean; data: unknown }[]>`
      select email, subscribed, data from contacts where project_id = ${project.id}::uuid order by email`),
  ]
}

/** The stored parts of its files, and the transaction that stored each. */
const partsOf = (project: MadeProject) =>
  ctx.sql<{ content: Buffer; stored: string }[]>`
    select content, xmin::text as stored from contact_import_parts where project_id = ${project.id}::uuid order by part`

describe('an import', () => {
  test('of a file that is read in many windows takes each row once, while people ask for answers', async () => {
    const project = await makeProject({ ctx })
    const rows = Array.from({ length: 4_000 }, (_, n) => `p${n}@x.test,"${'note\n'.repeat(n % 40)}${n}"`)
    rows.splice(2_000, 0, '\n'.repeat(300_000))
    const jobId = await upload(project, `email,note\n${rows.join('\n')}`)
    const running = drain(ctx, handlers)
    for (let n = 0; n < 20; n++) {
      const asked = { startedAt: performance.now() }
      ctx.requests.begin(asked)
      await Bun.sleep(10)
      ctx.requests.end(asked)
    }
    await running
    expect(await standing(project, jobId)).toMatchObject({
      state: 'completed',
      progress: 100,
      result: { createdCount: 4_000, updatedCount: 0, failureCount: 0 },
    })
    const [sample] = await ctx.sql`
      select count(*)::int as count, count(*) filter (where data->>'note' like '%' || substring(email from 2 for position('@' in email) - 2))::int as right
        from contacts where project_id = ${project.id}::uuid`
    expect(sample).toEqual({ count: 4_000, right: 4_000 })
  })

  test('creates and updates contacts, tells what failed and where, and records flips of existing ones', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'old@x.test', data: { plan: 'free', keep: 1 } })
    const file = [
      '\ufeffplan,Email,subscribed,First Name,id',
      'pro,NEW@x.test,no,"Ada\r\nLovelace",5',
      'pro,old@x.test,false,,',
      ',,true,,',
      'gold,nobody,,,',
      'gold,late@x.test',
      'gold,new@x.test,,,,,too many',
      'x,"broken@x.test"y',
      '12,last@x.test,1,No,',
    ].join('\r\n')
    const jobId = await upload(project, file)
    expect(await standing(project, jobId)).toEqual({
      id: jobId,
      state: 'waiting',
      progress: 0,
      failedReason: null,
      result: null,
      data: { projectId: project.id, filename: 'people.csv' },
      undoableUntil: new Date(clock.now().getTime() + hour).toISOString(),
      undo: null,
    })
    await drain(ctx, handlers)
    expect(await standing(project, jobId)).toEqual({
      id: jobId,
      state: 'completed',
      progress: 100,
      failedReason: null,
      result: {
        totalRows: 8,
        successCount: 5,
        createdCount: 3,
        updatedCount: 2,
        failureCount: 3,
        errors: [
          { row: 5, email: '', error: 'The address is missing' },
          { row: 6, email: 'nobody', error: 'The address is not valid' },
          { row: 9, email: '', error: 'There is text after a closing quotation mark' },
        ],
        optedOutCount: 0,
        optedOut: [],
        unchangedCount: 0,
        misfitCount: 0,
        misfits: [],
        warnings: [],
      },
      data: { projectId: project.id, filename: 'people.csv' },
      undoableUntil: new Date(clock.now().getTime() + hour).toISOString(),
      undo: null,
    })
    expect(await contactsOf(project)).toEqual([
      { email: 'last@x.test', subscribed: true, data: { plan: '12', 'First Name': 'No' } },
      { email: 'late@x.test', subscribed: true, data: { plan: 'gold' } },
      { email: 'new@x.test', subscribed: false, data: { plan: 'gold', 'First Name': 'Ada\r\nLovelace' } },
      { email: 'old@x.test', subscribed: false, data: { plan: 'pro', keep: 1 } },
    ])
    const events = await ctx.sql<
      { name: string }[]
    >`select name from events where project_id = ${project.id}::uuid`
    expect(events.map(event => event.name)).toEqual(['contact.unsubscribed'])
  })

  test('takes no word for consent that it does not know', async () => {
    const project = await makeProject({ ctx })
    const file = 'email,subscribed\na@x.test,maybe\nb@x.test,Nein\nc@x.test,oui\nd@x.test,'
    const { result } = await imported(project, file)
    expect(result).toMatchObject({ createdCount: 3, failureCount: 1 })
    expect(result.errors).toEqual([
      { row: 2, email: 'a@x.test', error: 'subscribed: "maybe" is neither yes nor no' },
    ])
    expect((await contactsOf(project)).map(({ email, subscribed }) => [email, subscribed])).toEqual([
      ['b@x.test', false],
      ['c@x.test', true],
      ['d@x.test', true],
    ])
  })

  test('takes yes and no for booleans only where the field is known as boolean', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'a@x.test', data: { vip: true } })
    await imported(project, 'email,vip,surname\nb@x.test,yes,No\n')
    expect((await contactsOf(project))[1]!.data).toEqual({ vip: true, surname: 'No' })
  })

  test.each<[what: string, content: string, told?: string]>([
    [
      'without a column of addresses',
      'name,,"Last\tname"\nAda\n',
      'The file has no column "email" in its first row; it has name, , Lastname',
    ],
    [
      'without headings',
      `${Array.from({ length: 13 }, (_, index) => `${index}${'x'.repeat(60)}`).join(',')}\n`,
      `it has ${Array.from({ length: 12 }, (_, index) => `${index}${'x'.repeat(60)}`.slice(0, 50)).join(', ')}, …`,
    ],
    ['without rows', 'email,name\n\n'],
    ['that is empty', ''],
    ['that is blank', '\n\n\n'],
    [
      'with the same heading twice',
      'email,name,name,email\na@x.test,Ada,Grace,b@x.test\n',
      'The first row has "name" in column 2 and again in column 3: rename or remove one of them',
    ],
    ['with a broken first row', 'email,"na"me\na@x.test,1\n'],
    [
      'with too many columns',
      `email,${Array.from({ length: 5_001 }, (_, index) => `f${index}`).join(',')}\na@x.test\n`,
    ],
  ])('of a file %s fails and says why', async (_, content, told = '') => {
    const project = await makeProject({ ctx })
    const job = await imported(project, content)
    expect(job).toMatchObject({ state: 'failed', result: null })
    expect(job.failedReason).toMatch(/^The (file|first row)/)
    expect(job.failedReason).toEndWith(told)
    expect(await contactsOf(project)).toEqual([])
  })

  test('of rows that a contact has no room for blames those rows alone', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'full@x.test', data: { big: 'x'.repeat(65_000) } })
    const rows = Array.from({ length: 40 }, (_, index) => `u${index}@x.test,${'y'.repeat(10)}`)
    rows.splice(17, 0, `full@x.test,${'y'.repeat(1_000)}`)
    const job = await imported(project, `email,more\n${rows.join('\n')}\n`)
    expect(job.result).toMatchObject({ totalRows: 41, createdCount: 40, failureCount: 1 })
    expect(job.result.errors).toMatchObject([{ row: 19, email: 'full@x.test' }])
  })

  test('takes other headings than those of the file, and names the same lines', async () => {
    const project = await makeProject({ ctx })
    for (const head of [
      'Mail;"Which; one,\ntwo, three?";Drop',
      'sep=;\n\nMail;Name;Drop',
      'Mail;Name;Drop',
    ]) {
      const body = form(`${head}\r\nbad;x;1\r\na@x.test;Zoë;2\n`)
      body.set('columns', JSON.stringify(['email', 'data.subscribed', '']))
      const { jobId } = (await call(project, 'POST', '/contacts/import', body)).body
      await drain(ctx, handlers)
      const { result } = await standing(project, jobId)
      expect(result.errors).toMatchObject([{ row: head.split('\n').length + 1, email: 'bad' }])
    }
    expect(await contactsOf(project)).toEqual([
      { email: 'a@x.test', subscribed: true, data: { subscribed: 'Zoë' } },
    ])
    for (const columns of ['email', '{}', '[1]']) {
      const body = form('email\n')
      body.set('columns', columns)
      expect((await call(project, 'POST', '/contacts/import', body)).status).toBe(400)
    }
  })

  test('names the line of the file, whatever is blank in it, and keeps the true faults on the list', async () => {
    const project = await makeProject({ ctx })
    const blank = ',\n'.repeat(1_500)
    const file = `sep=;\n\nemail;name\n${blank.replaceAll(',', ';')}bad address;x\n\n;;\nok@x.test;y\n\x1a`
    const { result } = await imported(project, file)
    expect(result).toMatchObject({ totalRows: 2, createdCount: 1, failureCount: 1 })
    expect(result.errors).toEqual([{ row: 1_504, email: 'bad address', error: 'The address is not valid' }])
  })

  test('gives a column one type, which is that of its field where that is known', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', {
      email: 'old@x.test',
      data: { phone: '+49 1', seats: 1, vip: true },
    })
    const rows = [
      'a@x.test,90210,4917012345,12,yes,7',
      'b@x.test,01730,0170,n/a,No,8',
      'c@x.test,10001,1,3,perhaps,',
    ]
    await imported(project, `email,zip,phone,seats,vip,n\n${rows.join('\n')}\n`)
    expect((await contactsOf(project)).map(({ data }) => data)).toEqual([
      { zip: '90210', phone: '4917012345', seats: 12, vip: true, n: 7 },
      { zip: '01730', phone: '0170', seats: 'n/a', vip: false, n: 8 },
      { zip: '10001', phone: '1', seats: 3, vip: 'perhaps' },
      { phone: '+49 1', seats: 1, vip: true },
    ])
    const { body } = await call(project, 'GET', '/contacts/fields')
    expect(body.fields).toContainEqual(expect.objectContaining({ field: 'data.zip', type: 'string' }))
    await imported(project, 'email,zip\nd@x.test,4000\n')
    expect((await contactsOf(project))[3]!.data).toEqual({ zip: '4000' })
  })

  test('knows the type of a column by rows far behind the first piece', async () => {
    const project = await makeProject({ ctx })
    const rows = Array.from(
      { length: 12_000 },
      (_, n) => `p${n}@x.test,${n === 11_999 ? '01730' : 10_000 + n}`,
    )
    await imported(project, `email,zip\n${rows.join('\n')}\n`)
    const [texts] = await ctx.sql`
      select count(*)::int as texts from contacts
       where project_id = ${project.id}::uuid and jsonb_typeof(data -> 'zip') = 'string'`
    expect(texts).toEqual({ texts: 12_000 })
  })

  test('keeps a thousand faults and counts the others', async () => {
    const project = await makeProject({ ctx })
    const job = await imported(project, `email\n${'nobody\n'.repeat(1_700)}`)
    expect(job.result).toMatchObject({ totalRows: 1_700, successCount: 0, failureCount: 1_700 })
    expect(job.result.errors).toHaveLength(1_000)
    expect(job.result.errors.at(-1).row).toBe(1_001)
  })

  test('drops the file as soon as it has ended, and the project of the file alone can ask for it', async () => {
    const [project, other] = [await makeProject({ ctx }), await makeProject({ ctx })]
    const jobId = await upload(project, 'email\na@x.test\n')
    expect((await call(other, 'GET', `/contacts/import/${jobId}`)).status).toBe(404)
    await drain(ctx, handlers)
    const [row] = await ctx.sql`select content from contact_imports where id = ${jobId}::uuid`
    expect(row!['content']).toBeNull()
    expect(await partsOf(project)).toHaveLength(0)
    expect(await contactsOf(other)).toEqual([])
    for (const id of ['x', Bun.randomUUIDv7()])
      expect((await call(project, 'GET', `/contacts/import/${id}`)).status).toBe(404)
  })

  test('of fifty thousand rows is done in turns, between which others have theirs', async () => {
    const project = await makeProject({ ctx })
    const rows = Array.from(
      { length: 50_000 },
      (_, index) => `user${index}@x.test,Name ${index},${index % 90},pro`,
    )
    const jobId = await upload(project, `email,name,age,plan\n${rows.join('\n')}\n`)
    const runs = await drain(ctx, handlers)
    expect(runs.filter(run => run.kind === 'contact.importParts').map(run => run.outcome.type)).toEqual([
      ...Array.from({ length: 5 }, () => 'snoozed' as const),
      'completed',
    ])
    const job = await standing(project, jobId)
    expect(job.result).toMatchObject({ totalRows: 50_000, createdCount: 50_000 })
    const { body } = await call(project, 'GET', '/contacts/fields')
    expect(body.fields.find((field: { field: string }) => field.field === 'data.age')).toMatchObject({
      type: 'number',
      coverage: 1,
    })
  })
})

describe('an import whose process dies', () => {
  /** Fails when the run asks for one id more than that: in the middle of a batch, rows written and not committed. */
  function dyingContext(after: number): Context {
    let steps = 0
    return {
      ...ctx,
      random: {
        ...ctx.random,
        uuid(at) {
          if (++steps > after) throw new Error('the process died')
          return ctx.random.uuid(at)
        },
      },
    }
  }
  const rows = Array.from({ length: 2_600 }, (_, index) => `u${index}@x.test,${index % 2 === 0},${index}`)
  const file = `email,subscribed,n\n${rows.join('\n')}\n`
  const run = (isLastAttempt: boolean, signal = new AbortController().signal) =>
    ({ signal, isLastAttempt, progress: () => {} }) as unknown as Parameters<typeof runImport>[3]

  test('goes on behind the last batch: every row once, every flip once', async () => {
    const project = await makeProject({ ctx })
    await imported(project, `email\n${rows.map(row => row.split(',')[0]).join('\n')}\n`)
    const jobId = await upload(project, file)
    // A batch takes an id for each row and one for each flip's event: the third dies in its middle, then the fourth.
    for (const survived of [1_900, 1_000]) {
      await expect(runImport(dyingContext(survived), project.id, jobId, run(false))).rejects.toThrow(
        'the process died',
      )
      expect(await standing(project, jobId)).toMatchObject({ state: 'active' })
    }
    const half = await standing(project, jobId)
    expect(half.progress).toBeGreaterThan(10)
    expect(half.progress).toBeLessThan(100)
    await drain(ctx, handlers)
    expect((await standing(project, jobId)).result).toMatchObject({
      totalRows: 2_600,
      createdCount: 0,
      updatedCount: 2_600,
    })
    const [events] = await ctx.sql<{ events: number; contacts: number }[]>`
      select count(*) as events, count(distinct contact_id) as contacts from events where project_id = ${project.id}::uuid`
    expect(events).toEqual({ events: 1_300, contacts: 1_300 })
    const contacts = await contactsOf(project)
    expect(
      contacts.every(contact => contact.subscribed === ((contact.data as { n: number }).n % 2 === 0)),
    ).toBe(true)
  })

  test('creates every contact once, however often it dies', async () => {
    const project = await makeProject({ ctx })
    const jobId = await upload(project, file)
    for (let round = 0; round < 2; round++)
      await expect(runImport(dyingContext(1_100), project.id, jobId, run(false))).rejects.toThrow(
        'the process died',
      )
    await drain(ctx, handlers)
    expect((await standing(project, jobId)).result).toMatchObject({
      totalRows: 2_600,
      createdCount: 2_600,
      updatedCount: 0,
    })
  })

  test('and is taken up while the dead one still writes, does every row once', async () => {
    const project = await makeProject({ ctx })
    const jobId = await upload(project, file)
    await Promise.all([1, 2, 3].map(() => runImport(ctx, project.id, jobId, run(false))))
    expect((await standing(project, jobId)).result).toMatchObject({
      totalRows: 2_600,
      createdCount: 2_600,
      updatedCount: 0,
    })
  })

  test.each([
    ['whole pieces', 0, 500],
    ['small ones, since requests come steadily', 40, 700],
  ])('in its last attempt has failed, says so and keeps what was done: %s', async (_, many, done) => {
    const project = await makeProject({ ctx })
    const jobId = await upload(project, file)
    const requests = liveRequests()
    for (let n = 0; n < many; n++) requests.begin({ startedAt: performance.now() })
    const dying = { ...dyingContext(700), requests }
    await expect(runImport(dying, project.id, jobId, run(true))).rejects.toThrow('the process died')
    const job = await standing(project, jobId)
    expect(job).toMatchObject({ state: 'failed', result: { totalRows: done, createdCount: done } })
    expect(job.failedReason).not.toContain('process died')
    await drain(ctx, handlers)
    expect(await contactsOf(project)).toHaveLength(done)
  })

  test('told to stop, it stops between batches and is not failed', async () => {
    const project = await makeProject({ ctx })
    const jobId = await upload(project, file)
    await expect(
      runImport(ctx, project.id, jobId, run(true, AbortSignal.abort(new Error('stopping')))),
    ).rejects.toThrow('stopping')
    expect(await standing(project, jobId)).toMatchObject({ state: 'waiting', failedReason: null })
  })
})

/** As it goes over the wire; the runtime's own forms declare the type that the name has. */
function declared(name: string, type: string, isSecond = false): Blob {
  const part = (disposition: string, more: string, content: string): string =>
    `--mark\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
  const first = isSecond ? part('name="note"', '', 'x') : ''
  const file = part(`name="file"; filename="${name}"`, `Content-Type: ${type}\r\n`, 'email\na@x.test')
  return new Blob([`${first}${file}--mark--\r\n`], { type: 'multipart/form-data; boundary=mark' })
}

describe('an upload', () => {
  const part = (name: string, value: string | File) => {
    const body = new FormData()
    body.set(name, value as File)
    return body
  }
  test.each<[string, () => unknown, number]>([
    ['of a CSV by type, without an ending', () => form('email\n', 'list', 'text/csv'), 202],
    ['of a CSV by type, with another ending', () => declared('people.txt', 'text/csv'), 202],
    [
      'of a CSV by type, after another part',
      () => declared('people.txt', 'text/csv; charset=utf-8', true),
      202,
    ],
    ['of text by type and name', () => declared('people.txt', 'text/plain'), 400],
    ['of a CSV by name', () => form('email\n', 'LIST.CSV', 'application/vnd.ms-excel'), 202],
    ['without a file', () => part('other', 'x'), 400],
    ['of another type', () => form('email\n', 'list.xlsx', 'application/zip'), 400],
    ['that is no text', () => form(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), 'list.csv'), 400],
    ['in Latin-1', () => form(Uint8Array.from(Buffer.from('email\nJürgen\n', 'latin1')), 'list.csv'), 400],
    ['of too many lines', () => form('\n'.repeat(500_001)), 400],
    ['of exactly 5 MB', () => form(`email\n${'x'.repeat(5 * 1024 ** 2 - 6)}`), 202],
    ['of a byte more', () => form(`email\n${'x'.repeat(5 * 1024 ** 2 - 5)}`), 413],
    ['of far more', () => form('x'.repeat(6 * 1024 ** 2)), 413],
    ['of text where the file should be', () => part('file', 'email\na@x.test'), 422],
    ['of JSON', () => ({ file: 'email' }), 422],
  ])('%s is answered %#', async (_, body, status) => {
    const project = await makeProject({ ctx })
    expect((await call(project, 'POST', '/contacts/import', body())).status).toBe(status)
    await drain(ctx, handlers)
  })

  test.each(['\ufeff', ''])('in UTF-16 is read: mark %j', async mark => {
    const project = await makeProject({ ctx })
    await imported(project, Uint8Array.from(Buffer.from(`${mark}email,name\na@x.test,Jürgen\n`, 'utf16le')))
    expect(await contactsOf(project)).toMatchObject([{ data: { name: 'Jürgen' } }])
  })

  test.each([
    ['letters of all lengths', 'email,name\r\na@x.test,"Zoë 汉 🦆 \\x41 \\ \'"\r\n'],
    ['a zero byte', 'email,name\na@x.test,a\0b\nb@x.test,Bob\n'],
  ])('with %s is kept to the byte', async (_, content) => {
    const project = await makeProject({ ctx })
    await upload(project, content)
    const parts = await partsOf(project)
    expect(Buffer.concat(parts.map(part => Bun.zstdDecompressSync(part.content))).toString()).toBe(content)
    await drain(ctx, handlers)
  })

  test('of five megabytes is stored in many small transactions, whatever is in it, and read across them', async () => {
    const project = await makeProject({ ctx })
    const random = makeRandom(7)
    const rows = Array.from({ length: 2_200 }, (_, n) => {
      const noise = Buffer.from(Uint8Array.from({ length: 1_650 }, () => random(256))).toString('base64')
      return `p${n}@x.test,${noise},${Bun.hash(noise)}`
    })
    await upload(project, `email,noise,hash\n${rows.join('\n')}`)
    const parts = await partsOf(project)
    expect(new Set(parts.map(({ stored }) => stored)).size).toBe(parts.length)
    expect(Math.max(...parts.map(({ content }) => content.length))).toBeLessThan(260_000)
    await drain(ctx, handlers)
    const read = await ctx.sql<{ data: { noise: string; hash: string } }[]>`
      select data from contacts where project_id = ${project.id}::uuid`
    expect(read.filter(({ data }) => String(Bun.hash(data.noise)) === String(data.hash))).toHaveLength(2_200)
  })

  test('that an older release has stored and queued is read from its record', async () => {
    const project = await makeProject({ ctx })
    const content = Buffer.from(
      `email,name\n${Array.from({ length: 30_000 }, (_, n) => `p${n}@x.test,Name ${n}`).join('\n')}`,
    )
    const jobId = await upload(project, 'email\n')
    await ctx.sql`delete from contact_import_parts where project_id = ${project.id}::uuid`
    await ctx.sql`update contact_imports set content = ${content}, size = ${content.length} where id = ${jobId}::uuid`
    await ctx.sql`update jobs set kind = 'contact.import' where kind = 'contact.importParts' and state = 'queued'`
    await drain(ctx, handlers)
    expect((await standing(project, jobId)).result).toMatchObject({ createdCount: 30_000, failureCount: 0 })
  })

  test('that was cut short while it was stored leaves nothing behind for long, and one that waits keeps its file', async () => {
    const project = await makeProject({ ctx })
    await upload(project, 'email\na@x.test\n')
    await ctx.sql`
      insert into contact_import_parts select project_id, ${Bun.randomUUIDv7()}::uuid, part, content, created_at
        from contact_import_parts where project_id = ${project.id}::uuid`
    const { signal } = new AbortController()
    await pruneContactJobs(ctx, signal)
    expect(await partsOf(project)).toHaveLength(2)
    clock.advance(61 * minute)
    await pruneContactJobs(ctx, signal)
    expect(await partsOf(project)).toHaveLength(1)
    await drain(ctx, handlers)
    expect(await contactsOf(project)).toMatchObject([{ email: 'a@x.test' }])
  })

  test('is refused while twenty wait, and taken again afterwards', async () => {
    const project = await makeProject({ ctx })
    for (let each = 0; each < 20; each++) await upload(project, 'email\na@x.test\n')
    const refused = await call(project, 'POST', '/contacts/import', form('email\na@x.test\n'))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await offered(project)).toEqual({ status: 429, isRead: false })
    await drain(ctx, handlers)
    expect(await offered(project)).toEqual({ status: 202, isRead: true })
    await drain(ctx, handlers)
  })

  test('is stored after a rest where the project has just stored another and somebody wants answers', async () => {
    const project = await makeProject({ ctx })
    const answered: number[] = []
    const store = () => upload(project, 'email\na@x.test\n').then(() => answered.push(performance.now()))
    const isHeld = async (): Promise<boolean> => {
      const [row] = await ctx.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%contact_imports%'`
      return row!.count > 0
    }
    let both: Promise<unknown>[] = []
    await inTransaction(ctx, async ({ sql }) => {
      await sql`lock table contact_imports in exclusive mode`
      both = [store(), store()]
      await until('one waits for the lock', isHeld)
      await Bun.sleep(100)
      ctx.requests.begin({ startedAt: performance.now() })
    })
    await Promise.all(both)
    expect(answered[1]! - answered[0]!).toBeGreaterThan(4 * 100 - 10)
    await drain(ctx, handlers)
  })
})

/** What a file is answered, and whether any of it was read. */
async function offered({ secretKey }: MadeProject): Promise<{ status: number; isRead: boolean }> {
  const { headers, body } = new Response(form('email\na@x.test\n'))
  const asked = new Request('http://localhost/contacts/import', {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': headers.get('content-type')! },
    body: await new Response(body).bytes(),
  })
  asked.headers.set('content-length', '100')
  const { status } = await app.handle(asked)
  return { status, isRead: asked.bodyUsed }
}

test('an import whose job was given up is failed, frees its file and its place, and is forgotten in the end', async () => {
  const project = await makeProject({ ctx })
  const jobs = await Promise.all(Array.from({ length: 20 }, () => upload(project, 'email\na@x.test\n')))
  await ctx.sql`update jobs set state = 'failed', finished_at = ${clock.now()} where kind = 'contact.importParts' and id in (
                  select job_id from contact_imports where project_id = ${project.id}::uuid)`
  const { state, failedReason } = await standing(project, jobs[0]!)
  expect(state).toBe('failed')
  expect((await call(project, 'POST', '/contacts/import', form('email\n'))).status).toBe(429)
  const { signal } = new AbortController()
  await pruneContactJobs(ctx, signal)
  expect(await standing(project, jobs[0]!)).toMatchObject({ state: 'failed', failedReason, result: null })
  const waiting = await call(project, 'POST', '/contacts/import', form('email\nb@x.test\n'))
  await pruneContactJobs(ctx, signal)
  expect((await standing(project, waiting.body.jobId)).state).toBe('waiting')
  const { ctx: later, clock: hands } = testContext(database)
  hands.set(clock.now())
  hands.advance(31 * 86_400_000)
  await pruneContactJobs(later, signal)
  expect((await call(project, 'GET', `/contacts/import/${jobs[0]}`)).status).toBe(404)
})
