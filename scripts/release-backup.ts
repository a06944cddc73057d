// Makes the backup of a release that later versions are tested with: `bun scripts/release-backup.ts`, once, when a version is released.
// It writes test/upgrade/releases/VERSION.wxb with at least one row in every table, VERSION.json with what its reader needs to know, and
// freezes the migrations of the release.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../package.json'
import { dump } from '../src/platform/backup/dump'
import { makeProgress } from '../src/platform/backup/progress'
import { fileSink } from '../src/platform/backup/sink'
import { migrationHash } from '../src/platform/db/migration/parse'
import { migrations } from '../src/platform/db/migrations'
import { readSecretMarks } from '../src/platform/secrets'
import { stopTestServer } from '../test/support/server'
import { emptyTables, populate } from '../test/upgrade/populate'

const root = join(import.meta.dir, '..')
const folder = join(root, 'test/upgrade/releases')
const frozenFile = join(root, 'test/data/frozen-migrations.json')

async function main(): Promise<void> {
  const commit = Bun.spawnSync(['git', 'rev-parse', 'HEAD'], { cwd: root }).stdout.toString().trim()
  const { world, about } = await populate(version, commit)
  const empty = await emptyTables(world.database)
  if (empty.length > 0) throw new Error(`nothing fills ${empty.join(', ')}: see test/upgrade/populate.ts`)
  mkdirSync(folder, { recursive: true })
  const sink = await fileSink(join(folder, `${version}.wxb`))
  const secretMarks = await readSecretMarks(world.database)
  const { bytes } = await dump(world.database.sql, sink, {
    about: { program: version, madeAt: world.clock.now().toISOString(), secretMarks },
    files: { async *list() {} },
    progress: makeProgress('release'),
  })
  await sink.finish()
  await world.close()
  writeFileSync(join(folder, `${version}.json`), `${JSON.stringify(about, null, 2)}\n`)
  const frozen = JSON.parse(readFileSync(frozenFile, 'utf8')) as Record<string, string>
  for (const { tag, sql } of migrations) frozen[tag] ??= migrationHash(sql)
  writeFileSync(frozenFile, `${JSON.stringify(frozen, null, 2)}\n`)
  console.log(`test/upgrade/releases/${version}.wxb: ${(bytes / 1e3).toFixed(0)} kB, of commit ${commit}`)
}

await main().finally(stopTestServer)
process.exit(0)
