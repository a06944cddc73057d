// A connection that is cut costs the statements that were on it, never the process and never the pool.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { sql as statement } from 'drizzle-orm'
import { inTransaction } from '../../../src/platform/context'
import { openDatabase } from '../../../src/platform/db/client'
import { isConnectionFault, isDatabaseAway } from '../../../src/platform/db/errors'
import { testContext } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'
import { until } from '../../support/until'

let database: TestDatabase
let killer: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase({ empty: true, max: 3 })
  killer = await cloneDatabase({ empty: true, max: 1 })
})
afterAll(async () => {
  await database.drop()
  await killer.drop()
})

async function killAll(): Promise<void> {
  const name = new URL(database.url).pathname.slice(1)
  await killer.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
}

const faultOf = (error: unknown): boolean => isConnectionFault(error) && isDatabaseAway(error)

test('a transaction whose connection is cut fails, whatever it tries afterwards', async () => {
  const { ctx } = testContext(database)
  const faults: unknown[] = []
  const note = (error: unknown): void => void faults.push(error)
  const ended = Promise.withResolvers<void>()
  const work = inTransaction(ctx, async tx => {
    await tx.sql`select 1`
    await killAll()
    await tx.sql`select 2`.catch(note)
    await tx.sql`select 3`.catch(note)
    await tx.sql`select 4`.catch(note)
    ended.resolve()
  })
  expect(faultOf(await work.catch(error => error))).toBe(true)
  await ended.promise
  expect(faults.map(faultOf)).toEqual([true, true, true])
  expect(await database.sql`select 5 as n`).toMatchObject([{ n: 5 }])
})

test.each([
  ['a port where nobody listens', 'postgres://a@127.0.0.1:1/x'],
  ['a socket that is not there', 'postgres://a@localhost:5432/x?host=%2Fno-such-folder'],
])('a server that is away is told from others that are: %s', async (_, url) => {
  const away = openDatabase(url, { max: 1 })
  const ways: Array<() => PromiseLike<unknown>> = [
    () => away.sql`select 1`,
    () => away.sql.begin(tx => tx`select 1`),
    () => away.db.execute(statement`select 1`),
  ]
  for (const way of ways) expect(await way().then(() => false, isDatabaseAway)).toBe(true)
  await away.close()
  expect(await fetch('http://127.0.0.1:1').then(() => true, isDatabaseAway)).toBe(false)
})

test('statements in flight fail with a fault of the connection, and the pool answers again', async () => {
  for (let round = 0; round < 20; round++) {
    const flights = Array.from({ length: 12 }, (_, n) => database.sql`select ${n}::int as n, pg_sleep(0.02)`)
    const settled = Promise.allSettled(flights)
    await killAll()
    for (const result of await settled) {
      if (result.status === 'rejected') expect(faultOf(result.reason)).toBe(true)
    }
    await answersSoon()
  }
})

test('a statement that was not yet written goes with its connection, and the next connection writes', async () => {
  const client = openDatabase(database.url, { max: 1 })
  const sockets: Socket[] = []
  const options = client.sql.options as { onbackend?: (pid: number, backend: { socket: Socket }) => void }
  options.onbackend = (_, { socket }) => void sockets.push(socket)
  await client.sql`select 1`
  const unwritten = client.sql`select 2`.catch(error => error)
  // By then the driver has put it together; it writes when the event loop comes round.
  for (let turn = 0; turn < 3; turn++) await null
  sockets[0]!.emit('close', false)
  sockets[0]!.destroy()
  expect(faultOf(await unwritten)).toBe(true)
  expect(await client.sql`select 3 as n`).toMatchObject([{ n: 3 }])
  await client.close()
})

test('statements that wait behind a hundred others in a transaction that is cut fail with it', async () => {
  const { ctx } = testContext(database)
  let settled: PromiseSettledResult<unknown>[] = []
  const work = inTransaction(ctx, async tx => {
    const flights = Promise.allSettled(Array.from({ length: 150 }, () => tx.sql`select pg_sleep(0.1)`))
    await killAll()
    settled = await flights
  })
  expect(faultOf(await work.catch(error => error))).toBe(true)
  await until('all of them are settled', () => settled.length > 0)
  expect(settled.every(each => each.status === 'fulfilled' || faultOf(each.reason))).toBe(true)
  expect(settled.at(-1)!.status).toBe('rejected')
  await answersSoon()
})

test('the first statement after a cut is not blamed for it', async () => {
  for (let round = 0; round < 10; round++) {
    const flights: Promise<PromiseSettledResult<unknown>[]>[] = []
    // One after the other, or the driver puts one behind another on the same connection. What the server has taken is running, so the
    // cut meets each connection in the middle of a statement.
    for (let running = 1; running <= 3; running++) {
      flights.push(Promise.allSettled([database.sql`select pg_sleep(60)`]))
      await until(`${running} of them run`, async () => (await sleepers()) === running)
    }
    await killAll()
    for (const [result] of await Promise.all(flights)) expect(result!.status).toBe('rejected')
    const next = await Promise.allSettled([1, 2, 3].map(n => database.sql`select ${n}::int as n`))
    expect(next.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  }
})

async function sleepers(): Promise<number> {
  const [row] = await killer.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
     where datname = ${new URL(database.url).pathname.slice(1)} and query like '%pg_sleep(60)%' and state = 'active'`
  return row!.count
}

/** Each connection of the pool may still have to find out that it was cut. */
async function answersSoon(): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const results = await Promise.allSettled([1, 2, 3, 4].map(n => database.sql`select ${n}::int as n`))
    if (results.every(result => result.status === 'fulfilled')) return
  }
  throw new Error('the pool did not recover')
}
