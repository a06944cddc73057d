// Makes the next migration from what changed in the schema.ts files: `bun run generate --name=what_it_does`. With `--custom` it is an
// empty file, for what drizzle-kit can't express. Earlier migrations are never touched: it compares with the newest snapshot, the only one
// that is kept.
import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JournalEntry, readJournal, renderIndex } from './index-migrations'

const root = join(import.meta.dir, '..')
const usage = 'bun run generate --name=what_it_does [--custom]'

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}

const given = process.argv.slice(2)
const name = given.find(argument => argument.startsWith('--name='))?.slice('--name='.length)
const unknown = given.filter(argument => !/^--(name=.*|custom)$/.test(argument))
if (unknown.length > 0) fail(`unknown argument ${unknown.join(' ')}; use: ${usage}`)
if (!name || !/^[a-z][a-z0-9_]{2,59}$/.test(name))
  fail(`say in lower case and underscores what the migration does: ${usage}`)

const before: JournalEntry[] = readJournal()
const { exitCode } = Bun.spawnSync(
  [
    process.execPath,
    'x',
    '--bun',
    'drizzle-kit',
    'generate',
    '--dialect=postgresql',
    '--schema=./src/**/schema.ts',
    '--out=./drizzle',
    `--name=${name}`,
    ...(given.includes('--custom') ? ['--custom'] : []),
  ],
  { cwd: root, stdin: 'inherit', stdout: 'inherit', stderr: 'inherit' },
)
if (exitCode !== 0) process.exit(exitCode ?? 1)

const made = readJournal().slice(before.length)
writeFileSync(join(root, 'src/platform/db/migrations.ts'), renderIndex())
for (const { tag } of made) {
  const path = join(root, 'drizzle', `${tag}.sql`)
  const text = readFileSync(path, 'utf8')
  if (!text.endsWith('\n')) writeFileSync(path, `${text}\n`)
}
const snapshots = join(root, 'drizzle/meta')
const older = readdirSync(snapshots)
  .filter(file => file.endsWith('_snapshot.json'))
  .sort()
  .slice(0, -1)
for (const file of older) unlinkSync(join(snapshots, file))
