// Undoing an import after somebody said the same again: a second no stays, whoever says it, and what other files say.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { minute } from '../../src/lib/time'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { runImport } from '../../src/modules/audience/contacts/service'
import { topicsRoutes } from '../../src/modules/audience/topics'
import { segmentsRoutes } from '../../src/modules/features/segments'
import type { Context } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { Snooze } from '../../src/platform/jobs/outcome'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  const made = testContext(database, { rateLimitPerMinute: 0 })
  ;({ clock } = made)
  // Two questions for the time never have the same answer.
  const ticking = {
    now: () => {
      clock.advance(1)
      return clock.now()
    },
  }
  ctx = { ...made.ctx, clock: ticking }
  app = makeApplication(ctx, [contactsRoutes, topicsRoutes, segmentsRoutes])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

async function upload(project: MadeProject, rows: readonly string[], parts: Record<string, string> = {}) {
  const body = new FormData()
  body.set('file', new File([rows.join('\n')], 'people.csv', { type: 'text/csv' }))
  for (const [name, value] of Object.entries(parts)) body.set(name, value)
  return await call(project, 'POST', '/contacts/import', body)
}

async function imported(project: MadeProject, rows: readonly string[], parts: Record<string, string> = {}) {
  const { status, body } = await upload(project, rows, parts)
  expect({ status, body }).toMatchObject({ status: 202 })
  await drain(ctx, handlers)
  return body.jobId as string
}

const standing = async (project: MadeProject, jobId: string) =>
  (await call(project, 'GET', `/contacts/import/${jobId}`)).body

const askUndo = (project: MadeProject, jobId: string) =>
  call(project, 'POST', `/contacts/import/${jobId}/undo`)

async function undone(project: MadeProject, jobId: string) {
  expect((await askUndo(project, jobId)).status).toBe(202)
  await drain(ctx, handlers)
  return (await standing(project, jobId)).undo
}

const contactOf = async (project: MadeProject, email: string) =>
  (await call(project, 'GET', `/contacts?search=${encodeURIComponent(email)}`)).body.data[0]

async function topicOf(project: MadeProject, byDefault = false): Promise<string> {
  return (await call(project, 'POST', '/topics', { name: 'News', subscribedByDefault: byDefault })).body.id
}

async function wants(project: MadeProject, email: string): Promise<boolean> {
  const { id } = await contactOf(project, email)
  return (await call(project, 'GET', `/contacts/${id}/topics`)).body.data[0].subscribed
}

test('topics that a file decided are taken back, though time goes on while it is read', async () => {
  const project = await makeProject({ ctx })
  const topics = await topicOf(project)
  await call(project, 'POST', '/contacts', { email: 'p@x.test' })
  const jobId = await imported(project, ['email', 'p@x.test'], { topics })
  expect(await wants(project, 'p@x.test')).toBe(true)
  expect(await undone(project, jobId)).toMatchObject({ restoredCount: 1, changedCount: 0 })
  expect(await wants(project, 'p@x.test')).toBe(false)
})

const secondNos: Record<string, (project: MadeProject, id: string, email: string) => Promise<unknown>> = {
  'a request for the contact': (project, id) =>
    call(project, 'PATCH', `/contacts/${id}`, { subscribed: false }),
  'a request with the address': (project, _, email) =>
    call(project, 'POST', '/contacts', { email, subscribed: false }),
  'many at once': async (project, id) => {
    await call(project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: [id] })
    await drain(ctx, handlers)
  },
}

test.each(Object.keys(secondNos))('a second no stays: by %s', async name => {
  const project = await makeProject({ ctx })
  await call(project, 'POST', '/contacts', { email: 'old@x.test' })
  const jobId = await imported(project, ['email,subscribed', 'old@x.test,no', 'new@x.test,no'])
  const log = async (id: string) => (await call(project, 'GET', `/contacts/${id}/consent`)).body.data.length
  for (const email of ['old@x.test', 'new@x.test']) {
    const { id } = await contactOf(project, email)
    const before = await log(id)
    await secondNos[name]!(project, id, email)
    // Who was created unsubscribed had not been asked before.
    if (email === 'old@x.test') expect(await log(id)).toBe(before)
  }
  expect(await undone(project, jobId)).toMatchObject({ keptCount: 1, changedCount: 1, removedCount: 0 })
  expect((await contactOf(project, 'old@x.test')).subscribed).toBe(false)
  expect((await contactOf(project, 'new@x.test')).subscribed).toBe(false)
})

