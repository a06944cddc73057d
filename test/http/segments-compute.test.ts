// Entries and exits of tracked segments: each told once, whatever races, stops or repeats; and the regular recompute.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { minute } from '../../src/lib/time'
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { deleteContacts, upsertContacts } from '../../src/modules/audience/contacts/service'
import { setListener } from '../../src/modules/audience/events/service'
import { segmentJobs, segmentSchedules } from '../../src/modules/features/segments/jobs'
import { segmentKinds } from '../../src/modules/features/segments/kinds'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import { computeSegment, enqueueRefreshes } from '../../src/modules/features/segments/service'
import type { Context } from '../../src/platform/context'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { handle, handlerTable } from '../../src/platform/jobs/kind'
import { fireDue, loadLastTicks } from '../../src/platform/jobs/schedule'
import { type ManualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { request } from '../support/request'

let database: TestDatabase
let ctx: Context
let clock: ManualClock
let app: AnyElysia
const handlers = handlerTable([...segmentJobs, ...contactJobs])

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ ctx, clock } = testContext(database, { rateLimitPerMinute: 0 }))
  app = makeApplication(ctx, [ctx => segmentsRoutes(ctx)])
})
afterAll(() => database.drop())

const call = (project: MadeProject, method: string, path: string, body?: unknown) =>
  request(app, method, path, { key: project.secretKey, body })

const isPro = {
  logic: 'AND',
  groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
}

async function tracked(project: MadeProject, more: object = {}) {
  const body = { name: 'VIP Customers', condition: isPro, trackMembership: true, ...more }
  return (await call(project, 'POST', '/segments', body)).body
}

async function setPlan(project: MadeProject, emails: string[], plan: string): Promise<string[]> {
  const entries = emails.map(email => ({ email, patch: { set: { plan }, remove: [], transient: {} } }))
  const made = await upsertContacts(ctx, project.id, entries, { defaultSubscribed: true })
  return made.map(({ contact }) => contact.id)
}

interface Told {
  name: string
  contactId: string
  data: unknown
}

async function eventsOf(project: MadeProject): Promise<Told[]> {
  return await ctx.sql<Told[]>`
    select name, contact_id as "contactId", data from events where project_id = ${project.id}::uuid order by id`
}

const compute = async (project: MadeProject, id: string) =>
  await call(project, 'POST', `/segments/${id}/compute`)
