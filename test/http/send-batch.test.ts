// Sends that arrive together share a transaction. What is wrong with one of them is its own affair, and each one happens whole
// or not at all.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { v1Routes } from '../../src/modules/api/v1/routes'
import { makeRandom } from '../support/random'
import { request } from '../support/request'
import { until } from '../support/until'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(() => world.mail.clear())
afterAll(() => world.close())

const file = { filename: 'a.txt', contentType: 'text/plain', content: 'aGVsbG8=' }

async function contact(email: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await world.ctx.sql`
    select id, subscribed, data from contacts where project_id = ${world.project.id} and email = ${email}`
  return row
}

async function countEmails(): Promise<number> {
  const [row] = await world.ctx
    .sql`select count(*)::int as count from emails where project_id = ${world.project.id}`
  return row!.count
}

/** A contact whose data leaves room for little more. */
async function makeFull(email: string): Promise<void> {
  const data = { filler: 'x'.repeat(60_000) }
  expect((await world.send({ to: email, data })).status).toBe(200)
}

describe('a fault that only the database sees', () => {
  test('is answered as a 422 that names the data, for one recipient and for several', async () => {
    await makeFull('full@example.com')
    const before = await countEmails()
    for (const to of ['full@example.com', ['other@example.com', 'full@example.com']]) {
      const { status, body } = await world.send({ to, data: { more: 'y'.repeat(10_000) } })
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.error.errors).toMatchObject([{ field: 'data', code: 'too_big' }])
    }
    expect(await countEmails()).toBe(before)
    expect(await contact('other@example.com')).toBeUndefined()
  })

  test('harms none of fifty sends that arrive together', async () => {
    await makeFull('brim@example.com')
    const before = await countEmails()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 10 === 7
          ? world.send({
              to: ['brim@example.com', `lost-${n}@example.com`],
              data: { more: 'y'.repeat(10_000) },
            })
          : world.send({ to: `kept-${n}@example.com`, data: { n } }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(
      Array.from({ length: 50 }, (_, n) => (n % 10 === 7 ? 422 : 200)),
    )
    expect(await countEmails()).toBe(before + 45)
    expect(await contact('kept-3@example.com')).toMatchObject({ data: { n: 3 } })
    expect(await contact('lost-7@example.com')).toBeUndefined()
    await world.drain()
    expect(world.mail.sent.filter(({ envelope }) => envelope.to.startsWith('kept-'))).toHaveLength(45)
  })
})

describe('sends that arrive together', () => {
  test('are answered each with its own contact and message', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        world.send({
          to: [`x${n}@example.com`, `shared@example.com`],
          subject: `S${n}`,
          data: { [`k${n}`]: n },
        }),
      ),
    )
    for (const [n, { body }] of answers.entries()) {
      expect(body.data.emails[0].contact.email).toBe(`x${n}@example.com`)
      const email = await world.email(body.data.emails[0].email)
      expect([email.to, email.subject]).toEqual([`x${n}@example.com`, `S${n}`])
    }
    const shared = await contact('shared@example.com')
    expect(Object.keys(shared!.data as object)).toHaveLength(40)
  })

  test('of several projects keep apart', async () => {
    const others = await Promise.all([world.newProject(), world.newProject()])
    const keys = [world.project, ...others].map(project => project.secretKey)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        world.send({ to: 'same@example.com', data: { n } }, { key: keys[n % 3] }),
      ),
    )
    const ids = answers.map(({ body }) => body.data.emails[0].contact.id)
    expect(new Set(ids).size).toBe(3)
    for (const [n, id] of ids.entries()) expect(id).toBe(ids[n % 3])
  })

  test('flip a subscription once and record it once', async () => {
    await world.send({ to: 'flip@example.com' })
    const before = (await world.events()).length
    await Promise.all(
      Array.from({ length: 20 }, () => world.send({ to: 'flip@example.com', subscribed: true })),
    )
    const { id, subscribed } = (await contact('flip@example.com'))!
    const events = (await world.events()).slice(before)
    expect(subscribed).toBe(true)
    expect(events).toMatchObject([{ name: 'contact.subscribed', contactId: id }])
  })

  test('carry out opposite wishes in turn, each change with its event', async () => {
    await world.send({ to: 'torn@example.com' })
    const before = (await world.events()).length
    // The first ones take the slots, so that the pairs behind them share a batch.
    const crowd = Array.from({ length: 6 }, (_, n) => world.send({ to: `crowd-${n}@example.com` }))
    const wishes = [true, false, true, false].map(subscribed =>
      world.send({ to: 'torn@example.com', subscribed }),
    )
    expect((await Promise.all([...crowd, ...wishes])).map(answer => answer.status)).toEqual(
      Array(10).fill(200),
    )
    const { subscribed } = (await contact('torn@example.com'))!
    const names = (await world.events()).slice(before).map(event => event.name)
    // Each event turns what the one before it left, and the last one tells the state.
    expect(names.length).toBeGreaterThan(0)
    for (const [n, name] of names.entries())
      expect(name).toBe(n % 2 === 0 ? 'contact.subscribed' : 'contact.unsubscribed')
    expect(subscribed).toBe(names.length % 2 === 1)
  })
})

