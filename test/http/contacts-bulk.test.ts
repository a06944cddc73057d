// Changes of many contacts by id: what is refused, what a job does, that it does it once, and that nobody else's contacts move.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { pruneContactJobs, runBulk, upsertContacts } from '../../src/modules/audience/contacts/service'
import { givenConditionSql } from '../../src/modules/features/segments/service'
import { linkToken } from '../../src/modules/sending/emails/links'
import { decide } from '../../src/modules/sending/preferences/service'
import type { Context } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ReturnType<typeof testContext>['clock']
let app: AnyElysia
const handlers = handlerTable(contactJobs)

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [ctx => contactsRoutes(ctx, { readFilter: givenConditionSql })])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })
const standing = async (project: MadeProject, jobId: string) =>
  (await call(project, 'GET', `/contacts/bulk/${jobId}`)).body

async function filled(count: number, subscribed = true): Promise<{ project: MadeProject; ids: string[] }> {
  const project = await makeProject({ ctx })
  const entries = Array.from({ length: count }, (_, index) => ({ email: `u${index}@x.test`, subscribed }))
  const made = await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
  return { project, ids: made.map(({ contact }) => contact.id) }
}

async function addAgain(project: MadeProject, id: string): Promise<void> {
  const { email } = (await call(project, 'GET', `/contacts/${id}`)).body
  await call(project, 'POST', '/contacts', { email, subscribed: false })
}

async function facts(project: MadeProject) {
  const [row] = await ctx.sql<{ contacts: number; subscribed: number; events: number }[]>`
    select count(*) as contacts, count(*) filter (where subscribed) as subscribed,
           (select count(*) from events where project_id = ${project.id}::uuid and name like 'contact.%') as events
      from contacts where project_id = ${project.id}::uuid`
  return row!
}

describe('a bulk change', () => {
  test('unsubscribes, counts only flips, records one event each, and touches nobody else', async () => {
    const { project, ids } = await filled(600)
    const other = await filled(3)
    await call(project, 'PATCH', `/contacts/${ids[0]}`, { subscribed: false })
    const unknown = Bun.randomUUIDv7()
    const contactIds = [...ids, ...ids.slice(0, 5), ids[7]!.toUpperCase(), unknown, other.ids[0]]
    const queued = await call(project, 'POST', '/contacts/bulk-unsubscribe', { contactIds })
    expect(queued.status).toBe(202)
    expect(Object.keys(queued.body)).toEqual(['message', 'jobId'])
    expect(await standing(project, queued.body.jobId)).toMatchObject({
      state: 'waiting',
      progress: 0,
      result: null,
    })
    await drain(ctx, handlers)
    expect(await standing(project, queued.body.jobId)).toEqual({
      id: queued.body.jobId,
      state: 'completed',
      progress: 100,
      failedReason: null,
      data: { projectId: project.id, operation: 'unsubscribe', totalRequested: 602 },
      result: {
        operation: 'unsubscribe',
        totalRequested: 602,
        successCount: 599,
        unchangedCount: 1,
        failureCount: 2,
        errors: [unknown, other.ids[0]!].map(contactId => ({
          contactId,
          email: '',
          error: 'Contact not found',
        })),
      },
    })
    expect(await facts(project)).toEqual({ contacts: 600, subscribed: 0, events: 600 })
    expect(await facts(other.project)).toEqual({ contacts: 3, subscribed: 3, events: 0 })
  })

  test('subscribes, and an unsubscribe ends a snooze without an event', async () => {
    const { project, ids } = await filled(3, false)
    await ctx.sql`update contacts set snoozed_until = ${ctx.clock.now()} where project_id = ${project.id}::uuid and id = ${ids[0]!}::uuid`
    const first = await call(project, 'POST', '/contacts/bulk-unsubscribe', { mode: 'ids', contactIds: ids })
    await drain(ctx, handlers)
    expect((await standing(project, first.body.jobId)).result).toMatchObject({
      successCount: 0,
      unchangedCount: 3,
    })
    expect((await call(project, 'GET', `/contacts/${ids[0]}`)).body.snoozedUntil).toBeNull()
    const second = await call(project, 'POST', '/contacts/bulk-subscribe', { contactIds: ids })
    await drain(ctx, handlers)
    expect((await standing(project, second.body.jobId)).result).toMatchObject({
      successCount: 3,
      unchangedCount: 0,
    })
    expect(await facts(project)).toEqual({ contacts: 3, subscribed: 3, events: 3 })
  })

  test('deletes, also what is still to be deleted when it is asked twice', async () => {
    const { project, ids } = await filled(300)
    const [one, two] = await Promise.all([
      call(project, 'POST', '/contacts/bulk-delete', { contactIds: ids }),
      call(project, 'POST', '/contacts/bulk-delete', { contactIds: ids.slice(0, 100) }),
    ])
    await drain(ctx, handlers)
    const results = await Promise.all(
      [one, two].map(async each => (await standing(project, each.body.jobId)).result),
    )
    expect(results.reduce((sum, result) => sum + result.successCount, 0)).toBe(300)
    expect(results.reduce((sum, result) => sum + result.failureCount, 0)).toBe(100)
    expect((await call(project, 'GET', '/contacts')).body.total).toBe(0)
  })

  test('that is run by three processes at once does everything once', async () => {
    const { project, ids } = await filled(1_000)
    const { body } = await call(project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: ids })
    const run = { signal: new AbortController().signal, isLastAttempt: false } as Parameters<
      typeof runBulk
    >[3]
    await Promise.all([1, 2, 3].map(() => runBulk(ctx, project.id, body.jobId, run)))
    expect((await standing(project, body.jobId)).result).toMatchObject({
      successCount: 1_000,
      unchangedCount: 0,
    })
    expect(await facts(project)).toEqual({ contacts: 1_000, subscribed: 0, events: 1_000 })
    await drain(ctx, handlers)
    expect(await facts(project)).toEqual({ contacts: 1_000, subscribed: 0, events: 1_000 })
  })

  test('that is stopped half-way goes on where it was', async () => {
    const { project, ids } = await filled(1_000)
    const { body } = await call(project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: ids })
    const stop = new AbortController()
    stop.abort(new Error('the process stops'))
    const run = { signal: stop.signal, isLastAttempt: true } as Parameters<typeof runBulk>[3]
    await expect(runBulk(ctx, project.id, body.jobId, run)).rejects.toThrow('the process stops')
    expect(await standing(project, body.jobId)).toMatchObject({ progress: 25, result: null })
    await drain(ctx, handlers)
    expect(await standing(project, body.jobId)).toMatchObject({
      state: 'completed',
      result: { successCount: 1_000 },
    })
    expect(await facts(project)).toMatchObject({ events: 1_000 })
  })
})

