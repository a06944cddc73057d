// What one project asks for that is heavy is its own affair: the requests of its neighbours neither wait for it nor are repeated over it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { makeApplication } from '../../src/http/application'
import { minute } from '../../src/lib/time'
import { contactsRoutes } from '../../src/modules/audience/contacts/routes'
import { segmentsRoutes } from '../../src/modules/features/segments/routes'
import { bringUpToDate, inFilterTurn } from '../../src/modules/features/segments/service'
import { replaceRenderThreads } from '../../src/modules/sending/templates/service/threads'
import { inTransaction } from '../../src/platform/context'
import { heavyJobConnections, openHeavyJobPool } from '../../src/platform/db/pools'
import { Snooze } from '../../src/platform/jobs/outcome'
import { countTransactions } from '../support/count-transactions'
import type { MadeProject } from '../support/make'
import { request } from '../support/request'
import { until } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let segments: AnyElysia
beforeAll(async () => {
  world = await makeWorld()
  segments = makeApplication(world.ctx, [ctx => segmentsRoutes(ctx)])
})
afterAll(() => world.close())

const send = (project: MadeProject, to: string, body = '<p>Hello</p>') =>
  world.call('POST', '/v1/send', { key: project.secretKey, body: { from: sender, to, subject: 'x', body } })

const costly = '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}'

describe('a project whose sends undo transactions', () => {
  /** In how many transactions these were accepted. */
  async function transactions(like: string): Promise<number> {
    const [row] = await world.ctx.sql<{ count: number }[]>`
      select count(distinct xmin::text)::int as count from emails where to_email like ${like}`
    return row!.count
  }

  test('shares none with others for a while', async () => {
    const bad = await world.newProject()
    expect((await send(bad, 'first@example.com', costly)).status).toBe(422)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 10 === 5
          ? send(bad, `bad-${n}@example.com`, costly)
          : send(world.project, `shared-${n}@example.com`),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n % 10 === 5 ? 422 : 200)))
    // Had one of them undone what they shared, each would have had its own.
    expect(await transactions('shared-%')).toBeLessThan(20)
  })

  test('is refused after one of them where it may render nothing costly for now', async () => {
    const bad = await world.newProject()
    const body = `${costly}again`
    for (let n = 0; n < 3; n++) expect((await send(bad, `slow-${n}@example.com`, body)).status).toBe(422)
    using begun = countTransactions(world.ctx.sql)
    const { body: answer } = await send(bad, 'refused@example.com', body)
    expect(answer.error.errors[0].message).toContain('not tried again for an hour')
    expect(begun.count).toBe(1)
  })
})

describe('contacts of one project that are held', () => {
  const to = 'held@example.com'
  const track = (project: MadeProject, email: string, n: number) =>
    world.call('POST', '/v1/track', {
      key: project.publicKey,
      body: { email, event: 'visited', data: { n } },
    })
  const sendWith = (project: MadeProject, email: string, n: number) =>
    world.call('POST', '/v1/send', {
      key: project.secretKey,
      body: { from: sender, to: email, subject: 'x', body: '<p>{{n}}</p>', data: { n } },
    })

  test.each([
    ['tracked events', track],
    ['sends', sendWith],
  ] as const)('hold up none of the %s of others', async (_name, call) => {
    const holder = await world.newProject()
    expect((await call(holder, to, 0)).status).toBe(200)
    let held: Promise<{ status: number }>[] = []
    await inTransaction(world.ctx, async ({ sql }) => {
      await sql`select 1 from contacts where project_id = ${holder.id} and email = ${to} for update`
      held = Array.from({ length: 5 }, (_, n) => call(holder, to, n + 1))
      for (let round = 0; round < 3; round++) {
        const others = Array.from({ length: 20 }, (_, n) =>
          call(world.project, `free-${n}@example.com`, round),
        )
        for (const { status } of await Promise.all(others)) expect(status).toBe(200)
      }
    })
    for (const { status } of await Promise.all(held)) expect(status).toBe(200)
  })

  test('keep it apart for as long as they are held, so that others do not find out every minute', async () => {
    const holder = await world.newProject()
    const hold = (work: () => Promise<void>) =>
      inTransaction(world.ctx, async ({ sql }) => {
        await sql`select 1 from contacts where project_id = ${holder.id} and email = ${to} for update`
        await work()
      })
    await track(world.project, 'free@example.com', 0)
    await track(holder, to, 0)
    for (let n = 1; n < 4; n++) {
      const held: Promise<unknown>[] = []
      await hold(async () => {
        using begun = countTransactions(world.ctx.sql)
        held.push(track(holder, to, n))
        expect((await track(world.project, 'free@example.com', n)).status).toBe(200)
        // The first time they share one, which is undone: each has its own then, and the holder another that may wait.
        const expected = n === 1 ? 4 : 2
        await until('all of them have begun', () => begun.count >= expected)
        await Bun.sleep(80)
        expect(begun.count).toBe(expected)
      })
      await Promise.all(held)
      world.clock.advance(0.9 * minute)
    }
  })

  test('are not those of a message that is costly to render', async () => {
    const costly = `{{n}}{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}`
    const bad = await world.newProject()
    expect((await track(bad, to, 0)).status).toBe(200)
    const order: string[] = []
    const slow = world
      .call('POST', '/v1/send', {
        key: bad.secretKey,
        body: { from: sender, to, subject: 'x', body: costly, data: { n: -1 } },
      })
      .then(({ status }) => void order.push(`message ${status}`))
    const quick: Promise<unknown>[] = []
    for (let n = 1; n <= 6; n++) {
      quick.push(track(bad, to, n).then(({ status }) => void order.push(`event ${status}`)))
      await Bun.sleep(100)
    }
    await Promise.all([slow, ...quick])
    expect(order).toEqual([...Array<string>(6).fill('event 200'), 'message 422'])
  })
})

