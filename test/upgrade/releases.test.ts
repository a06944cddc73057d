// What each earlier release has left, in the hands of this program: its backup is restored, migrated and worked with; and its program
// goes on working beside the schema of this one, and of the next.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '../../src/platform/backup/load'
import { makeProgress } from '../../src/platform/backup/progress'
import { readBackup } from '../../src/platform/backup/reader'
import { walkBackup } from '../../src/platform/backup/walk'
import { type Migration, migrate, pendingMigrations } from '../../src/platform/db/migrate'
import { migrations } from '../../src/platform/db/migrations'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { makeFolder, type Program, removeFolder, runProgram, startProgram } from '../support/program'
import { runFlows } from './flows'
import { hasCommit, programOf, programOfToday } from './older-program'
import { emptyTables, populate, type Release } from './populate'

const folder = join(import.meta.dir, 'releases')
const releases: Release[] = await Promise.all(
  readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => Bun.file(join(folder, name)).json()),
)
const fileOf = ({ release }: Release): string => join(folder, `${release}.wxb`)
const read = (release: Release) => readBackup(createReadStream(fileOf(release)))
const quiet = makeProgress('test')

/** What the next release may bring while this one still runs. */
const next: Migration[] = [
  {
    tag: '9000_expand',
    sql: `create table letters (id uuid primary key, project_id uuid not null);
          alter table emails add column shade text;
          alter table contacts add column shade text not null default 'grey';
          alter table workflow_executions add column shade int`,
  },
  {
    tag: '9001_index',
    sql: '-- waxwing: stepwise\ncreate index concurrently contacts_by_shade on contacts (project_id, shade)',
  },
  {
    tag: '9002_fill',
    sql: '-- waxwing: backfill emails by id\nupdate emails set shade = status where id = any($1::uuid[])',
  },
]
const contract: Migration = {
  tag: '9003_contract',
  sql: '-- waxwing: minimum release 99.0.0\nalter table emails drop column shade',
}

let scratch = ''
const programs: Program[] = []
const databases: TestDatabase[] = []

beforeAll(() => {
  scratch = makeFolder()
})

afterAll(async () => {
  for (const program of programs) program.kill('SIGKILL')
  for (const database of databases) await database.drop()
  removeFolder(scratch)
})

function restored(release: Release): Promise<TestDatabase> {
  return restoredFrom(fileOf(release))
}

async function restoredFrom(file: string): Promise<TestDatabase> {
  const database = await cloneDatabase({ empty: true, max: 2 })
  databases.push(database)
  await load(database.sql, await readBackup(createReadStream(file)), {
    migrations,
    now: new Date(),
    replace: false,
    verify: true,
    filesFolder: join(scratch, 'uploads'),
    onSecrets: async () => {},
    beforeCommit: async () => {},
    progress: quiet,
  })
  return database
}

function environment({ url }: TestDatabase, name: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATA_DIR: join(scratch, name),
    PORT: '0',
    HOST: '127.0.0.1',
    BASE_URL: 'http://localhost:3000',
    JWT_SECRET: 'test-jwt-secret-0123456789',
    ENCRYPTION_KEY: 'test-encryption-key-0123456789',
    MAIL_TRANSPORT: 'outbox',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  }
}

async function start(database: TestDatabase, name: string, binary: string): Promise<Program> {
  const program = await startProgram({ binary, environment: environment(database, name) })
  programs.push(program)
  return program
}

test('there is a backup of a release', () => {
  expect(releases.length).toBeGreaterThan(0)
})

test('the backup of the next release would have a row in every table', async () => {
  const { world } = await populate('next', 'none')
  expect(await emptyTables(world.database)).toEqual([])
  await world.close()
})

test('a backup of a build before the first release is carried over, and this version works with it', async () => {
  const build: Release = await Bun.file(join(import.meta.dir, 'unreleased.json')).json()
  const database = await restoredFrom(join(import.meta.dir, 'unreleased.wxb'))
  const program = await start(database, 'carried-over', programOfToday(scratch))
  await runFlows(program.url, build)
  expect(await program.stop()).toBe(0)
})

describe.each(releases.map(release => [release.release, release] as const))(
  'release %s',
  (_name, release) => {
    test('has left a small backup with rows in every table', async () => {
      expect(statSync(fileOf(release)).size).toBeLessThan(300_000)
      const backup = await read(release)
      const { tables } = await walkBackup(backup, quiet)
      const empty = backup.header.tables.filter(
        ({ name }) => tables[name]!.rows === 0 && name !== 'schema_steps',
      )
      expect(empty.map(({ name }) => name)).toEqual([])
      expect(backup.header.tables.length).toBeGreaterThan(70)
    })

    test('is restored and migrated, and this version works with what it left', async () => {
      const database = await restored(release)
      expect(await pendingMigrations(database.sql, migrations)).toEqual([])
      const program = await start(database, 'restored', programOfToday(scratch))
      await runFlows(program.url, release)
      expect(await program.stop()).toBe(0)
    })

    if (!hasCommit(release.commit)) console.log(`skipped: the history of ${release.release} is not here`)

    test.skipIf(!hasCommit(release.commit))(
      'goes on working beside this version and beside the next, until a contract step',
      async () => {
        const database = await restored(release)
        await migrate(database.sql, [...migrations, ...next], new Date())
        const older = programOf(release.commit, join(scratch, `source-${release.release}`))
        const old = await start(database, 'old', older)
        expect(old.log()).toContain('changed by a newer version of Waxwing')
        await runFlows(old.url, release)
        const today = await start(database, 'today', programOfToday(scratch))
        // Each takes requests and does jobs that the other one has accepted.
        for (const { url } of [today, old]) await runFlows(url, release)
        expect([await old.stop(), await today.stop()]).toEqual([0, 0])
        await migrate(database.sql, [...migrations, ...next, contract], new Date(), { release: '99.0.0' })
        for (const binary of [older, programOfToday(scratch)]) {
          const { code, err } = await runProgram(['migrate'], {
            binary,
            environment: environment(database, 'late'),
          })
          expect(code).toBe(1)
          expect(err).toContain('needs 99.0.0 or later (migration 9003_contract)')
        }
      },
      300_000,
    )
  },
)
