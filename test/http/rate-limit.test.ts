// The request budget that several instances share on one database: never more than the limit in a minute, and all of it for
// one who uses it alone.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
// Loaded by the first message to /mcp, it leaves globals of its own.
import '@modelcontextprotocol/sdk/types.js'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { TransactionSql } from 'postgres'
import { makeApplication } from '../../src/http/application'
import { minute } from '../../src/lib/time'
import { publicKey } from '../../src/modules/accounts/projects/guard'
import { signSession } from '../../src/modules/accounts/users/guard'
import type { Context } from '../../src/platform/context'
import { type Limiter, makeLimiter } from '../../src/platform/rate/limiter'
import { deleteIdleBudgets, type Holder } from '../../src/platform/rate/queries'
import { buildApp } from '../../src/server/app'
import { manualClock, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeMember, makeProject } from '../support/make'
import { makeRandom } from '../support/random'
import { type RequestOptions, request } from '../support/request'
import { until } from '../support/until'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(async () => await database.drop())

/** An instance of its own, on the shared database and clock, that counts its statements. */
function instance(clock = manualClock()): { ctx: Context; statements: () => number } {
  const { ctx } = testContext(database)
  let count = 0
  const sql = new Proxy(ctx.sql, {
    apply(target, self, args) {
      count++
      return Reflect.apply(target as never, self, args)
    },
  })
  return { ctx: { ...ctx, clock, sql }, statements: () => count }
}

const newProject = (): Holder => ({ kind: 'project', id: instance().ctx.random.uuid(new Date(0)) })

async function takeMany(limiter: Limiter, project: Holder, times: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: times }, () => limiter.take(project)))
  return verdicts.filter(verdict => verdict.allowed).length
}

describe('one instance', () => {
  test('can use the whole budget at once with few statements, and not one request more', async () => {
    const { ctx, statements } = instance()
    const limiter = makeLimiter(ctx, 1_000)
    const project = newProject()
    let allowed = 0
    for (let i = 0; i < 1_050; i++) if ((await limiter.take(project)).allowed) allowed++
    expect(allowed).toBe(1_000)
    expect(statements()).toBeLessThan(25)
  })

  test.each([1, 2, 3, 7])('can use a budget of %d to the last request', async limit => {
    const limiter = makeLimiter(instance().ctx, limit)
    expect(await takeMany(limiter, newProject(), limit + 5)).toBe(limit)
  })

  test('lets a burst of the whole budget pass each full minute, and never sends anybody away for longer', async () => {
    const clock = manualClock(new Date('2026-03-01T12:00:00.700Z'))
    const limiter = makeLimiter(instance(clock).ctx, 1_000)
    const project = newProject()
    for (let burst = 0; burst < 3; burst++) {
      expect(await takeMany(limiter, project, 1_000)).toBe(1_000)
      const refused = await limiter.take(project)
      expect(refused.allowed).toBe(false)
      expect(refused.retrySeconds).toBeLessThanOrEqual(60)
      clock.advance(minute)
    }
  })

  test('is asked for many holders at once, and grants each what it would get alone', async () => {
    const { ctx } = instance(manualClock(new Date('2026-03-01T12:00:00.000Z')))
    const limiter = makeLimiter(ctx, 40)
    const projects = Array.from({ length: 20 }, newProject)
    const holders: Holder[] = projects.flatMap(({ id }) => [
      { kind: 'project', id },
      { kind: 'public', id },
    ])
    const first = await Promise.all(holders.map(holder => limiter.take(holder)))
    expect(first.map(({ allowed, remaining }) => [allowed, remaining])).toEqual(holders.map(() => [true, 39]))
    const passed = await Promise.all(holders.map((holder, n) => takeMany(limiter, holder, n % 2 ? 45 : 10)))
    expect(passed).toEqual(holders.map((_, n) => (n % 2 ? 39 : 10)))
  })

  test('says what is left, and when to come back', async () => {
    const clock = manualClock(new Date('2026-03-01T12:00:00.000Z'))
    const limiter = makeLimiter(instance(clock).ctx, 3)
    const project = newProject()
    const remaining = []
    for (let i = 0; i < 3; i++) remaining.push((await limiter.take(project)).remaining)
    expect(remaining).toEqual([2, 1, 0])
    clock.advance(20_000)
    const refused = await limiter.take(project)
    expect(refused).toMatchObject({ allowed: false, limit: 3, remaining: 0, retrySeconds: 40 })
    clock.advance(refused.retrySeconds * 1_000 - 1)
    expect((await limiter.take(project)).allowed).toBe(false)
    clock.advance(1)
    expect((await limiter.take(project)).allowed).toBe(true)
  })

  test('gets back in the next slot what it leased and did not use', async () => {
    const clock = manualClock()
    const limiter = makeLimiter(instance(clock).ctx, 100)
    const project = newProject()
    for (let i = 0; i < 10; i++) {
      expect((await limiter.take(project)).allowed).toBe(true)
      clock.advance(2_000)
    }
    expect((await limiter.take(project)).remaining).toBe(89)
  })

  test('gains nothing from a clock that goes backwards', async () => {
    const clock = manualClock()
    const { ctx } = instance(clock)
    const project = newProject()
    expect(await takeMany(makeLimiter(ctx, 50), project, 60)).toBe(50)
    clock.advance(-10 * minute)
    expect(await takeMany(makeLimiter(ctx, 50), project, 60)).toBe(0)
  })
})