describe('a bulk request', () => {
  const id = Bun.randomUUIDv7()
  test.each<[string, unknown, number]>([
    ['no list', {}, 400],
    ['an empty list', { contactIds: [] }, 400],
    ['1,001 ids', { contactIds: Array.from({ length: 1_001 }, () => id) }, 422],
    ['1,000 ids', { contactIds: Array.from({ length: 1_000 }, () => id) }, 202],
    ['text instead of a list', { contactIds: id }, 422],
    ['an id that is none', { contactIds: ['non-existent'] }, 422],
    ['a number', { contactIds: [5] }, 422],
    ['null', { contactIds: null }, 422],
    ['another mode', { mode: 'all', contactIds: [id] }, 422],
    ['no JSON', '{"contactIds":', 400],
    ['no object', [], 422],
  ])('with %s is answered %#', async (_, body, status) => {
    const project = await makeProject({ ctx })
    for (const operation of ['subscribe', 'unsubscribe', 'delete'])
      expect((await call(project, 'POST', `/contacts/bulk-${operation}`, body)).status).toBe(status)
  })

  test('a job of another project, an unknown one and no id at all are 404', async () => {
    const { project, ids } = await filled(1)
    const { body } = await call(project, 'POST', '/contacts/bulk-subscribe', { contactIds: ids })
    const other = await makeProject({ ctx })
    for (const [who, jobId] of [
      [other, body.jobId],
      [project, Bun.randomUUIDv7()],
      [project, 'x'],
    ] as const)
      expect((await call(who, 'GET', `/contacts/bulk/${jobId}`)).status).toBe(404)
    expect((await call(project, 'GET', `/contacts/import/${body.jobId}`)).status).toBe(404)
  })
})

