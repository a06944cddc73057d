// Puts the hand-written SQL of src/platform/db/before.sql and after.sql around the freshly generated initial migration. Run by
// `bun run regenerate` only: later migrations are edited by hand where the generator can't say something.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const migration = join(root, 'drizzle/0000_initial.sql')
const breakpoint = '--> statement-breakpoint\n'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

writeFileSync(
  migration,
  [
    read('src/platform/db/before.sql'),
    `${readFileSync(migration, 'utf8')}\n`,
    read('src/platform/db/after.sql'),
  ].join(breakpoint),
)