describe('several instances', () => {
  test('never let more than the limit through in a minute less one slot, and waste little', async () => {
    const limit = 200
    const clock = manualClock()
    const limiters = Array.from({ length: 4 }, () => makeLimiter(instance(clock).ctx, limit))
    const project = newProject()
    const passed: number[] = []
    const random = makeRandom(7)
    for (let step = 0; step < 260; step++) {
      const bursts = limiters.map(limiter => takeMany(limiter, project, random(8)))
      for (const allowed of await Promise.all(bursts))
        for (let i = 0; i < allowed; i++) passed.push(clock.now().getTime())
      clock.advance(random(1_500))
    }
    let worst = 0
    for (const [index, at] of passed.entries()) {
      const inMinute = passed.slice(index).findIndex(later => later >= at + minute - 2_000)
      worst = Math.max(worst, inMinute < 0 ? passed.length - index : inMinute)
    }
    expect(worst).toBeLessThanOrEqual(limit)
    expect(worst).toBeGreaterThan(limit * 0.9)
  })

  test('that all ask at the same moment share exactly the limit', async () => {
    const clock = manualClock()
    const limiters = Array.from({ length: 5 }, () => makeLimiter(instance(clock).ctx, 1_000))
    const project = newProject()
    const passed = await Promise.all(limiters.map(limiter => takeMany(limiter, project, 1_000)))
    const sum = passed.reduce((total, count) => total + count, 0)
    expect(sum).toBe(1_000)
  })

  test('that ask for the same holders in different orders wait for each other, and share exactly the limit', async () => {
    const clock = manualClock()
    const limiters = Array.from({ length: 4 }, () => makeLimiter(instance(clock).ctx, 30))
    const projects = Array.from({ length: 30 }, newProject)
    for (let round = 0; round < 3; round++) {
      const passed = await Promise.all(
        limiters.map(async (limiter, n) => {
          const own = projects.toSorted((a, b) => (n % 2 ? 1 : -1) * (a.id < b.id ? 1 : -1))
          const counts = await Promise.all(
            own.map(async each => [each.id, await takeMany(limiter, each, 30)] as const),
          )
          return new Map(counts)
        }),
      )
      for (const { id } of projects) expect(passed.reduce((sum, of) => sum + of.get(id)!, 0)).toBe(30)
      clock.advance(minute)
    }
  })

  test('lock rows in the order of their ids, whatever order they are asked for in', async () => {
    const clock = manualClock()
    const [low, high] = [newProject(), newProject()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const limiter = makeLimiter(instance(clock).ctx, 30)
    const takeBoth = () => Promise.all([high!, low!].map(holder => limiter.take(holder)))
    await takeBoth()
    await until('what was taken is noted', async () => {
      const ids = [low!.id, high!.id]
      return (
        (await database.sql`select 1 from rate_budgets where holder_id in ${database.sql(ids)}`).length === 2
      )
    })
    clock.advance(minute)
    const lockOf = (tx: TransactionSql, { id }: Holder) =>
      tx`select 1 from rate_budgets where holder_id = ${id} for update skip locked`
    const { waiting } = await database.sql.begin(async tx => {
      // What was taken before may just be noted.
      expect(await tx`select 1 from rate_budgets where holder_id = ${low!.id} for update`).toHaveLength(1)
      const waiting = takeBoth()
      await until('they wait for the first row', async () => {
        const [row] = await database.sql<{ count: number }[]>`
          select count(*)::int as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`
        return row!.count === 1
      })
      expect(await lockOf(tx, high!)).toHaveLength(1)
      return { waiting }
    })
    expect((await waiting).map(({ allowed }) => allowed)).toEqual([true, true])
  })

  test('keep apart the budgets of two projects', async () => {
    const limiter = makeLimiter(instance().ctx, 10)
    const [one, two] = [newProject(), newProject()]
    expect(await takeMany(limiter, one, 20)).toBe(10)
    expect(await takeMany(limiter, two, 20)).toBe(10)
  })
})

test('budgets of projects that fell silent are cleared away', async () => {
  const { ctx } = instance()
  const project = newProject()
  await makeLimiter(ctx, 10).take(project)
  await deleteIdleBudgets(ctx, Number.MAX_SAFE_INTEGER)
  expect(await ctx.sql`select 1 from rate_budgets where holder_id = ${project.id}`).toHaveLength(0)
})

describe('over HTTP', () => {
  const probe = (ctx: Context) =>
    new Elysia()
      .use(publicKey(ctx))
      .post('/v1/track', () => 'tracked', { scope: 'track', body: Type.Object({ event: Type.String() }) })

  test('the limit is answered with 429, its headers and the seconds to wait', async () => {
    const world = testContext(database, { rateLimitPerMinute: 2 })
    const app = makeApplication(world.ctx, [probe])
    const { publicKey: key } = await makeProject(world)
    const send = (body: unknown, key?: string) => request(app, 'POST', '/v1/track', { body, key })
    const first = await send({ event: 'a' }, key)
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-limit')).toBe('2')
    expect(first.headers.get('ratelimit-remaining')).toBe('1')
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThan(0)
    expect((await send({}, key)).status).toBe(422)
    const refused = await send({ event: 'a' }, key)
    expect(refused.status).toBe(429)
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', statusCode: 429 })
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(refused.body.error.details).toEqual({ retryAfter: wait })
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect((await send({ event: 'a' }, 'pk_wrong')).status).toBe(401)
  })

  test('the public key, the secret key and each user have a budget of their own', async () => {
    const world = testContext(database, { rateLimitPerMinute: 3 })
    const app = buildApp(world.ctx)
    const project = await makeProject(world)
    const member = await makeMember(world, project.id, 'MEMBER')
    const cookieOf = async (userId: string): Promise<string> =>
      `waxwing_session=${await signSession(world.ctx, { userId, version: 1 })}`
    const [owner, other] = [await cookieOf(project.ownerId), await cookieOf(member.id)]
    const headers = { 'x-project-id': project.id }
    const spend = async (method: string, path: string, options: RequestOptions): Promise<number[]> => {
      const statuses: number[] = []
      for (let n = 0; n < 4; n++) statuses.push((await request(app, method, path, options)).status)
      return statuses
    }
    // Refused requests count as well, whoever makes them.
    expect(await spend('POST', '/v1/track', { body: {}, key: project.publicKey })).toEqual([
      422, 422, 422, 429,
    ])
    expect(await spend('POST', '/v1/send', { body: {}, key: project.secretKey })).toEqual([
      422, 422, 422, 429,
    ])
    expect((await request(app, 'GET', '/contacts', { key: project.secretKey })).status).toBe(429)
    expect(await spend('GET', '/users/@me', { cookie: owner })).toEqual([200, 200, 200, 429])
    for (const path of ['/contacts', '/users/@me/projects', '/projects', `/projects/${project.id}`])
      expect([path, (await request(app, 'GET', path, { cookie: owner, headers })).status]).toEqual([
        path,
        429,
      ])
    expect(await spend('GET', '/contacts', { cookie: other, headers })).toEqual([200, 200, 200, 429])
  })

  test('assistants and keys with scopes have half of it each, and take nothing from the secret key', async () => {
    const world = testContext(database, { rateLimitPerMinute: 8 })
    const app = buildApp(world.ctx)
    const project = await makeProject(world)
    const key = project.secretKey
    const made = await request(app, 'POST', `/projects/${project.id}/api-keys`, {
      key,
      body: { name: 'K', scopes: ['read'] },
    })
    const use = async (by: string) => {
      const params = { name: 'search_contacts', arguments: {} }
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { status, body: answer } = await request(app, 'POST', '/mcp', { key: by, body })
      return { status, text: String(answer.result?.content[0].text ?? answer.error.message) }
    }
    for (const by of [key, made.body.key]) {
      // Each call is a request, and so is the route behind it.
      const calls = [await use(by), await use(by), await use(by)]
      expect(calls.map(({ status }) => status)).toEqual([200, 200, 429])
      expect(calls[2]!.text).toMatch(/Wait \d+ seconds/)
    }
    expect((await request(app, 'GET', '/contacts', { key: made.body.key })).status).toBe(429)
    const own = []
    for (let n = 0; n < 8; n++) own.push((await request(app, 'POST', '/v1/send', { body: {}, key })).status)
    expect(own).toEqual([422, 422, 422, 422, 422, 422, 422, 429])
  })

  test('a tool whose route is refused for it says when to try again', async () => {
    const world = testContext(database, { rateLimitPerMinute: 2 })
    const app = buildApp(world.ctx)
    const { secretKey: key } = await makeProject(world)
    const params = { name: 'search_contacts', arguments: {} }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { body: answer } = await request(app, 'POST', '/mcp', { key, body })
    expect(answer.result.content[0].text).toMatch(/^RATE_LIMIT_EXCEEDED \(429\): (?:.|\n)*Wait \d+ seconds/)
  })

  test('0 switches the limit off', async () => {
    const world = testContext(database, { rateLimitPerMinute: 0 })
    const app = makeApplication(world.ctx, [probe])
    const { publicKey: key } = await makeProject(world)
    const answer = await request(app, 'POST', '/v1/track', { body: { event: 'a' }, key })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('ratelimit-limit')).toBeNull()
  })
})