test('records of jobs are forgotten after thirty days, and only then', async () => {
  const { ctx: later, clock } = testContext(database)
  const { project, ids } = await filled(1)
  const { body } = await call(project, 'POST', '/contacts/bulk-subscribe', { contactIds: ids })
  await drain(ctx, handlers)
  const { signal } = new AbortController()
  clock.advance(29 * 86_400_000)
  await pruneContactJobs(later, signal)
  expect((await call(project, 'GET', `/contacts/bulk/${body.jobId}`)).status).toBe(200)
  clock.advance(2 * 86_400_000)
  await pruneContactJobs(later, signal)
  expect((await call(project, 'GET', `/contacts/bulk/${body.jobId}`)).status).toBe(404)
})

describe('a query', () => {
  const plan = (value: string) => ({
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }],
  })

  test('names whom a job changes: those who match all of it, of this project alone', async () => {
    const { project } = await filled(5)
    const other = await filled(5)
    for (const n of [1, 2, 3])
      await call(project, 'POST', '/contacts', { email: `u${n}@x.test`, data: { plan: 'pro' } })
    await call(project, 'POST', '/contacts', { email: 'u3@x.test', subscribed: false })
    const query = { mode: 'query', search: 'U', subscribed: true, filter: plan('pro') }
    const queued = await call(project, 'POST', '/contacts/bulk-unsubscribe', query)
    expect(queued).toMatchObject({ status: 202, body: { totalRequested: 2, maximum: 10_000 } })
    await drain(ctx, handlers)
    expect(await standing(project, queued.body.jobId)).toMatchObject({
      state: 'completed',
      result: { totalRequested: 2, successCount: 2, unchangedCount: 0 },
    })
    expect(await facts(project)).toMatchObject({ contacts: 5, subscribed: 2 })
    expect(await facts(other.project)).toMatchObject({ contacts: 5, subscribed: 5 })
  })

  test.each<[string, Record<string, unknown>, number]>([
    ['that says nothing', {}, 400],
    ['with an empty search alone', { search: ' ' }, 400],
    ['that nobody matches', { search: 'nobody' }, 400],
    [
      'with a faulty tree',
      { filter: { logic: 'AND', groups: [{ filters: [{ field: 'email', operator: 'is' }] }] } },
      400,
    ],
    ['with a word for subscribed', { subscribed: 'yes' }, 422],
  ])('%s is refused, and deletes nobody', async (_, query, status) => {
    const { project } = await filled(3)
    expect((await call(project, 'POST', '/contacts/bulk-delete', { mode: 'query', ...query })).status).toBe(
      status,
    )
    await drain(ctx, handlers)
    expect(await facts(project)).toMatchObject({ contacts: 3 })
  })
})

