// A database whose connections stay open and say nothing any more: who waits for an answer is told, and new connections are made; who
// waits for a long statement is left alone.
import { afterAll, expect, test } from 'bun:test'
import { openDatabase } from '../../src/platform/db/client'
import { openRequestPool } from '../../src/platform/db/pools'
import { type Backend, watchSilence } from '../../src/platform/db/silence'
import { makeJobSignal } from '../../src/platform/jobs/wake'
import { testContext } from '../support/context'
import { cloneDatabase } from '../support/database'
import { startLossyProxy } from '../support/lossy-proxy'
import { until } from '../support/until'

const database = await cloneDatabase()
const proxy = startLossyProxy(database.url)
const closing: Array<() => unknown> = [() => proxy.stop(), () => database.drop()]
afterAll(async () => {
  for (const close of closing) await close()
})

/** A client whose connections are looked at twenty times a second. */
function client() {
  const given = { upTo: 0 }
  const opened = openDatabase(proxy.url, {
    max: 3,
    silenceEveryMs: 50,
    onSilence: connections => {
      given.upTo += connections
    },
  })
  closing.unshift(() => opened.close())
  return { ...opened, given }
}

test('statements on connections that fell silent fail, in pools too, and the next ones are answered', async () => {
  const { sql, given } = client()
  const pool = openRequestPool({ client: sql, isBuiltIn: false }, 60_000)
  await Promise.all([sql`select 1`, pool.sql`select 1`])
  proxy.fallSilent()
  const answers = await Promise.allSettled([sql`select 1`, pool.sql.begin(tx => tx`select 1`)])
  expect(answers.map(each => each.status === 'rejected' && each.reason.code)).toEqual([
    'CONNECTION_CLOSED',
    'CONNECTION_CLOSED',
  ])
  expect(given.upTo).toBe(2)
  expect([...(await sql`select 1 as one`), ...(await pool.sql`select 2 as one`)]).toEqual([
    { one: 1 },
    { one: 2 },
  ])
  await pool.close()
})

test('those that nobody used meanwhile are given up with them', async () => {
  const { sql, given } = client()
  await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))
  proxy.fallSilent()
  await expect(sql`select 1`).rejects.toThrow()
  expect(given.upTo).toBe(1)
  expect(await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.05)`))).toHaveLength(3)
  expect(given.upTo).toBe(1)
})

test('their sessions end on the server, which would keep their locks and places for two hours', async () => {
  const { sql } = client()
  const name = 'lost in an open transaction'
  const left = async () => {
    const rows = await database.sql`
      select state from pg_stat_activity where application_name = ${name} and datname = current_database()`
    return rows.map(({ state }) => state)
  }
  const waits = sql.begin(async tx => {
    await tx`select set_config('application_name', ${name}, false), pg_advisory_xact_lock(7)`
    proxy.fallSilent()
    expect(await left()).toEqual(['idle in transaction'])
    await tx`select 1`
  })
  await expect(waits).rejects.toThrow()
  await until('it is gone', async () => (await left()).length === 0)
})

test('where the server can not be reached, they end once it can', async () => {
  const socket = {
    destroyed: false,
    bytesRead: 0,
    destroy() {
      this.destroyed = true
    },
  }
  const asked: number[] = []
  let tries = 0
  const watch = watchSilence({
    everyMs: 5,
    answerMs: 20,
    atWork: async () => new Set<number>(),
    async endSessions(sessions) {
      if (++tries < 3) throw new Error('nobody there')
      asked.push(...sessions.map(({ pid }) => pid))
    },
  })
  watch.add({ pid: 7, socket, isWaiting: () => true })
  await until('the third try', () => asked.length > 0)
  expect(socket.destroyed).toBe(true)
  await Bun.sleep(30)
  watch.stop()
  expect({ asked, tries }).toEqual({ asked: [7], tries: 3 })
})

test('a statement that takes long is left alone, and so is a connection without one', async () => {
  const { sql, given } = client()
  await sql.begin(async tx => {
    await tx`select pg_sleep(0.5)`
    await Bun.sleep(300)
    await tx`select 1`
  })
  expect(given.upTo).toBe(0)
})

test('who only listens notices too, and hears again', async () => {
  const { sql } = client()
  const { ctx: context } = testContext(database)
  const [signal, other] = [
    makeJobSignal({ ...context, sql }, { checkEveryMs: 50 }),
    makeJobSignal({ ...context, sql: database.sql }),
  ]
  closing.unshift(
    () => signal.close(),
    () => other.close(),
  )
  let heard = 0
  signal.subscribe(() => heard++)
  await signal.listen()
  proxy.fallSilent()
  // Listening again counts as a hint as well.
  await until('it listens again', () => heard > 0)
  const before = heard
  other.wake(context.clock.now())
  await until('a hint is heard', () => heard > before)
})

test.each<[string, Partial<Record<'waits' | 'hears' | 'works' | 'answers', boolean>>, boolean]>([
  ['waits, hears nothing, and its session does not work', { waits: true }, true],
  ['waits, hears nothing, and nobody answers at all', { waits: true, answers: false }, true],
  ['waits, and its session works', { waits: true, works: true }, false],
  ['waits, and hears', { waits: true, hears: true }, false],
  ['waits for nothing', {}, false],
])('a connection that %s', async (_, { waits = false, hears, works, answers = true }, isGivenUp) => {
  const socket = {
    destroyed: false,
    heard: 0,
    get bytesRead() {
      return hears ? ++this.heard : 0
    },
    destroy() {
      this.destroyed = true
    },
  }
  let asked = 0
  const backend: Backend = { pid: 7, socket, isWaiting: () => waits }
  const watch = watchSilence({
    everyMs: 5,
    answerMs: 20,
    async atWork(pids) {
      asked++
      return answers ? new Set(works ? pids : []) : await new Promise(() => {})
    },
    endSessions: async () => {},
  })
  watch.add(backend)
  if (isGivenUp) await until('it is given up', () => socket.destroyed)
  else if (works) await until('it was asked for', () => asked >= 3)
  else await Bun.sleep(60)
  watch.stop()
  expect(socket.destroyed).toBe(isGivenUp)
})

test('one that nobody waits on ends with it, though its last word came after the look before', async () => {
  const session = (pid: number, waits: boolean) => ({
    pid,
    socket: {
      destroyed: false,
      bytesRead: 0,
      destroy() {
        this.destroyed = true
      },
    },
    isWaiting: () => waits,
  })
  const [silent, neighbour] = [session(7, true), session(8, false)]
  const watch = watchSilence({
    everyMs: 20,
    atWork: async () => new Set<number>(),
    endSessions: async () => {},
  })
  watch.add(silent)
  watch.add(neighbour)
  neighbour.socket.bytesRead++
  await until('the silent one is given up', () => silent.socket.destroyed)
  watch.stop()
  expect(neighbour.socket.destroyed).toBe(true)
})
