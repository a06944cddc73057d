// Several real instances on one external database: they share the work, and together they do each thing once.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { type ExternalServer, hasExternalServer, startExternal } from '../support/external'
import { type Load, senderDomain, startLoad } from '../support/load'
import { type NameServer, startNameServer } from '../support/name-server'
import {
  builtProgram,
  freePort,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  runProgram,
  startProgram,
  verifyDomain,
} from '../support/program'
import { type Sink, startSink } from '../support/sink'
import { until } from '../support/until'

/** 45 seconds of waiting are too long for every run: WAXWING_SLOW=1 adds the test of a lease that runs out. */
const isSlow = process.env.WAXWING_SLOW === '1'
const secrets = { JWT_SECRET: 'one secret for all instances', ENCRYPTION_KEY: 'one key for all instances' }

let folder = ''
let server: ExternalServer
let admin: DatabaseClient
let database: DatabaseClient
let databaseUrl = ''
let sink: Sink
let dns: NameServer
let counter = 0
const programs: Program[] = []

if (!hasExternalServer)
  console.log('skipped: several instances need PostgreSQL 15 in /usr/lib/postgresql/15/bin')

describe.skipIf(!hasExternalServer)('several instances', () => {
  beforeAll(async () => {
    folder = makeFolder()
    await builtProgram()
    server = await startExternal(folder)
    admin = openDatabase(server.url, { max: 1 })
    dns = await startNameServer()
  })

  beforeEach(async () => {
    const name = `w${++counter}`
    await admin.sql.unsafe(`create database ${name}`)
    databaseUrl = Object.assign(new URL(server.url), { pathname: name }).toString()
    database = openDatabase(databaseUrl, { max: 1 })
    sink = startSink()
  })

  afterEach(async () => {
    for (const program of programs.splice(0)) program.kill('SIGKILL')
    sink.stop()
    await database.close()
  })

  afterAll(async () => {
    await admin?.close()
    await server?.stop()
    dns?.stop()
    removeFolder(folder)
  })

  test('all in one: each message and each schedule once, and the request limit holds for both together', async () => {
    const limit = 200
    // Two that start on an empty database at the same moment: both want to migrate it.
    const [one, two] = await Promise.all([0, 1].map(() => start({ RATE_LIMIT_PER_MINUTE: String(limit) })))
    await countSchedules()
    const keys = await prepare(one!)
    const beginsAt = Date.now()
    const load = startLoad(8, keys, sender => (sender % 2 ? one! : two!).url)
    await until('the limit is reached', () => (load.statuses.get(429) ?? 0) > 100)
    await load.stop()
    // All within one minute, so the limit counts them together; verifying the domain took some of it.
    expect(Date.now() - beginsAt).toBeLessThan(50_000)
    expect(load.accepted.size).toBeLessThanOrEqual(limit)
    expect(load.accepted.size).toBeGreaterThan(limit - 20)
    await delivered(load.accepted.size)
    expectEachOnce(load)
    await expectSchedulesOnce(3)
    expect(await Promise.all([one!.stop(), two!.stop()])).toEqual([0, 0])
    const [held] = await database.sql`select count(*)::int as count from runners`
    expect(held).toEqual({ count: 0 })
  })

  test('api and worker: one accepts, the other one delivers', async () => {
    const api = await start({ ROLE: 'api' })
    const keys = await prepare(api)
    const load = startLoad(4, keys, () => api.url)
    await until('some are accepted', () => load.accepted.size >= 50)
    expect(sink.received).toEqual([])
    const figuresPort = String(await freePort())
    const worker = await start({ ROLE: 'worker', METRICS_PORT: figuresPort })
    expect(worker.url).toBe('')
    const figures = `http://127.0.0.1:${figuresPort}`
    expect(worker.log()).toContain(`:${figuresPort}/metrics`)
    await until('more are accepted', () => load.accepted.size >= 120)
    await load.stop()
    await delivered(load.accepted.size)
    expectEachOnce(load)
    const environment = { ...secrets, DATABASE_URL: databaseUrl, ROLE: 'worker' }
    expect(await runProgram(['health'], { environment })).toEqual({
      code: 0,
      out: 'the database answers; job runners that are alive: 1\n',
      err: '',
    })
    const own = { environment: { ...environment, METRICS_PORT: figuresPort } }
    expect((await runProgram(['health'], own)).out).toStartWith('200 {"status":"ok"')
    const text = await (await fetch(`${figures}/metrics`)).text()
    const handedOver = /^waxwing_delivery_attempts_total\{.*outcome="accepted"\} (\d+)$/m.exec(text)
    expect(Number(handedOver?.[1])).toBe(load.accepted.size)
    expect(await worker.stop()).toBe(0)
    expect((await runProgram(['health'], { environment })).code).toBe(1)
    expect((await runProgram(['health'], own)).code).toBe(1)
    expect(await api.stop()).toBe(0)
  })

  test('an instance with other secrets is refused', async () => {
    await start({})
    await expect(start({ JWT_SECRET: 'another secret than the others' })).rejects.toThrow(
      'another JWT_SECRET',
    )
  })

  test('a restart of the database is survived by both, and nothing accepted is lost', async () => {
    const [one, two] = [await start({}), await start({})]
    const keys = await prepare(one)
    const load = startLoad(6, keys, sender => (sender % 2 ? one : two).url)
    await until('some are accepted', () => load.accepted.size >= 50)
    await server.restart()
    const before = load.accepted.size
    await until('more are accepted', () => load.accepted.size >= before + 50)
    await load.stop()
    expect([...load.statuses.keys()].filter(status => ![200, 503].includes(status))).toEqual([])
    await settled()
    const arrived = new Set(sink.received.map(({ to }) => to))
    expect([...load.accepted].filter(to => !arrived.has(to))).toEqual([])
  })

  test.skipIf(!isSlow)('the jobs of a killed instance are taken over within 45 seconds', async () => {
    const [one, two] = [await start({ JOB_CONCURRENCY: '4' }), await start({ JOB_CONCURRENCY: '4' })]
    const keys = await prepare(one)
    sink.hold()
    const load = startLoad(2, keys, () => two.url)
    await until('both have their hands full', () => sink.held() === 8)
    await load.stop()
    one.kill('SIGKILL')
    const killedAt = performance.now()
    await until('its connections are closed', () => sink.held() === 4)
    sink.resume()
    await settled(60_000)
    const seconds = (performance.now() - killedAt) / 1_000
    console.log(`jobs of a killed instance were done by another one after ${seconds.toFixed(1)} s`)
    expect(seconds).toBeLessThan(45)
    const ids = new Map<string, Set<string>>()
    for (const { to, messageId } of sink.received) ids.set(to, (ids.get(to) ?? new Set()).add(messageId))
    expect([...load.accepted].filter(to => ids.get(to)?.size !== 1)).toEqual([])
    expect(sink.received.length - ids.size).toBe(4)
  })
})

