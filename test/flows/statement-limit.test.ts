// A statement of a request that takes too long is cancelled and told as such, while jobs, on connections of their own, may take longer.
// A lock that the test holds stands for everything slow. The whole instance runs here, because it is what opens the pools.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contactKinds } from '../../src/modules/audience/contacts/kinds'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { silentLogger } from '../../src/platform/log'
import { type Instance, startInstance } from '../../src/server/instance'
import { testConfig, testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type MadeProject, makeProject } from '../support/make'
import { until } from '../support/until'

const statementTimeoutMs = 300
const secrets = {
  jwtSecret: 'test-jwt-secret-0123456789',
  encryptionKey: 'test-encryption-key-0123456789',
}

let database: TestDatabase
let instance: Instance
let project: MadeProject
const folder = mkdtempSync(join(tmpdir(), 'waxwing-limit-'))

beforeAll(async () => {
  database = await cloneDatabase()
  const place = { host: '127.0.0.1', port: 0, dataDir: folder, databaseUrl: database.url }
  instance = await startInstance(testConfig({ ...place, ...secrets, statementTimeoutMs }), silentLogger)
  project = await makeProject({ ctx: testContext(database, secrets).ctx })
})
afterAll(async () => {
  await instance?.stop()
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string): Promise<Response> =>
  fetch(`${instance.url}${path}`, { headers: { authorization: `Bearer ${project.secretKey}` } })

/** Runs `work` while nobody else gets at the table of contacts. */
async function withContactsLocked(work: () => Promise<void>): Promise<void> {
  await database.sql.begin(async tx => {
    await tx`lock table contacts in access exclusive mode`
    await work()
  })
}

/** Statements that wait for the lock, but for a schedule's question whether there is anything to do: it comes at each full minute. */
const waiting = async (): Promise<number> => {
  const [row] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query !~ '^\\s*select exists'`
  return row!.count
}

test('a request that waits too long for the database is 503 and says what to do, and the next one is answered', async () => {
  await withContactsLocked(async () => {
    const answer = await ask('/contacts')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'The database took too long over this request',
        suggestion: expect.stringContaining('Ask for less'),
      },
    })
  })
  expect((await ask('/contacts')).status).toBe(200)
})

test('requests that hold all of their connections leave jobs alone, and jobs have a longer limit', async () => {
  const { ctx } = testContext(database)
  const job = await enqueue({ ...ctx, clock: { now: () => new Date() } }, contactKinds.endSnoozes, {})
  expect(job).toBeDefined()
  const look = () => database.sql<{ kind: string; lastError: string | null }[]>`
    select kind, last_error as "lastError" from jobs where kind = 'contact.endSnoozes'`
  await withContactsLocked(async () => {
    await until('somebody waits for the lock', async () => (await waiting()) > 0)
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/contacts')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    // The job (and that of the schedule, if its time has come) has waited for longer than any of them by now, and is still at it.
    const jobs = await look()
    expect([await waiting(), ...jobs.map(({ lastError }) => lastError)]).toEqual([
      jobs.length,
      ...jobs.map(() => null),
    ])
  })
  await until('nobody looks any more', async () => (await look()).length === 0)
})