test('a second no by another file stays, also once that is undone first', async () => {
  const project = await makeProject({ ctx })
  await call(project, 'POST', '/contacts', { email: 'old@x.test' })
  const rows = ['email,subscribed', 'old@x.test,no', 'new@x.test,no']
  const first = await imported(project, rows)
  const second = await imported(project, rows)
  await undone(project, second)
  await undone(project, first)
  expect((await contactOf(project, 'old@x.test')).subscribed).toBe(false)
  expect((await contactOf(project, 'new@x.test')).subscribed).toBe(false)
})

test.each([true, false])('a second no about a topic stays (subscribed by default: %p)', async byDefault => {
  const project = await makeProject({ ctx })
  const topic = await topicOf(project, byDefault)
  const { body } = await call(project, 'POST', '/contacts', { email: 'p@x.test' })
  if (!byDefault)
    await call(project, 'PUT', `/contacts/${body.id}/topics`, { topics: [{ id: topic, subscribed: true }] })
  expect(await wants(project, 'p@x.test')).toBe(true)
  const rows = ['email,topic:News', 'p@x.test,no']
  const first = await imported(project, rows)
  await call(project, 'PUT', `/contacts/${body.id}/topics`, { topics: [{ id: topic, subscribed: false }] })
  expect(await undone(project, first)).toMatchObject({ changedCount: 1 })
  expect(await wants(project, 'p@x.test')).toBe(false)
})

test('a no of a file about a topic is written again while an import holds the contact', async () => {
  const project = await makeProject({ ctx })
  await topicOf(project, true)
  await call(project, 'POST', '/contacts', { email: 'p@x.test' })
  const rows = ['email,topic:News', 'p@x.test,no']
  await imported(project, rows)
  const decided = async () =>
    (await ctx.sql`select decided_at from contact_topics where project_id = ${project.id}::uuid`)[0]!
      .decided_at
  const before = await decided()
  clock.advance(minute)
  await imported(project, rows)
  expect(await decided()).not.toEqual(before)
})

test('a second no of a file about a topic stays, also once that is undone first', async () => {
  const project = await makeProject({ ctx })
  await topicOf(project, true)
  await call(project, 'POST', '/contacts', { email: 'p@x.test' })
  const rows = ['email,topic:News', 'p@x.test,no']
  const first = await imported(project, rows)
  const second = await imported(project, rows)
  await undone(project, second)
  await undone(project, first)
  expect(await wants(project, 'p@x.test')).toBe(false)
})

test('an import that shares contacts with a later one is undone after that', async () => {
  const project = await makeProject({ ctx })
  await call(project, 'POST', '/contacts', { email: 'old@x.test', data: { x: 1 } })
  const before = (await contactOf(project, 'old@x.test')).data
  const first = await imported(project, ['email,x', 'old@x.test,2', 'new@x.test,2', 'same@x.test,2'])
  const second = await imported(project, ['email,x', 'old@x.test,3', 'same@x.test,2'])
  const other = await imported(project, ['email,x', 'another@x.test,3'])
  const refused = await askUndo(project, first)
  expect(refused.status).toBe(409)
  expect(refused.body.error.message).toContain('undo that one first')
  await undone(project, other)
  await undone(project, second)
  expect((await contactOf(project, 'same@x.test')).data).toEqual({ x: 2 })
  expect(await undone(project, first)).toMatchObject({ removedCount: 2, restoredCount: 1 })
  expect((await contactOf(project, 'old@x.test')).data).toEqual(before)
})

test('an import waits while another is undone, and then finds what is left', async () => {
  const project = await makeProject({ ctx })
  const rows = ['email,x', 'p@x.test,1']
  const first = await imported(project, rows)
  expect((await askUndo(project, first)).status).toBe(202)
  const { body } = await upload(project, rows)
  const signal = new AbortController().signal
  const run = runImport(ctx, project.id, body.jobId, { signal, isLastAttempt: true } as never)
  expect(await run.catch((error: unknown) => error)).toBeInstanceOf(Snooze)
  await drain(ctx, handlers)
  clock.advance(minute)
  await drain(ctx, handlers)
  expect((await standing(project, first)).undo).toMatchObject({ removedCount: 1 })
  expect((await standing(project, body.jobId)).result).toMatchObject({ createdCount: 1 })
  expect((await contactOf(project, 'p@x.test')).data).toEqual({ x: 1 })
})