async function start(more: Record<string, string>): Promise<Program> {
  const program = await startProgram({
    environment: {
      ...secrets,
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(folder, 'never'),
      PORT: '0',
      SMTP_URL: sink.url,
      DNS_SERVERS: dns.address,
      DOMAIN_CHECK_INTERVAL: '1s',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      ...more,
    },
  })
  programs.push(program)
  return program
}

async function prepare(program: Program): Promise<Keys> {
  const keys = await makeProject(program.url)
  await verifyDomain(program.url, keys, senderDomain, dns)
  return keys
}

/** Jobs that are done leave no row, so every insert by a schedule is noted. */
async function countSchedules(): Promise<void> {
  await database.sql.unsafe(`
    create table fired (key text not null);
    create function note_fired() returns trigger language plpgsql as $$
      begin insert into fired values (new.unique_key); return null; end $$;
    create trigger note_fired after insert on jobs
      for each row when (new.unique_key like 'schedule:%') execute function note_fired()`)
}

async function expectSchedulesOnce(atLeast: number): Promise<void> {
  const checks = async () =>
    (
      await database.sql<
        { key: string }[]
      >`select key from fired where key like '%domain.check@%' order by key`
    ).map(row => row.key)
  await until('some ticks have passed', async () => (await checks()).length >= atLeast)
  const keys = await checks()
  expect(new Set(keys).size).toBe(keys.length)
  // A machine that is too busy may skip a tick; none may come between two seconds, where only a second firing could be.
  const times = keys.map(key => Date.parse(key.slice(key.indexOf('@') + 1)))
  expect(times.filter(time => time % 1_000 !== 0)).toEqual([])
}

async function settled(withinMs = 30_000): Promise<void> {
  await until(
    'no message and no delivery is left open',
    async () => {
      const [row] = await database.sql<{ open: number }[]>`
      select (select count(*)::int from emails where status in ('PENDING', 'SENDING'))
           + (select count(*)::int from jobs where kind = 'email.deliver') as open`.catch(() => [{ open: 1 }])
      return row!.open === 0
    },
    withinMs,
  )
}

async function delivered(count: number): Promise<void> {
  await settled()
  const rows = await database.sql`select status, count(*)::int as count from emails group by status`
  expect([...rows]).toEqual([{ status: 'DELIVERED', count }])
}

function expectEachOnce(load: Load): void {
  expect(sink.received.map(({ to }) => to).sort()).toEqual([...load.accepted].sort())
}
