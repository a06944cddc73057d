// Undoing an import: contacts are as before it, unless somebody changed them since, whoever dies or writes at the same time.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { day, hour, minute } from '../../src/lib/time'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { holdImportOrder } from '../../src/modules/audience/contacts/queries'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { pruneContactJobs, runImport, runImportUndo } from '../../src/modules/audience/contacts/service'
import { recordEvents } from '../../src/modules/audience/events'
import { topicsRoutes } from '../../src/modules/audience/topics'
import { segmentsRoutes } from '../../src/modules/features/segments'
import { type Context, inTransaction } from '../../src/platform/context'
import type { Fragment } from '../../src/platform/db/cte'
import { handlerTable } from '../../src/platform/jobs/kind'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { makeRandom, seed } from '../support/random'
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
  app = makeApplication(ctx, [contactsRoutes, topicsRoutes, segmentsRoutes])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

async function upload(
  project: MadeProject,
  rows: readonly string[],
  parts: Record<string, string> = {},
): Promise<string> {
  const body = new FormData()
  body.set('file', new File([rows.join('\n')], 'people.csv', { type: 'text/csv' }))
  for (const [name, value] of Object.entries(parts)) body.set(name, value)
  const { status, body: answer } = await call(project, 'POST', '/contacts/import', body)
  expect({ status, answer }).toMatchObject({ status: 202 })
  return answer.jobId
}

const standing = async (project: MadeProject, jobId: string) =>
  (await call(project, 'GET', `/contacts/import/${jobId}`)).body

async function imported(project: MadeProject, rows: readonly string[], parts: Record<string, string> = {}) {
  const jobId = await upload(project, rows, parts)
  await drain(ctx, handlers)
  return jobId
}

async function undone(project: MadeProject, jobId: string) {
  expect((await call(project, 'POST', `/contacts/import/${jobId}/undo`)).status).toBe(202)
  await drain(ctx, handlers)
  return (await standing(project, jobId)).undo
}

/** Everything that an import may change of contacts, but for versions, the moment of the last change and the log of consent. */
async function stateOf(project: MadeProject) {
  const contacts = await ctx.sql`
    select id, email, subscribed, snoozed_until, opted_out_at, data, created_at from contacts
     where project_id = ${project.id}::uuid order by id`
  const topics = await ctx.sql`
    select contact_id, topic_id, subscribed, decided_at from contact_topics
     where project_id = ${project.id}::uuid order by contact_id, topic_id`
  const fields = await ctx.sql`
    select name, type from contact_fields where project_id = ${project.id}::uuid order by name`
  const { body } = await call(project, 'GET', '/contacts/fields')
  const { body: list } = await call(project, 'GET', '/contacts?limit=1')
  return { contacts: [...contacts], topics: [...topics], fields: [...fields], known: body, total: list.total }
}

/** The number of rows of a table that meet a condition. */
async function countOf(rows: Fragment): Promise<number> {
  const [row] = await ctx.sql<{ rows: number }[]>`select count(*)::int as rows from ${rows}`
  return row!.rows
}

const contactOf = async (project: MadeProject, email: string) =>
  (await call(project, 'GET', `/contacts?search=${encodeURIComponent(email)}`)).body.data[0]