const emails = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@x.test`)

describe('POST /segments/:id/compute', () => {
  test('tells each entry and each exit, and nothing when nothing changed', async () => {
    const project = await makeProject({ ctx })
    const [a, b] = await setPlan(project, ['a@x.test', 'b@x.test'], 'pro')
    const { id } = await tracked(project)
    expect(await eventsOf(project)).toHaveLength(0)
    expect((await compute(project, id)).body).toEqual({ added: 2, removed: 0, total: 2 })
    const data = { segmentId: id, segmentName: 'VIP Customers' }
    const entry = (contactId?: string) => ({ name: 'segment.vip-customers.entry', contactId, data })
    expect([...(await eventsOf(project))]).toEqual([entry(a), entry(b)] as never)
    expect((await compute(project, id)).body).toEqual({ added: 0, removed: 0, total: 2 })
    await setPlan(project, ['a@x.test'], 'free')
    const [c] = await setPlan(project, ['c@x.test'], 'pro')
    const answer = await compute(project, id)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ added: 1, removed: 1, total: 2 })
    const exit = { name: 'segment.vip-customers.exit', contactId: a, data }
    expect([...(await eventsOf(project))].slice(2)).toEqual([exit, entry(c)] as never)
    await setPlan(project, ['a@x.test'], 'pro')
    expect((await compute(project, id)).body).toEqual({ added: 1, removed: 0, total: 3 })
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(3)
  })

  test('wakes who listens for the name', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, ['a@x.test'], 'pro')
    const { id } = await tracked(project)
    await setListener(ctx, project.id, Bun.randomUUIDv7(), ['segment.vip-customers.entry'])
    await compute(project, id)
    const jobs =
      await ctx.sql`select 1 from jobs where kind = 'event.route' and project_id = ${project.id}::uuid`
    expect(jobs).toHaveLength(1)
  })

  test('an untracked segment is 400 and an unknown one 404', async () => {
    const project = await makeProject({ ctx })
    const { id } = await tracked(project, { trackMembership: false })
    const answer = await compute(project, id)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toBe('Segment does not have membership tracking enabled')
    expect((await compute(project, Bun.randomUUIDv7())).status).toBe(404)
  })

  test('a static one is only counted', async () => {
    const project = await makeProject({ ctx })
    const { id } = await tracked(project, { type: 'STATIC' })
    await call(project, 'POST', `/segments/${id}/members`, { emails: ['a@x.test'], createMissing: true })
    expect((await compute(project, id)).body).toEqual({ added: 0, removed: 0, total: 1 })
    expect(await eventsOf(project)).toHaveLength(0)
  })

  test('computes at once tell each entry and each exit once, over several batches', async () => {
    const project = await makeProject({ ctx })
    const all = emails(4_500)
    await setPlan(project, all, 'pro')
    const { id } = await tracked(project)
    const entered = await Promise.all([compute(project, id), compute(project, id), compute(project, id)])
    expect(entered.map(answer => answer.status)).toEqual([200, 200, 200])
    expect(entered.reduce((sum, answer) => sum + answer.body.added, 0)).toBe(4_500)
    await setPlan(project, all.slice(0, 4_100), 'free')
    const left = await Promise.all([compute(project, id), compute(project, id)])
    expect(left.reduce((sum, answer) => sum + answer.body.removed, 0)).toBe(4_100)
    const told = await ctx.sql<{ name: string; times: number; contacts: number }[]>`
      select name, count(*) as times, count(distinct contact_id) as contacts
        from events where project_id = ${project.id}::uuid group by name order by name`
    expect([...told]).toEqual([
      { name: 'segment.vip-customers.entry', times: 4_500, contacts: 4_500 },
      { name: 'segment.vip-customers.exit', times: 4_100, contacts: 4_100 },
    ])
    expect((await call(project, 'GET', `/segments/${id}`)).body.memberCount).toBe(400)
  })

  test('a compute that is stopped between batches is finished by the next one, nothing twice', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, emails(5_000), 'pro')
    const { id } = await tracked(project)
    const stop = new AbortController()
    let batches = 0
    // Stopped as the second batch takes its lock; that batch itself still commits.
    const stopping: Context = {
      ...ctx,
      sql: new Proxy(ctx.sql, {
        get: (target, name) => {
          if (name === 'begin' && ++batches === 2) stop.abort(new Error('stopped'))
          return Reflect.get(target, name)
        },
      }),
    }
    await expect(computeSegment(stopping, project.id, id, stop.signal)).rejects.toThrow('stopped')
    expect(await eventsOf(project)).toHaveLength(4_000)
    expect((await compute(project, id)).body).toEqual({ added: 1_000, removed: 0, total: 5_000 })
    expect(await eventsOf(project)).toHaveLength(5_000)
  })

  test('a compute tells nothing more from the moment at which the segment is no longer tracked', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, emails(5_000), 'pro')
    const { id } = await tracked(project)
    let batches = 0
    const untracking: Context = {
      ...ctx,
      sql: new Proxy(ctx.sql, {
        get: (target, name) => {
          if (name !== 'begin') return Reflect.get(target, name)
          return async (...given: unknown[]) => {
            if (++batches === 2) await call(project, 'PATCH', `/segments/${id}`, { trackMembership: false })
            return Reflect.get(target, name).apply(target, given)
          }
        },
      }),
    }
    await computeSegment(untracking, project.id, id)
    expect(await eventsOf(project)).toHaveLength(2_000)
    expect(await ctx.sql`select 1 from segment_members where segment_id = ${id}::uuid`).toHaveLength(2_000)
  })

  test('a transaction that fails tells nobody and adds nobody', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, ['a@x.test'], 'pro')
    const { id } = await tracked(project)
    await ctx.sql`alter table events add constraint no_entries check (name not like 'segment.%') not valid`
    expect((await compute(project, id)).status).toBe(500)
    await ctx.sql`alter table events drop constraint no_entries`
    const members = await ctx.sql`select 1 from segment_members where segment_id = ${id}::uuid`
    expect(members).toHaveLength(0)
    expect((await compute(project, id)).body.added).toBe(1)
  })

  test('deletion during a compute leaves no members behind', async () => {
    const project = await makeProject({ ctx })
    await setPlan(project, emails(3_000), 'pro')
    const { id } = await tracked(project)
    await Promise.all([
      compute(project, id),
      call(project, 'DELETE', `/segments/${id}`),
      compute(project, id),
    ])
    await drain(ctx, handlers)
    expect(await ctx.sql`select 1 from segment_members where segment_id = ${id}::uuid`).toHaveLength(0)
    expect(await ctx.sql`select 1 from segment_references where segment_id = ${id}::uuid`).toHaveLength(0)
  })

  test('a deleted contact leaves without an event, and the counts of static segments with it', async () => {
    const project = await makeProject({ ctx })
    const [a] = await setPlan(project, ['a@x.test', 'b@x.test'], 'pro')
    const { id } = await tracked(project)
    await compute(project, id)
    const list = (await call(project, 'POST', '/segments', { name: 'L', type: 'STATIC' })).body
    await call(project, 'POST', `/segments/${list.id}/members`, { emails: ['a@x.test', 'b@x.test'] })
    await deleteContacts(ctx, project.id, [a!])
    expect((await compute(project, id)).body).toEqual({ added: 0, removed: 0, total: 1 })
    await drain(ctx, handlers)
    expect((await call(project, 'GET', `/segments/${list.id}`)).body.memberCount).toBe(1)
    expect((await eventsOf(project)).filter(event => event.name.endsWith('.exit'))).toEqual([])
    expect(await ctx.sql`select 1 from segment_members where contact_id = ${a!}::uuid`).toHaveLength(0)
  })
})

describe('POST /segments/:id/refresh', () => {
  test('counts, tells nobody and adds nobody', async () => {
    const project = await makeProject({ ctx })
    const { id } = await tracked(project)
    await setPlan(project, ['a@x.test'], 'pro')
    expect((await call(project, 'POST', `/segments/${id}/refresh`)).body).toEqual({ memberCount: 1 })
    expect(await eventsOf(project)).toHaveLength(0)
    expect(await ctx.sql`select 1 from segment_members where segment_id = ${id}::uuid`).toHaveLength(0)
  })
})

describe('every five minutes', () => {
  const tick = async () => {
    const last = await loadLastTicks(ctx, segmentSchedules)
    clock.advance(5 * minute)
    await fireDue(ctx, segmentSchedules, last)
    return (await drain(ctx, handlers)).filter(run => run.kind === 'segment.compute')
  }

  test('tracked segments are computed, and others counted once the count is an hour old', async () => {
    await ctx.sql`delete from segments`
    const project = await makeProject({ ctx })
    const { id } = await tracked(project)
    const plain = await tracked(project, { trackMembership: false })
    await tracked(project, { type: 'STATIC' })
    await setPlan(project, ['a@x.test'], 'pro')
    const runs = await tick()
    expect(runs).toMatchObject([{ args: { segmentId: id }, outcome: { type: 'completed' } }])
    expect(await eventsOf(project)).toHaveLength(1)
    const memberCount = async () => (await call(project, 'GET', `/segments/${plain.id}`)).body.memberCount
    expect(await memberCount()).toBe(0)
    clock.advance(60 * minute)
    expect(await tick()).toHaveLength(2)
    expect(await memberCount()).toBe(1)
    expect(await eventsOf(project)).toHaveLength(1)
  })

  test('a disabled project is passed over', async () => {
    const project = await makeProject({ ctx })
    await tracked(project)
    await setPlan(project, ['a@x.test'], 'pro')
    await ctx.sql`update projects set disabled = true where id = ${project.id}::uuid`
    await tick()
    expect(await eventsOf(project)).toHaveLength(0)
  })

  test('a segment that still waits to be computed is not added again', async () => {
    const project = await makeProject({ ctx })
    const { id } = await tracked(project)
    await enqueueRefreshes(ctx)
    await enqueueRefreshes(ctx)
    const waiting = await ctx.sql`
      select 1 from jobs where kind = 'segment.compute' and args ->> 'segmentId' = ${id} and state = 'queued'`
    expect(waiting).toHaveLength(1)
    await drain(ctx, handlers)
  })

  test('more segments than a page are all reached', async () => {
    await ctx.sql`delete from segments`
    const project = await makeProject({ ctx })
    const { id } = await tracked(project)
    await ctx.sql`
      insert into segments (id, project_id, name, type, condition, track_membership, member_count, counted_at, created_at, updated_at)
      select gen_random_uuid(), project_id, name, type, condition, track_membership, 0, counted_at, created_at, updated_at
        from segments, generate_series(1, 1100) where id = ${id}::uuid`
    await enqueue(ctx, segmentKinds.refreshAll, {})
    const runs = await drain(
      ctx,
      handlerTable([...segmentJobs, handle(segmentKinds.compute, async () => {})]),
    )
    expect(runs.filter(run => run.kind === 'segment.refreshAll')).toHaveLength(3)
    expect(runs.filter(run => run.kind === 'segment.compute')).toHaveLength(1_101)
    await ctx.sql`delete from segments`
  })

  test('one deleted in between is no failure', async () => {
    const project = await makeProject({ ctx })
    await enqueue(ctx, segmentKinds.compute, { segmentId: Bun.randomUUIDv7() }, { projectId: project.id })
    expect((await drain(ctx, handlers)).map(run => run.outcome.type)).toEqual(['completed'])
  })
})