describe('undoing a bulk change', () => {
  const states = async (project: MadeProject) =>
    await ctx.sql`
      select id, subscribed, snoozed_until::text, opted_out_at::text from contacts
       where project_id = ${project.id}::uuid order by id`
  const run = async (project: MadeProject, path: string, body?: unknown) => {
    const { status, body: answer } = await call(project, 'POST', path, body)
    expect([path, status]).toEqual([path, 202])
    await drain(ctx, handlers)
    return answer.jobId as string
  }

  /** One of each kind: subscribed, opted out, never asked, on a break; and enough for several steps. */
  async function mixed() {
    const { project, ids } = await filled(300)
    await ctx.sql`
      update contacts set subscribed = false, opted_out_at = '2024-05-06 07:08:09.123456Z'
       where project_id = ${project.id}::uuid and id = ${ids[0]!}::uuid`
    await ctx.sql`
      update contacts set subscribed = false where project_id = ${project.id}::uuid and id = ${ids[1]!}::uuid`
    await ctx.sql`
      update contacts set subscribed = false, snoozed_until = '2031-01-02 03:04:05Z'
       where project_id = ${project.id}::uuid and id = ${ids[2]!}::uuid`
    return { project, ids, before: await states(project) }
  }

  test.each(['subscribe', 'unsubscribe'])('of %s puts each back to exactly how it was', async operation => {
    const { project, ids, before } = await mixed()
    const id = await run(project, `/contacts/bulk-${operation}`, { contactIds: ids })
    expect(await states(project)).not.toEqual(before)
    const undo = await run(project, `/contacts/bulk/${id}/undo`)
    expect(await states(project)).toEqual(before)
    const flips = operation === 'subscribe' ? 3 : 297
    expect((await standing(project, undo)).result).toMatchObject({ successCount: flips, failureCount: 0 })
    expect(await facts(project)).toEqual({ contacts: 300, subscribed: 297, events: 2 * flips })
    const [total] = await ctx.sql`
      select sum(subscribed)::int as subscribed from contact_deltas where project_id = ${project.id}::uuid`
    // The three of other kinds were made without their counts.
    expect(total).toEqual({ subscribed: 300 })
    // Nothing is left to put back.
    await run(project, `/contacts/bulk/${id}/undo`)
    expect(await states(project)).toEqual(before)
  })

  test('leaves those alone that something was done to since', async () => {
    const { project, ids } = await filled(3)
    const id = await run(project, '/contacts/bulk-unsubscribe', { contactIds: ids })
    await call(project, 'PATCH', `/contacts/${ids[0]}`, { subscribed: true })
    await call(project, 'PATCH', `/contacts/${ids[0]}`, { subscribed: false })
    await ctx.sql`update contacts set opted_out_at = now() where id = ${ids[0]!}::uuid`
    await call(project, 'DELETE', `/contacts/${ids[1]}`)
    const undo = await run(project, `/contacts/bulk/${id}/undo`)
    expect((await standing(project, undo)).result).toMatchObject({
      successCount: 1,
      unchangedCount: 1,
      failureCount: 1,
    })
    expect((await call(project, 'GET', `/contacts/${ids[0]}`)).body.subscribed).toBe(false)
    expect((await call(project, 'GET', `/contacts/${ids[2]}`)).body.subscribed).toBe(true)
  })

  test('never subscribes somebody who has said no by their own link since', async () => {
    const { project, ids } = await filled(2)
    const id = await run(project, '/contacts/bulk-unsubscribe', { contactIds: ids })
    clock.advance(1_000)
    const link = {
      contactId: ids[0]!,
      emailId: undefined,
      token: linkToken(ctx.vault, { projectId: project.id, contactId: ids[0]! }),
    }
    await decide(ctx, link, { type: 'unsubscribe' })
    await run(project, `/contacts/bulk/${id}/undo`)
    expect((await call(project, 'GET', `/contacts/${ids[0]}`)).body.subscribed).toBe(false)
    expect((await call(project, 'GET', `/contacts/${ids[1]}`)).body.subscribed).toBe(true)
  })

  test.each<[by: string, says: (project: MadeProject, id: string) => Promise<unknown>]>([
    [
      'a change of the contact',
      (project, id) => call(project, 'PATCH', `/contacts/${id}`, { subscribed: false }),
    ],
    ['adding it again', (project, id) => addAgain(project, id)],
    ['another job', (project, id) => run(project, '/contacts/bulk-unsubscribe', { contactIds: [id] })],
  ])('never subscribes somebody who was unsubscribed once more since, by %s', async (_by, says) => {
    const { project, ids } = await filled(2)
    const id = await run(project, '/contacts/bulk-unsubscribe', { contactIds: ids })
    clock.advance(1_000)
    await says(project, ids[0]!)
    await run(project, `/contacts/bulk/${id}/undo`)
    const states = ids.map(async each => (await call(project, 'GET', `/contacts/${each}`)).body.subscribed)
    expect(await Promise.all(states)).toEqual([false, true])
  })

  test('is refused for a deletion, a job under way, one that changed nothing, and after an hour', async () => {
    const { project, ids } = await filled(4)
    const refused = async (id: string, as = project) =>
      (await call(as, 'POST', `/contacts/bulk/${id}/undo`)).status
    const deletion = await run(project, '/contacts/bulk-delete', { contactIds: ids.slice(0, 1) })
    const idle = await run(project, '/contacts/bulk-subscribe', { contactIds: ids })
    const waiting = (await call(project, 'POST', '/contacts/bulk-unsubscribe', { contactIds: ids })).body
      .jobId
    expect([await refused(deletion), await refused(idle), await refused(waiting)]).toEqual([409, 409, 409])
    await drain(ctx, handlers)
    expect(await refused(waiting, await makeProject({ ctx }))).toBe(404)
    expect(await refused(Bun.randomUUIDv7())).toBe(404)
    await ctx.sql`update contact_bulks set finished_at = finished_at - interval '61 minutes' where id = ${waiting}::uuid`
    expect(await refused(waiting)).toBe(409)
  })
})