describe('undoing an import', () => {
  test('removes what it made, and puts fields, subscriptions, topics and their types back', async () => {
    const project = await makeProject({ ctx })
    const topic = (await call(project, 'POST', '/topics', { name: 'News' })).body.id
    await call(project, 'POST', '/contacts', { email: 'old@x.test', data: { plan: 'free', keep: 1 } })
    await call(project, 'POST', '/contacts', { email: 'off@x.test', subscribed: false })
    await call(project, 'POST', '/contacts', { email: 'same@x.test', data: { plan: 'pro' } })
    clock.advance(minute)
    const before = await stateOf(project)
    const jobId = await imported(
      project,
      [
        'email,plan,since,subscribed',
        'old@x.test,gold,13.08.2020,no',
        'off@x.test,gold,1.2.2021,yes',
        'same@x.test,pro,,',
        'new@x.test,gold,,',
        'old@x.test,silver,,',
        'new@x.test,silver,31.02.2020,',
      ],
      { types: JSON.stringify(['', 'text', 'dateDayFirst', '']), topics: topic },
    )
    expect((await standing(project, jobId)).result).toMatchObject({
      createdCount: 1,
      updatedCount: 5,
      misfitCount: 1,
      misfits: [{ row: 7, email: 'new@x.test', field: 'since' }],
    })
    expect((await contactOf(project, 'old@x.test')).data).toEqual({
      ...{ plan: 'silver', since: '2020-08-13', keep: 1 },
    })
    clock.advance(minute)
    expect(await undone(project, jobId)).toEqual({
      state: 'completed',
      progress: 100,
      removedCount: 1,
      restoredCount: 3,
      keptCount: 0,
      usedCount: 0,
      changedCount: 0,
    })
    expect(await stateOf(project)).toEqual(before)
    expect(await undone(project, jobId)).toMatchObject({ removedCount: 1 })
  })

  test('leaves what was changed since, and says how many', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'twice@x.test', data: { a: 1, b: 1 } })
    await call(project, 'POST', '/contacts', { email: 'again@x.test' })
    const jobId = await imported(project, [
      'email,a,b,subscribed',
      'twice@x.test,2,2,',
      'again@x.test,,,no',
      'edited@x.test,,,',
      'active@x.test,,,',
      'plain@x.test,,,',
    ])
    clock.advance(minute)
    const id = async (email: string): Promise<string> => (await contactOf(project, email)).id
    await call(project, 'PATCH', `/contacts/${await id('twice@x.test')}`, { data: { b: 3 } })
    await call(project, 'PATCH', `/contacts/${await id('edited@x.test')}`, { data: { note: 'mine' } })
    await call(project, 'PATCH', `/contacts/${await id('again@x.test')}`, { data: { note: 'mine' } })
    const contactId = await id('active@x.test')
    await inTransaction(ctx, tx => recordEvents(tx, project.id, [{ name: 'bought', contactId, data: {} }]))
    expect(await undone(project, jobId)).toMatchObject({
      removedCount: 1,
      restoredCount: 0,
      keptCount: 1,
      usedCount: 1,
      changedCount: 2,
    })
    expect((await contactOf(project, 'twice@x.test')).data).toEqual({ a: 1, b: 3 })
    // Somebody was at that contact since: nobody is subscribed again who may have said no a second time.
    expect((await contactOf(project, 'again@x.test')).subscribed).toBe(false)
  })

  test('is refused an hour after the end, and for another project', async () => {
    const project = await makeProject({ ctx })
    const jobId = await imported(project, ['email', 'a@x.test'])
    expect((await standing(project, jobId)).undoableUntil).not.toBeNull()
    clock.advance(60 * minute)
    expect((await standing(project, jobId)).undoableUntil).toBeNull()
    expect((await call(project, 'POST', `/contacts/import/${jobId}/undo`)).status).toBe(409)
    const other = await makeProject({ ctx })
    expect((await call(other, 'POST', `/contacts/import/${jobId}/undo`)).status).toBe(404)
    clock.advance(90 * minute)
    await pruneContactJobs(ctx)
    expect(await countOf(ctx.sql`contact_import_changes where import_id = ${jobId}::uuid`)).toBe(0)
  })

  test.each([true, false])(
    'records of its changes are not left over after a long standstill (ended: %p)',
    async isOver => {
      const project = await makeProject({ ctx })
      const jobId = await imported(project, ['email', 'a@x.test'])
      if (!isOver)
        await ctx.sql`update contact_imports set finished_at = null, content = '' where id = ${jobId}::uuid`
      const rowsOf = async () => ({
        changes: await countOf(ctx.sql`contact_import_changes where import_id = ${jobId}::uuid`),
        imports: await countOf(ctx.sql`contact_imports where id = ${jobId}::uuid`),
      })
      expect(await rowsOf()).toEqual({ changes: 1, imports: 1 })
      clock.advance(31 * day)
      await pruneContactJobs(ctx)
      clock.advance(3 * hour)
      await pruneContactJobs(ctx)
      expect(await rowsOf()).toEqual({ changes: 0, imports: 0 })
    },
  )

  test('of one that still runs stops it, and nothing of it is left', async () => {
    const project = await makeProject({ ctx })
    const rows = Array.from({ length: 3_000 }, (_, n) => `p${n}@x.test,${n}`)
    const before = await stateOf(project)
    const jobId = await upload(project, ['email,number', ...rows])
    const stop = new AbortController()
    const run = { signal: stop.signal, isLastAttempt: false } as never
    const running = runImport(ctx, project.id, jobId, run)
    const ofProject = ctx.sql`contacts where project_id = ${project.id}::uuid`
    await until('some contacts are there', async () => (await countOf(ofProject)) >= 300)
    expect((await call(project, 'POST', `/contacts/import/${jobId}/undo`)).status).toBe(202)
    await running
    await drain(ctx, handlers)
    expect((await standing(project, jobId)).undo.state).toBe('completed')
    expect(await stateOf(project)).toEqual(before)
  })

  test('of one that still runs waits for its piece, and the piece not for the undo', async () => {
    const project = await makeProject({ ctx })
    const jobId = await upload(project, ['email', 'a@x.test'])
    let answer: Promise<{ status: number }> | undefined
    await inTransaction(ctx, async tx => {
      await holdImportOrder(tx, project.id)
      answer = call(project, 'POST', `/contacts/import/${jobId}/undo`)
      await until('the undo waits', async () => {
        const waiting = ctx.sql`pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock(%'`
        return (await countOf(waiting)) > 0
      })
      const free = await tx.sql`
        select id from contact_imports where project_id = ${project.id}::uuid for update nowait`
      expect(free).toHaveLength(1)
    })
    expect((await answer!).status).toBe(202)
    await drain(ctx, handlers)
  })

  test('whose process dies goes on where it was, and two runs at once count each contact once', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'p5@x.test', data: { number: 7 } })
    const rows = Array.from({ length: 900 }, (_, n) => `p${n}@x.test,${n}`)
    const before = await stateOf(project)
    const jobId = await imported(project, ['email,number', ...rows])
    await call(project, 'POST', `/contacts/import/${jobId}/undo`)
    const stop = new AbortController()
    const dying = { ...ctx, requests: { ...ctx.requests } }
    const first = runImportUndo(dying, project.id, jobId, {
      signal: stop.signal,
      isLastAttempt: false,
    } as never)
    await Promise.resolve()
    stop.abort()
    await first.catch(() => undefined)
    const go = () =>
      runImportUndo(ctx, project.id, jobId, {
        signal: new AbortController().signal,
        isLastAttempt: false,
      } as never)
    await Promise.all([go(), go()])
    await drain(ctx, handlers)
    expect((await standing(project, jobId)).undo).toMatchObject({ removedCount: 899, restoredCount: 1 })
    expect(await stateOf(project)).toEqual(before)
  })

  test('while people edit: each contact is as before the import, or as somebody left it', async () => {
    const project = await makeProject({ ctx })
    const old = Array.from({ length: 300 }, (_, n) => `p${n}@x.test`)
    for (const email of old.slice(0, 40))
      await call(project, 'POST', '/contacts', { email, data: { number: -1 } })
    const jobId = await imported(project, ['email,number', ...old.map((email, n) => `${email},${n}`)])
    clock.advance(minute)
    const ids = await ctx.sql<{ id: string; email: string }[]>`
      select id, email from contacts where project_id = ${project.id}::uuid order by email`
    await call(project, 'POST', `/contacts/import/${jobId}/undo`)
    const edited = new Map<string, number>()
    const editing = (async () => {
      for (const { id, email } of ids) {
        const { status } = await call(project, 'PATCH', `/contacts/${id}`, { data: { mine: true } })
        edited.set(email, status)
      }
    })()
    await Promise.all([editing, drain(ctx, handlers)])
    await drain(ctx, handlers)
    const left = await ctx.sql<{ email: string; data: Record<string, unknown> }[]>`
      select email, data from contacts where project_id = ${project.id}::uuid`
    const known = new Map(left.map(({ email, data }) => [email, data]))
    for (const [n, email] of old.entries()) {
      const data = known.get(email)
      if (n < 40) expect(data).toEqual({ number: -1, mine: true })
      else if (edited.get(email) === 200) expect(data).toEqual({ number: n, mine: true })
      else expect(data).toBeUndefined()
    }
    const { removedCount, keptCount } = (await standing(project, jobId)).undo
    expect(removedCount + keptCount).toBe(260)
  })

  test(`leaves contacts as before, whatever was imported (seed ${seed})`, async () => {
    const random = makeRandom()
    const pick = <T>(items: readonly T[]): T => items[random(items.length)]!
    for (let round = 0; round < 12; round++) {
      const project = await makeProject({ ctx })
      const topics = []
      for (const [n, byDefault] of [true, false].entries()) {
        const made = await call(project, 'POST', '/topics', { name: `T${n}`, subscribedByDefault: byDefault })
        topics.push(made.body.id)
      }
      for (let n = 0; n < 12; n++) {
        const data = { a: pick(['x', 'y']), ...(random(2) ? { b: random(3) } : {}) }
        const { body } = await call(project, 'POST', '/contacts', {
          ...{ email: `p${n}@x.test`, data, subscribed: random(3) > 0 },
        })
        if (random(4) === 0)
          await call(project, 'PATCH', `/contacts/${body.id}`, { subscribed: random(2) === 0 })
        if (random(3) === 0)
          await call(project, 'PATCH', `/contacts/${body.id}/topics`, {
            topics: [{ id: pick(topics), subscribed: random(2) === 0 }],
          })
      }
      clock.advance(minute)
      const before = await stateOf(project)
      const rows = Array.from({ length: 40 }, () =>
        [
          `p${random(24)}@x.test`,
          pick(['x', 'y', 'z', '']),
          pick(['1', '2', '', 'many']),
          pick(['', '', 'yes', 'no', 'unsubscribed']),
          pick(['', '', 'yes', 'no']),
          pick(['', '5', '1,5']),
        ].join(';'),
      )
      const jobId = await imported(project, ['email;a;b;subscribed;topic:T0;c', ...rows], {
        existing: pick(['update', 'fill', 'keep']),
        consent: pick(['given', 'none']),
        misfits: pick(['keep', 'skip']),
        types: JSON.stringify(['', '', '', '', '', 'numberComma']),
        ...(random(2) ? { topics: topics[1]! } : {}),
        ...(random(2) ? { consentSource: 'Trade fair', consentDate: '2025-03-04' } : {}),
      })
      clock.advance(minute)
      expect(await undone(project, jobId)).toMatchObject({ keptCount: 0, usedCount: 0, changedCount: 0 })
      expect(await stateOf(project)).toEqual(before)
    }
  })
})