describe('a send that meets another transaction', () => {
  test('keeps its attachments when a contact appears while it is being written', async () => {
    const { ctx, project } = world
    const now = ctx.clock.now()
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const { promise: inserted, resolve: tell } = Promise.withResolvers<void>()
    if (!('begin' in ctx.sql)) throw new Error('the world is in a transaction')
    const other = ctx.sql.begin(async sql => {
      await sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        values (${ctx.random.uuid(now)}, ${project.id}, 'race@example.com', true, '{"from": "other"}', ${now}, ${now})`
      tell()
      await hold
    })
    await inserted
    const answer = world.send({
      to: ['race@example.com', 'racer@example.com'],
      attachments: [file],
      data: { a: 1 },
    })
    await waitingForLock()
    release()
    await other
    expect((await answer).status).toBe(200)
    expect(await contact('race@example.com')).toMatchObject({
      subscribed: true,
      data: { from: 'other', a: 1 },
    })
    await world.drain()
    const mails = (await world.received()).filter(mail => mail.to![0]!.address!.startsWith('race'))
    expect(mails.map(mail => mail.attachments.length)).toEqual([1, 1])
  })
})

/** Resolves when a statement of this database waits for another transaction. */
async function waitingForLock(): Promise<void> {
  await until('a statement waits', async () => {
    const [row] = await world.ctx.sql`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return row!.count > 0
  })
}

describe('many recipients with a large body', () => {
  test('are one transaction, whatever the number of its statements', async () => {
    const to = Array.from({ length: 100 }, (_, n) => `n${n}@example.com`)
    const { status } = await world.send({ to, body: `<p>${'word '.repeat(40_000)}</p>`, subject: 'Long' })
    expect(status).toBe(200)
    const [row] = await world.ctx.sql`
      select count(*)::int as count, count(distinct xmin::text)::int as transactions
        from emails where project_id = ${world.project.id} and subject = 'Long'`
    expect(row).toEqual({ count: 100, transactions: 1 })
  })

  test('are refused where the whole would be more than a quarter of a gigabyte', async () => {
    const to = Array.from({ length: 1_000 }, (_, n) => `n${n}@example.com`)
    const { status, body } = await world.send({ to, body: 'x'.repeat(300_000) })
    expect([status, body.error?.errors]).toMatchObject([422, [{ field: 'to', code: 'too_big' }]])
  })
})

describe('a crowd of sends by two processes', () => {
  test('with overlapping recipients, shared keys and faults: each is performed once or refused, none fails', async () => {
    await makeFull('crowded@example.com')
    const second = makeApplication({ ...world.ctx }, [v1Routes])
    const pick = makeRandom(7)
    const requests = Array.from({ length: 240 }, (_, n) => ({
      key: pick(3) === 0 ? `crowd-${pick(20)}` : undefined,
      bad: pick(8) === 0,
      body: {
        from: sender,
        subject: `Crowd ${n}`,
        body: '<p>Hi</p>',
        to: Array.from({ length: 1 + pick(4) }, () => `crowd-${pick(12)}@example.com`),
        data: { [`k${pick(5)}`]: n },
        subscribed: [true, false, undefined][pick(3)],
        attachments: pick(4) === 0 ? [file] : [],
      },
    }))
    const before = await countEmails()
    const answers = await Promise.all(
      requests.map(({ key, bad, body }, n) =>
        request(n % 2 === 0 ? world.app : second, 'POST', '/v1/send', {
          key: world.project.secretKey,
          headers: key ? { 'idempotency-key': key } : {},
          body: bad
            ? { ...body, to: [...body.to, 'crowded@example.com'], data: { more: 'y'.repeat(10_000) } }
            : body,
        }),
      ),
    )
    const performed = requests.filter((_, n) => answers[n]!.status === 200)
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200, 409, 422]))
    expect((await countEmails()) - before).toBe(performed.reduce((sum, { body }) => sum + body.to.length, 0))
    const keys = performed.flatMap(({ key }) => key ?? [])
    expect(new Set(keys).size).toBe(keys.length)
    for (const [n, { key, bad }] of requests.entries()) {
      if (!key && !bad) expect(answers[n]!.status).toBe(200)
      if (answers[n]!.status === 409) expect(keys).toContain(key!)
    }
  })
})

describe('a template that is slow to render', () => {
  test('is refused for many recipients as a whole, and harms nobody beside it', async () => {
    // A clock by which every look at it takes 30 ms.
    let looks = 0
    const start = world.clock.now().getTime()
    const clock = { now: () => new Date(start + 30 * looks++) }
    const slow = makeApplication({ ...world.ctx, clock }, [v1Routes])
    const post = (to: string[]) =>
      request(slow, 'POST', '/v1/send', {
        key: world.project.secretKey,
        body: { to, from: sender, subject: 'Slow', body: '<p>Hi</p>' },
      })
    const many = Array.from({ length: 500 }, (_, n) => `slow-${n}@example.com`)
    const [refused, ...fine] = await Promise.all([post(many), ...many.slice(0, 10).map(to => post([to]))])
    expect([refused!.status, refused!.body.error.errors]).toMatchObject([
      422,
      [{ field: 'body', code: 'too_big' }],
    ])
    expect(fine.map(answer => answer.status)).toEqual(Array(10).fill(200))
    expect(await contact('slow-499@example.com')).toBeUndefined()
  })
})