describe('filters of one project', () => {
  const body = {
    name: 'Heavy',
    condition: {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.x', operator: 'contains', value: 'y' }] }],
    },
    trackMembership: true,
  }
  const create = (project: MadeProject) =>
    request(segments, 'POST', '/segments', { key: project.secretKey, body })

  const waiting = async (): Promise<number> => {
    const [row] = await world.ctx.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%contacts%'`
    return row!.count
  }

  test('are asked one after the other, and more than twenty at once are told to come back', async () => {
    let answers: Promise<Awaited<ReturnType<typeof create>>>[] = []
    let neighbour: ReturnType<typeof create> | undefined
    await inTransaction(world.ctx, async ({ sql }) => {
      await sql`lock table contacts in access exclusive mode`
      answers = Array.from({ length: 25 }, () => create(world.project))
      neighbour = create(await world.newProject())
      await until('both wait for the lock', async () => (await waiting()) >= 2)
      // One of each: all the others of the project hold no connection.
      expect(await waiting()).toBe(2)
    })
    const all = await Promise.all(answers)
    expect(all.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(5).fill(429),
    ])
    expect(all.find(({ status }) => status === 429)!.body.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'Too many filters of this project wait for their answer already',
      details: { retryAfter: 5 },
    })
    expect((await neighbour)!.status).toBe(201)
  })

  test('hold one place of the jobs: the next one comes back later', async () => {
    const { id: projectId } = world.project
    const ids = await world.ctx.sql<{ id: string }[]>`
      select id from segments where project_id = ${projectId} limit 2`
    let both: Promise<unknown>[] = []
    await inTransaction(world.ctx, async ({ sql }) => {
      await sql`lock table contacts in access exclusive mode`
      both = ids.map(({ id }) => bringUpToDate(world.ctx, projectId, id))
      await expect(Promise.race(both)).rejects.toBeInstanceOf(Snooze)
    })
    const done = await Promise.allSettled(both)
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('of the jobs of all projects together leave most of the database to others, and have connections of their own', async () => {
    const heavy = openHeavyJobPool({ client: world.database.sql, isBuiltIn: false })
    const ctx = { ...world.ctx, heavy }
    const made = await Promise.all(
      Array.from({ length: heavyJobConnections + 1 }, async () => {
        const project = await world.newProject()
        return { projectId: project.id, id: (await create(project)).body.id as string }
      }),
    )
    let all: Promise<unknown>[] = []
    await inTransaction(world.ctx, async ({ sql }) => {
      await sql`lock table contacts in access exclusive mode`
      all = made.map(({ projectId, id }) => bringUpToDate(ctx, projectId, id))
      await expect(Promise.race(all)).rejects.toBeInstanceOf(Snooze)
      const reading = () => world.ctx.sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and application_name = 'waxwing heavy'`
      await until('the others read', async () => (await reading()).count === heavyJobConnections)
    })
    const done = await Promise.allSettled(all)
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    await heavy.close()
  })
})

describe('what is costly of one project', () => {
  const begins: number[] = []
  /** Takes that long, while somebody else asks for something. */
  const piece = async (ms: number): Promise<void> => {
    begins.push(performance.now())
    world.ctx.requests.begin({ startedAt: performance.now() })
    await Bun.sleep(ms)
  }
  const rests = (): number => begins[2]! - begins[1]!
  beforeEach(() => void begins.splice(0))
  afterEach(() => replaceRenderThreads())

  test('rests between two templates, where others want answers', async () => {
    replaceRenderThreads({
      threads: 0,
      async run(_owner, _job, _limitMs, { spent } = {}) {
        await piece(50)
        spent?.(50)
        return { text: 'rendered' }
      },
    })
    const { secretKey: key } = await world.newProject()
    for (let n = 0; n < 3; n++) {
      const body = { subject: 'x', body: `${costly}${n}`, type: 'TRANSACTIONAL', data: {} }
      expect((await world.call('POST', '/templates/preview', { key, body })).status).toBe(200)
    }
    expect(rests()).toBeGreaterThan(5 * 50 - 2)
  })

  test('has files of imports stored one at a time, whoever brings them', async () => {
    const contacts = makeApplication(world.ctx, [ctx => contactsRoutes(ctx)])
    const projects = await Promise.all([1, 2, 3].map(() => world.newProject()))
    const store = ({ secretKey: key }: MadeProject) => {
      const body = new FormData()
      body.set('file', new File(['email\na@example.com\n'], 'people.csv', { type: 'text/csv' }))
      return request(contacts, 'POST', '/contacts/import', { key, body })
    }
    const waiting = async () =>
      (await world.ctx.sql`select from pg_locks where relation = 'contact_imports'::regclass and not granted`)
        .length
    let stored: Promise<{ status: number }>[] = []
    await inTransaction(world.ctx, async ({ sql }) => {
      await sql`lock table contact_imports in share mode`
      stored = projects.map(store)
      await until('one is being stored', async () => (await waiting()) === 1)
      await Bun.sleep(100)
      expect(await waiting()).toBe(1)
    })
    expect((await Promise.all(stored)).map(({ status }) => status)).toEqual([202, 202, 202])
  })

  test('rests between two filters, where others want answers', async () => {
    const { id } = await world.newProject()
    const ask = (ms: number) => inFilterTurn(world.ctx, id, () => piece(ms))
    await Promise.all([ask(50), ask(50), ask(50)])
    expect(rests()).toBeGreaterThan(5 * 50 - 2)
  })
})