test('an import goes on where its segment is deleted, and says so', async () => {
  const project = await makeProject({ ctx })
  const segment = (await call(project, 'POST', '/segments', { name: 'Fair', type: 'STATIC' })).body.id
  await call(project, 'POST', '/contacts', { email: 'p900@x.test' })
  const rows = Array.from({ length: 1_200 }, (_, n) => `p${n}@x.test,${n % 2 ? '' : 'no'}`)
  const { body } = await upload(project, ['email,subscribed', ...rows], { segmentId: segment })
  expect((await call(project, 'DELETE', `/segments/${segment}`)).status).toBeLessThan(300)
  await drain(ctx, handlers)
  const { state, result } = await standing(project, body.jobId)
  expect({ state, result }).toMatchObject({
    state: 'completed',
    result: { totalRows: 1_200, failureCount: 0, warnings: [expect.stringContaining('segment')] },
  })
  expect((await contactOf(project, 'p900@x.test')).subscribed).toBe(false)
})

test('somebody else’s change between two rows of a file keeps the contact', async () => {
  const project = await makeProject({ ctx })
  await topicOf(project, true)
  const rows = Array.from({ length: 600 }, (_, n) => `p${n}@x.test,`)
  const { body } = await upload(project, ['email,topic:News', ...rows, 'p0@x.test,no'])
  const whole = ctx.requests
  const stop = new AbortController()
  // The first piece, and then a change by somebody else.
  const isBusy = () => {
    stop.abort()
    return false
  }
  const paused = { ...ctx, requests: { ...whole, isBusy } }
  const run = { signal: stop.signal, isLastAttempt: false } as never
  await runImport(paused, project.id, body.jobId, run).catch(() => undefined)
  const { id } = await contactOf(project, 'p0@x.test')
  await call(project, 'PATCH', `/contacts/${id}`, { data: { note: 'mine' } })
  await drain(ctx, handlers)
  expect((await standing(project, body.jobId)).state).toBe('completed')
  expect(await undone(project, body.jobId)).toMatchObject({ removedCount: 599, keptCount: 1 })
  expect((await contactOf(project, 'p0@x.test')).data).toEqual({ note: 'mine' })
})

test('a field of an undone import stays where a segment names it', async () => {
  const project = await makeProject({ ctx })
  const jobId = await imported(project, ['email,since,other', 'a@x.test,2020-08-13,1'])
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.since', operator: 'exists' }] }],
  }
  const made = await call(project, 'POST', '/segments', { name: 'Old', type: 'DYNAMIC', condition })
  expect(made.status).toBe(201)
  expect(await undone(project, jobId)).toMatchObject({ removedCount: 1 })
  const fields = await ctx.sql`select name, type from contact_fields where project_id = ${project.id}::uuid`
  expect([...fields]).toEqual([{ name: 'since', type: 'date' }])
})

test.each(['1899-12-31', '0000-01-01', '2062-11-27'])('a consent date is refused: %s', async consentDate => {
  const project = await makeProject({ ctx })
  const { status } = await upload(project, ['email', 'a@x.test'], { consentDate })
  expect(status).toBe(400)
})

test('what was agreed today is in the log as of now, with its topics', async () => {
  const project = await makeProject({ ctx })
  const topics = await topicOf(project)
  const tomorrow = new Date(clock.now().getTime() + 13 * 60 * minute).toISOString().slice(0, 10)
  await imported(project, ['email', 'a@x.test'], { topics, consentDate: tomorrow })
  const { id } = await contactOf(project, 'a@x.test')
  const { data } = (await call(project, 'GET', `/contacts/${id}/consent`)).body
  expect(data).toHaveLength(2)
  for (const { at } of data) expect(new Date(at).getTime()).toBeLessThanOrEqual(clock.now().getTime())
})
