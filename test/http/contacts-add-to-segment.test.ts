// Putting many contacts on a static list: who gets on it, what is refused, what a lost race leaves behind, and what an undo takes off.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { upsertContacts } from '../../src/modules/audience/contacts/service'
import { segmentJobs } from '../../src/modules/features/segments'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import { addContacts, givenConditionSql } from '../../src/modules/features/segments/service'
import { type Context, inTransaction } from '../../src/platform/context'
import { handlerTable } from '../../src/platform/jobs/kind'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

const path = '/contacts/bulk-add-to-segment'
const handlers = handlerTable([...contactJobs, ...segmentJobs])

let database: TestDatabase
let ctx: Context
let clock: ReturnType<typeof testContext>['clock']
let app: AnyElysia

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [ctx => contactsRoutes(ctx, { readFilter: givenConditionSql }), segmentsRoutes])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })
const standing = async (project: MadeProject, jobId: string) =>
  (await call(project, 'GET', `/contacts/bulk/${jobId}`)).body

async function filled(count: number) {
  const project = await makeProject({ ctx })
  const entries = Array.from({ length: count }, (_, index) => ({ email: `u${index}@x.test` }))
  const made = await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
  return { project, ids: made.map(({ contact }) => contact.id), list: await makeList(project) }
}

async function makeList(project: MadeProject): Promise<string> {
  return (await call(project, 'POST', '/segments', { name: 'List', type: 'STATIC' })).body.id
}

/** Starts the job and does it; a second later, so that what is done afterwards has a moment of its own. */
async function run(project: MadeProject, path: string, body?: unknown): Promise<string> {
  const { status, body: answer } = await call(project, 'POST', path, body)
  expect([path, status]).toEqual([path, 202])
  await drain(ctx, handlers)
  clock.advance(1_000)
  return answer.jobId
}

/** Who is on it by the rows, and what its kept count says. */
async function members(project: MadeProject, list: string): Promise<{ ids: string[]; memberCount: number }> {
  const rows = await ctx.sql<{ id: string }[]>`
    select contact_id as id from segment_members
     where project_id = ${project.id}::uuid and segment_id = ${list}::uuid order by contact_id`
  const { memberCount } = (await call(project, 'GET', `/segments/${list}`)).body
  return { ids: rows.map(({ id }) => id), memberCount }
}

describe('adding contacts to a list', () => {
  test('puts on it whoever is there, counts those that are new, and tells of no entry, as by hand', async () => {
    const { project, ids, list } = await filled(600)
    const other = await filled(1)
    await call(project, 'POST', `/segments/${list}/members`, { emails: ['u0@x.test', 'u1@x.test'] })
    await call(project, 'PATCH', `/segments/${list}`, { trackMembership: true })
    const unknown = Bun.randomUUIDv7()
    const contactIds = [...ids, unknown, other.ids[0]]
    const jobId = await run(project, path, { segmentId: list, contactIds })
    expect(await standing(project, jobId)).toEqual({
      id: jobId,
      state: 'completed',
      progress: 100,
      failedReason: null,
      data: { projectId: project.id, operation: 'add', totalRequested: 602, segmentId: list },
      result: {
        operation: 'add',
        totalRequested: 602,
        successCount: 598,
        unchangedCount: 2,
        failureCount: 2,
        errors: [unknown, other.ids[0]!].map(contactId => ({
          contactId,
          email: '',
          error: 'Contact not found',
        })),
      },
    })
    expect(await members(project, list)).toEqual({ ids: ids.toSorted(), memberCount: 600 })
    const [told] =
      await ctx.sql`select count(*)::int as events from events where project_id = ${project.id}::uuid`
    expect(told).toEqual({ events: 0 })
  })

  test('takes those whom a query names', async () => {
    const { project, ids, list } = await filled(12)
    const query = { mode: 'query', search: 'u1' }
    const queued = await call(project, 'POST', path, { segmentId: list, ...query })
    expect(queued).toMatchObject({ status: 202, body: { totalRequested: 3, maximum: 10_000 } })
    await drain(ctx, handlers)
    expect((await members(project, list)).ids).toEqual([ids[1]!, ids[10]!, ids[11]!].toSorted())
    expect((await call(project, 'POST', path, { segmentId: list, mode: 'query' })).status).toBe(400)
  })

  test('is refused for a list of another project, one that is none, and a segment with a condition', async () => {
    const { project, ids, list } = await filled(1)
    const other = await filled(1)
    const filters = [{ field: 'subscribed', operator: 'equals', value: true }]
    const condition = { logic: 'AND', groups: [{ filters }] }
    const dynamic = (await call(project, 'POST', '/segments', { name: 'D', condition })).body.id
    const answer = async (segmentId: unknown, contactIds: unknown = ids) => {
      const { status, body } = await call(project, 'POST', path, { segmentId, contactIds })
      return [status, body.error?.message]
    }
    expect((await answer(other.list))[0]).toBe(404)
    expect((await answer(Bun.randomUUIDv7()))[0]).toBe(404)
    expect(await answer(dynamic)).toEqual([400, 'Can only add contacts to STATIC segments'])
    expect((await answer('list'))[0]).toBe(422)
    expect((await answer(undefined))[0]).toBe(422)
    expect((await answer(list, []))[0]).toBe(400)
    expect(
      (
        await answer(
          list,
          Array.from({ length: 1_001 }, () => ids[0]),
        )
      )[0],
    ).toBe(422)
    const [row] =
      await ctx.sql`select count(*)::int as jobs from contact_bulks where project_id = ${project.id}::uuid`
    expect(row).toEqual({ jobs: 0 })
  })
})