describe('what a person chooses for an import', () => {
  const existing = ['email;a;b', 'old@x.test;2;2', 'old@x.test;3;3', 'new@x.test;4;', 'new@x.test;5;5']
  test.each([
    ['update', { a: 3, b: 3 }, { a: 5, b: 5 }],
    ['fill', { a: 1, b: 2 }, { a: 4, b: 5 }],
    ['keep', { a: 1 }, { a: 4 }],
  ])('of contacts that are there: %s', async (mode, old, made) => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'old@x.test', data: { a: 1 } })
    await imported(project, existing, { existing: mode })
    expect((await contactOf(project, 'old@x.test')).data).toEqual(old)
    expect((await contactOf(project, 'new@x.test')).data).toEqual(made)
  })

  test('where and when people agreed is in the log of consent of those who did, and of nobody else', async () => {
    const project = await makeProject({ ctx })
    const topic = (await call(project, 'POST', '/topics', { name: 'News' })).body.id
    await imported(project, ['email,subscribed', 'yes@x.test,', 'no@x.test,no'], {
      ...{ consentSource: ' Box in our shop ', consentDate: '2025-03-04', topics: topic },
    })
    const log = async (email: string) => {
      const { id } = await contactOf(project, email)
      return (await call(project, 'GET', `/contacts/${id}/consent`)).body.data
    }
    const agreed = {
      at: '2025-03-04T00:00:00.000Z',
      source: 'import',
      evidence: 'Box in our shop · people.csv',
    }
    expect(await log('yes@x.test')).toMatchObject([agreed, agreed])
    expect(await log('no@x.test')).toEqual([])
  })

  test('without consent nobody is subscribed whom the file does not name', async () => {
    const project = await makeProject({ ctx })
    await imported(project, ['email,subscribed', 'a@x.test,', 'b@x.test,yes'], { consent: 'none' })
    expect((await contactOf(project, 'a@x.test')).subscribed).toBe(false)
    expect((await contactOf(project, 'b@x.test')).subscribed).toBe(true)
  })

  test('types and misfits, by the form of the file; a field that is known keeps its type', async () => {
    const project = await makeProject({ ctx })
    await call(project, 'POST', '/contacts', { email: 'first@x.test', data: { zip: '01730' } })
    const file = ['email;sum;since;vip;zip', 'a@x.test;1.211,92;13.08.2020;ja;90210', 'b@x.test;viel;;nein;1']
    const parts = { types: JSON.stringify(['', 'numberComma', 'dateDayFirst', 'boolean', 'number']) }
    await imported(project, file, { ...parts, misfits: 'skip' })
    expect((await contactOf(project, 'a@x.test')).data).toEqual({
      ...{ sum: 1211.92, since: '2020-08-13', vip: true, zip: '90210' },
    })
    expect((await contactOf(project, 'b@x.test')).data).toEqual({ vip: false, zip: '1' })
    await imported(project, file, parts)
    expect((await contactOf(project, 'b@x.test')).data).toEqual({ sum: 'viel', vip: false, zip: '1' })
    const { fields } = (await call(project, 'GET', '/contacts/fields')).body
    const types = fields.map(({ field, type }: { field: string; type: string }) => [field, type])
    expect(types).toEqual(
      expect.arrayContaining([
        ['data.since', 'date'],
        ['data.sum', 'number'],
        ['data.vip', 'boolean'],
        ['data.zip', 'string'],
      ]),
    )
  })

  test('a segment gets everyone in the file', async () => {
    const project = await makeProject({ ctx })
    const { body } = await call(project, 'POST', '/segments', { name: 'Fair', type: 'STATIC' })
    await imported(project, ['email', 'a@x.test', 'b@x.test', 'a@x.test'], { segmentId: body.id })
    expect((await call(project, 'GET', `/segments/${body.id}`)).body.memberCount).toBe(2)
    const unknown = new FormData()
    unknown.set('file', new File(['email\na@x.test'], 'a.csv', { type: 'text/csv' }))
    unknown.set('segmentId', Bun.randomUUIDv7())
    expect((await call(project, 'POST', '/contacts/import', unknown)).status).toBe(404)
  })

  test.each([
    ['types', '["money"]', 400],
    ['types', 'number', 400],
    ['existing', 'replace', 422],
    ['consentDate', 'yesterday', 422],
  ])('is refused if it is unknown: %s %s', async (name, value, status) => {
    const project = await makeProject({ ctx })
    const body = new FormData()
    body.set('file', new File(['email\na@x.test'], 'a.csv', { type: 'text/csv' }))
    body.set(name, value)
    expect((await call(project, 'POST', '/contacts/import', body)).status).toBe(status)
  })
})
