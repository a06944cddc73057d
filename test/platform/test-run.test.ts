// `bun test` by itself: a server only where a test asks for one, and nothing left of it however the run ends.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { removeDeadServers } from '../support/server-program'
import { until } from '../support/until'

const root = join(import.meta.dir, '../..')
const fixture = './test/platform/test-run.fixture.ts'
const nowhere = 'postgres://nobody@127.0.0.1:1/nothing'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase({ empty: true, max: 1 })
})
afterAll(() => database.drop())

/** Runs `bun test` as somebody types it: nothing prepares the run. */
function bunTest(args: string[], environment: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env
  return Bun.spawn([process.execPath, 'test', ...args], {
    cwd: root,
    env: { PATH, HOME, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

async function databaseOf(run: ReturnType<typeof bunTest>): Promise<URL> {
  let output = ''
  for await (const chunk of run.stdout) {
    output += new TextDecoder().decode(chunk)
    const url = /postgres:\S+(?=\n)/.exec(output)?.[0]
    if (url) return new URL(url)
  }
  throw new Error(`no database: ${output}${await new Response(run.stderr).text()}`)
}

async function databasesLike(prefix: string): Promise<string[]> {
  const rows = await database.sql<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname, ${prefix})`
  return rows.map(row => row.datname)
}

/** The names of the databases of a run begin with that of its template. */
const templateOf = (url: URL): string => url.pathname.slice(1).split('_').slice(0, 4).join('_')

test('a file that asks for no database starts no server', async () => {
  const run = bunTest(['test/unit/lib/csv.test.ts'], { TEST_DATABASE_URL: nowhere })
  expect([await run.exited, await new Response(run.stderr).text()]).toEqual([
    0,
    expect.stringMatching(/^ 0 fail$/m),
  ])
})

test('a file that asks for one says which server it cannot reach', async () => {
  const run = bunTest([fixture], { TEST_DATABASE_URL: nowhere })
  const errors = await new Response(run.stderr).text()
  expect([await run.exited, errors]).toEqual([1, expect.stringContaining('127.0.0.1:1')])
})

test('a run that fails leaves no database on the server that it was given', async () => {
  const run = bunTest([fixture], { TEST_DATABASE_URL: database.url })
  const url = await databaseOf(run)
  expect(await run.exited).toBe(1)
  await until('all databases are gone', async () => (await databasesLike(templateOf(url))).length === 0)
})

test('a run that is killed leaves no database either', async () => {
  const run = bunTest([fixture], { TEST_DATABASE_URL: database.url, HANGS: '1' })
  const url = await databaseOf(run)
  expect(await databasesLike(templateOf(url))).toHaveLength(2)
  run.kill('SIGKILL')
  await until('all databases are gone', async () => (await databasesLike(templateOf(url))).length === 0)
})

test('a run that is killed takes its own server with it', async () => {
  const run = bunTest([fixture], { HANGS: '1' })
  const url = await databaseOf(run)
  const sockets = url.searchParams.get('host') ?? ''
  expect(readdirSync(sockets)).not.toEqual([])
  run.kill('SIGKILL')
  await until('its folder is gone', () => !existsSync(join(sockets, '../..')))
})

test('a run clears databases whose run has no session any more, and no others', async () => {
  const [dead, alive] = ['waxwing_test_1_dead', 'waxwing_test_1_alive']
  for (const name of [dead, alive]) await database.sql`create database ${database.sql(name)}`
  await database.sql`select set_config('application_name', ${alive}, false)`
  const run = bunTest([fixture], { TEST_DATABASE_URL: database.url })
  await run.exited
  expect(await databasesLike('waxwing_test_1_')).toEqual([alive])
  await database.sql`drop database ${database.sql(alive)}`
})

test('folders of servers whose process is gone are removed, and no others', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'waxwing-dead-'))
  const gone = Bun.spawn(['true'])
  await gone.exited
  const names = [`waxwing-test-${gone.pid}-a`, `waxwing-test-${process.pid}-a`, 'another']
  for (const name of names) mkdirSync(join(parent, name, 'postgres/pgdata'), { recursive: true })
  removeDeadServers(parent)
  expect(readdirSync(parent).sort()).toEqual([names[2]!, names[1]!])
  rmSync(parent, { recursive: true })
})