describe('a race', () => {
  test('with the deletion of the list ends the job and says why', async () => {
    const { project, ids, list } = await filled(3)
    const { body } = await call(project, 'POST', path, { segmentId: list, contactIds: ids })
    await call(project, 'DELETE', `/segments/${list}`)
    await drain(ctx, handlers)
    expect(await standing(project, body.jobId)).toMatchObject({
      state: 'failed',
      failedReason: expect.stringContaining('not found'),
      result: { successCount: 0, failureCount: 3 },
    })
    const [row] =
      await ctx.sql`select count(*)::int as members from segment_members where project_id = ${project.id}::uuid`
    expect(row).toEqual({ members: 0 })
  })

  test('with the deletion of contacts leaves no member that is none, and the count right', async () => {
    const { project, ids, list } = await filled(300)
    const { body } = await call(project, 'POST', path, { segmentId: list, contactIds: ids })
    const gone = ids.slice(100, 200)
    await Promise.all([
      drain(ctx, handlers),
      call(project, 'POST', '/contacts/bulk-delete', { contactIds: gone }),
    ])
    await drain(ctx, handlers)
    expect((await standing(project, body.jobId)).state).toBe('completed')
    const left = ids.filter(id => !gone.includes(id)).toSorted()
    expect(await members(project, list)).toEqual({ ids: left, memberCount: 200 })
  })

  test('that a deletion wins after it was begun leaves nothing either', async () => {
    const { project, ids, list } = await filled(2)
    let deletion: Promise<unknown> | undefined
    await inTransaction(ctx, async tx => {
      await addContacts(tx, project.id, list, ids)
      deletion = call(project, 'DELETE', `/contacts/${ids[0]}`).then(() => drain(ctx, handlers))
      // Time enough for the deletion and its clearing up, if nothing held them.
      await Promise.race([deletion, Bun.sleep(300)])
    })
    await deletion
    expect(await members(project, list)).toEqual({ ids: [ids[1]!], memberCount: 1 })
  })
})

describe('undoing it', () => {
  test('takes off those whom it added and who are still there by it, and nobody else', async () => {
    const { project, ids, list } = await filled(300)
    await call(project, 'POST', `/segments/${list}/members`, { emails: ['u0@x.test'] })
    const jobId = await run(project, path, { segmentId: list, contactIds: ids })
    await call(project, 'DELETE', `/segments/${list}/members`, { emails: ['u1@x.test', 'u2@x.test'] })
    await call(project, 'POST', `/segments/${list}/members`, { emails: ['u2@x.test'] })
    await call(project, 'DELETE', `/contacts/${ids[3]}`)
    const undo = await run(project, `/contacts/bulk/${jobId}/undo`)
    expect((await standing(project, undo)).result).toEqual({
      operation: 'remove',
      totalRequested: 299,
      successCount: 296,
      unchangedCount: 2,
      failureCount: 1,
      errors: [{ contactId: ids[3], email: '', error: 'Contact not found' }],
    })
    expect(await members(project, list)).toEqual({ ids: [ids[0]!, ids[2]!].toSorted(), memberCount: 2 })
    // Nothing is left to take off, and an undo is not undone.
    await run(project, `/contacts/bulk/${jobId}/undo`)
    expect((await members(project, list)).memberCount).toBe(2)
    expect((await call(project, 'POST', `/contacts/bulk/${undo}/undo`)).status).toBe(409)
  })

  test('is refused after an hour, where nobody was added, and when the list is gone', async () => {
    const { project, ids, list } = await filled(2)
    const undone = async (id: string) => (await call(project, 'POST', `/contacts/bulk/${id}/undo`)).status
    const jobId = await run(project, path, { segmentId: list, contactIds: ids })
    const idle = await run(project, path, { segmentId: list, contactIds: ids })
    expect(await undone(idle)).toBe(409)
    await ctx.sql`update contact_bulks set finished_at = finished_at - interval '61 minutes' where id = ${jobId}::uuid`
    expect(await undone(jobId)).toBe(409)
    const other = await makeList(project)
    const lost = await run(project, path, { segmentId: other, contactIds: ids })
    await call(project, 'DELETE', `/segments/${other}`)
    expect(await undone(lost)).toBe(404)
  })
})
