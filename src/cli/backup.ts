// `waxwing backup FILE`: writes one file with everything that the database holds, and the uploaded pictures, while the instance goes
// on working. `-` as FILE is standard output; then all messages go to standard error.
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { dump } from '../platform/backup/dump'
import { filesBelow } from '../platform/backup/files'
import { noteBackup } from '../platform/backup/last'
import { type BackupProgress, makeProgress } from '../platform/backup/progress'
import { readBackup } from '../platform/backup/reader'
import { fileSink, outputSink } from '../platform/backup/sink'
import { walkBackup } from '../platform/backup/walk'
import type { Sink } from '../platform/backup/writer'
import { version } from '../platform/build'
import type { Logger } from '../platform/log'
import { readSecretMarks } from '../platform/secrets'
import { connectBeside, missingMigrations, requireDatabase, systemClock } from '../server/compose'
import { secretsFor } from '../server/secrets'
import type { Config } from '../settings/config'
import { readArguments } from './arguments'
import { readConfig } from './start'

export const uploadsFolder = (config: Config): string => join(config.dataDir, 'uploads')

interface Wanted {
  path: string
  withSecrets: boolean
  verify: boolean
}

export const backupFlags = {
  verify: { kind: 'flag', description: 'read the file again and compare every count and checksum' },
  'with-secrets': {
    kind: 'flag',
    description: 'put JWT_SECRET and ENCRYPTION_KEY in; the file then opens everything',
  },
} as const

export async function backup(given: string[]): Promise<number> {
  const { flags, names } = readArguments(given, backupFlags, ['FILE'])
  const { config, log } = readConfig()
  const wanted = { path: names[0]!, withSecrets: flags['with-secrets'], verify: flags.verify }
  if (wanted.path === '-' && wanted.verify)
    throw new Error('what goes to standard output cannot be verified here')
  if (statSync(wanted.path, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${wanted.path} is a folder: name a file in it`)
  requireDatabase(config)
  endOnSignal()
  const begun = performance.now()
  const say = (text: string): void => void (wanted.path === '-' ? console.error(text) : console.log(text))
  const { rows, tables, files, bytes } = await write(config, log, wanted)
  if (wanted.verify) await verify(wanted.path)
  noteBackup(config.dataDir, systemClock.now())
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  const pictures = files > 0 ? `, ${files} uploaded files` : ''
  say(
    `${wanted.path === '-' ? 'standard output' : wanted.path}: ${rows.toLocaleString('en')} rows of ${tables} tables${pictures}, ` +
      `${(bytes / 1e6).toFixed(1)} MB in ${seconds} s${wanted.verify ? '; read again, all counts and checksums match' : ''}`,
  )
  say(secretsNote(wanted.withSecrets))
  return 0
}

interface Written {
  rows: number
  tables: number
  files: number
  bytes: number
}

async function write(config: Config, log: Logger, wanted: Wanted): Promise<Written> {
  const database = await connectBeside(config, log)
  try {
    // Throws if the database belongs to a newer version. An older one is written as it is.
    await missingMigrations(database)
    const secretMarks = await readSecretMarks(database)
    const secrets = wanted.withSecrets ? await secretsFor(config, secretMarks) : undefined
    const about = { program: version, madeAt: systemClock.now().toISOString(), secretMarks }
    const files = filesBelow(uploadsFolder(config))
    const { tables, ...summary } = await intoSink(wanted.path, sink =>
      withProgress('writing', progress => dump(database.sql, sink, { about, secrets, files, progress })),
    )
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    return { ...summary, rows, tables: Object.keys(tables).length }
  } finally {
    await database.close()
  }
}

async function intoSink<T>(path: string, work: (sink: Sink) => Promise<T>): Promise<T> {
  const sink = path === '-' ? outputSink() : await fileSink(path)
  try {
    const result = await work(sink)
    await sink.finish()
    return result
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

async function verify(path: string): Promise<void> {
  const backup = await readBackup(createReadStream(path, { highWaterMark: 1024 ** 2 }))
  await withProgress('reading again', progress => walkBackup(backup, progress))
}

export async function withProgress<T>(
  verb: string,
  work: (progress: BackupProgress) => Promise<T>,
): Promise<T> {
  const progress = makeProgress(
    verb,
    process.stderr.isTTY ? text => void process.stderr.write(text) : undefined,
  )
  try {
    return await work(progress)
  } finally {
    progress.clear()
  }
}

/** Leaving through `exit` removes the unfinished file and ends a database that was started for this. */
export function endOnSignal(): void {
  for (const [name, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(name, () => process.exit(code))
}

function secretsNote(withSecrets: boolean): string {
  return withSecrets
    ? 'JWT_SECRET and ENCRYPTION_KEY are in it: whoever has the file can read everything.'
    : 'JWT_SECRET and ENCRYPTION_KEY are NOT in it: keep them too (the files jwt-secret and encryption-key of DATA_DIR, or your ' +
        'environment), because without them nothing that is stored encrypted can be read. --with-secrets puts them in.'
}
