// The process that has the PostgreSQL server of a test run: TEST_DATABASE_URL when given, else the built-in one as a throw-away
// cluster in memory. It clears what killed runs left, migrates the template, prints where both are, and runs until its input ends,
// which happens when the tests are over or killed: no signal, crash or `kill -9` of theirs leaves a server behind.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureAssets } from '../../scripts/ensure-assets'
import { type DatabaseClient, openDatabase, openDatabaseSession } from '../../src/platform/db/client'
import { migrate } from '../../src/platform/db/migrate'
import { migrations } from '../../src/platform/db/migrations'
import { withMonths } from '../../src/platform/db/partition/jobs'
import { splitTable } from '../../src/platform/db/partition/split'
import { monthlyTables } from '../../src/platform/db/partition/tables'
import { silentLogger } from '../../src/platform/log'
import { databaseUrl } from './database'
import { removeDataDir } from './embedded'
import { makeSharedFolder, roomyFolder } from './folders'

const prefix = 'waxwing_test_'
/** Of this run; a process id may come again. */
const template = `${prefix}${process.pid}_${Date.now().toString(36)}`

interface Server {
  url: string
  stop(): Promise<void>
}

/** A server that nobody else has, which goes with all that is in it. */
async function throwAway(): Promise<Server> {
  await ensureAssets()
  removeDeadServers(roomyFolder())
  const folder = makeSharedFolder(`${folderPrefix}${process.pid}-`)
  const dataDir = join(folder, 'postgres')
  const { startEmbedded } = await import('../../src/platform/db/embedded')
  const options = { dataDir, log: silentLogger, durable: false, maxConnections: 200 }
  const server = await startEmbedded(options)
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: server.url, stop }
}

const folderPrefix = 'waxwing-test-'

/** Ends the servers in `parent` whose process was killed, and removes their folders; the process's id is in the folder's name. */
export function removeDeadServers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = name.match(`^${folderPrefix}(\\d+)-`)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    removeDataDir(join(parent, name, 'postgres'))
    rmSync(join(parent, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function databasesOf({ sql }: DatabaseClient, run: string): Promise<string[]> {
  const rows = await sql<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname || '_', ${`${run}_`})`
  return rows.map(row => row.datname)
}

async function databasesOfDeadRuns({ sql }: DatabaseClient): Promise<string[]> {
  const rows = await sql<{ datname: string }[]>`
    select datname from pg_database made
     where starts_with(datname, ${prefix})
       and not exists (select from pg_stat_activity run
                        where starts_with(run.application_name, ${prefix})
                          and starts_with(made.datname || '_', run.application_name || '_'))`
  return rows.map(row => row.datname)
}

/** One may be gone already: other runs clear as well. */
async function dropDatabases({ sql }: DatabaseClient, names: string[]): Promise<void> {
  for (const name of names) await sql`drop database if exists ${sql(name)} with (force)`
}

async function makeTemplate({ sql }: DatabaseClient, url: string): Promise<void> {
  await sql`create database ${sql(template)}`
  const client = openDatabase(databaseUrl(url, template), { max: 1 })
  await migrate(client.sql, migrations, new Date())
  if (process.env.TEST_PARTITIONED) await splitTables(client)
  await client.close()
}

/** TEST_PARTITIONED=1: the tests run on tables that are split by month, and their clock begins at the border of two. */
async function splitTables({ sql }: DatabaseClient): Promise<void> {
  const before = new Date('2026-02-10T00:00:00Z')
  await withMonths({ sql, log: silentLogger }, async session => {
    for (const table of monthlyTables) await splitTable(session, table, before, () => {})
  })
}

/** From the template to the end of the tests, after which no database stays: the server may be somebody's. */
async function serve(url: string): Promise<void> {
  const admin = openDatabase(url, { max: 1 })
  // A session under the name of the run says that the run is alive, to whoever clears.
  const presence = openDatabaseSession(admin.sql, { application_name: template })
  await presence.sql`select`
  await dropDatabases(admin, await databasesOfDeadRuns(admin))
  await makeTemplate(admin, url)
  process.stdout.write(JSON.stringify({ url, template }))
  await Bun.stdin.text()
  await dropDatabases(admin, await databasesOf(admin, template))
  await presence.close()
  await admin.close()
}

async function main(): Promise<void> {
  const { TEST_DATABASE_URL } = process.env
  if (TEST_DATABASE_URL) return await serve(TEST_DATABASE_URL)
  const server = await throwAway()
  await serve(server.url).finally(server.stop)
}

if (import.meta.main)
  await main().then(
    () => process.exit(0),
    error => {
      console.error(error)
      process.exit(1)
    },
  )
