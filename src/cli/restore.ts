// `waxwing restore FILE`: loads a backup into an empty database, all or nothing. The instance then starts with sending paused. With
// `--check` the file alone is read and checked.
import { createReadStream, existsSync } from 'node:fs'
import type { BackupHeader } from '../platform/backup/format'
import { type LoadSummary, load } from '../platform/backup/load'
import { type BackupReader, readBackup } from '../platform/backup/reader'
import { walkBackup } from '../platform/backup/walk'
import { DirectoryInUse } from '../platform/db/lock'
import { migrations } from '../platform/db/migrations'
import { pauseRestored } from '../platform/instance/queries'
import type { Logger } from '../platform/log'
import { connect, systemClock } from '../server/compose'
import { foreignHere, keepBrought } from '../server/secrets'
import type { Config } from '../settings/config'
import { readArguments } from './arguments'
import { endOnSignal, uploadsFolder, withProgress } from './backup'
import { readConfig } from './start'

interface Wanted {
  replace: boolean
  verify: boolean
}

export const restoreFlags = {
  check: { kind: 'flag', description: 'read and check the file, touch no database' },
  verify: {
    kind: 'flag',
    description: 'read every table back and compare; if anything differs, nothing is kept',
  },
  replace: { kind: 'flag', description: 'drop what the database holds first' },
} as const

export async function restore(given: string[]): Promise<number> {
  const { flags, names } = readArguments(given, restoreFlags, ['FILE'])
  const { config, log } = readConfig()
  endOnSignal()
  const begun = performance.now()
  const backup = await readBackup(source(names[0]!))
  const { header } = backup
  console.log(`made ${header.madeAt} by Waxwing ${header.program} from PostgreSQL ${header.server}`)
  const sums = flags.check
    ? await withProgress('checking', progress => walkBackup(backup, progress))
    : await intoDatabase(config, log, backup, flags)
  const rows = Object.values(sums.tables).reduce((sum, table) => sum + table.rows, 0)
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  console.log(
    `${rows.toLocaleString('en')} rows of ${Object.keys(sums.tables).length} tables and ${sums.files} uploaded files in ${seconds} s; ` +
      verdict(flags),
  )
  if (!flags.check) console.log(nextSteps(config, header))
  return 0
}

function source(path: string): AsyncIterable<Uint8Array> {
  if (path === '-') return process.stdin as unknown as AsyncIterable<Uint8Array>
  if (!existsSync(path)) throw new Error(`there is no file ${path}`)
  return createReadStream(path, { highWaterMark: 1024 ** 2 })
}

async function intoDatabase(
  config: Config,
  log: Logger,
  backup: BackupReader,
  wanted: Wanted,
): Promise<LoadSummary> {
  const { header } = backup
  await refuseForeignSecrets(config, header)
  const database = await connectAlone(config, log)
  try {
    const summary = await withProgress('loading', progress =>
      load(database.sql, backup, {
        ...wanted,
        migrations,
        now: systemClock.now(),
        filesFolder: uploadsFolder(config),
        onSecrets: content => keepBrought(config, content),
        beforeCommit: sql => pauseRestored({ sql }, header.madeAt, systemClock.now()),
        progress,
      }),
    )
    for (const table of summary.leftOut)
      console.error(`left out: the table ${table}, which is not one of Waxwing's`)
    return summary
  } finally {
    await database.close()
  }
}

async function connectAlone(config: Config, log: Logger): ReturnType<typeof connect> {
  try {
    return await connect(config, log)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    throw new Error(`an instance is running on this database (${error.holder}): stop it first`)
  }
}

/** Before anything is touched: with other secrets the restored instance would refuse to start. */
async function refuseForeignSecrets(config: Config, { secretMarks }: BackupHeader): Promise<void> {
  const foreign = secretMarks ? await foreignHere(config, secretMarks) : []
  if (foreign.length === 0) return
  throw new Error(
    `the backup was made with another ${foreign.join(' and another ')} than the one found here (in the environment, or in ` +
      `${config.dataDir}): put the old one there first, or move the file away`,
  )
}

function verdict({ check, verify }: { check: boolean; verify: boolean }): string {
  if (check) return 'the file is complete, all counts and checksums match'
  return verify
    ? 'the database returns the same counts and checksums'
    : 'counts and checksums of the file match'
}

function nextSteps(config: Config, { withSecrets, secretMarks }: BackupHeader): string {
  const lines = [
    'Sending is paused: start Waxwing, look around, and run "waxwing resume" when mail may leave.',
  ]
  const given = config.jwtSecret !== undefined && config.encryptionKey !== undefined
  if (secretMarks && !withSecrets && !given)
    lines.push(
      `Before the start, ${config.dataDir} needs the files jwt-secret and encryption-key of the old instance, or the environment ` +
        'JWT_SECRET and ENCRYPTION_KEY.',
    )
  return lines.join('\n')
}
