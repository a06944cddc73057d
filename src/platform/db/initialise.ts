// Makes an empty cluster with initdb. The build uses it as well, to ship a cluster that is ready; so it must not import the packed
// programs, which do not exist yet at that moment.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, giveTo } from './account'

export const databaseUser = 'waxwing'
export const databaseName = 'waxwing'

/** The server's environment: nothing of ours, so no secret reaches it and no setting of the shell changes it. */
export const serverEnvironment: Record<string, string> = { LC_ALL: 'C', TZ: 'UTC' }

/**
 * Megabytes of a file of the write-ahead log. A new one is filled with zeros and written through to the disk by whoever needs it first, while
 * all commits wait: 50 to 80 ms for the usual 16.
 */
const logFileMegabytes = 4

/**
 * Runs initdb into the empty folder `directory` and adds the database. Text is UTF-8 with PostgreSQL's own C.UTF-8 rules: upper and
 * lower case of all letters, and no index that breaks when the system's C library sorts differently after an upgrade.
 */
export function initialiseCluster(
  programsDir: string,
  directory: string,
  account: Account | undefined,
): void {
  giveTo(directory, account)
  const initdb = join(programsDir, 'bin/initdb')
  const locale = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
  const options = ['--auth=trust', '--no-sync', `--wal-segsize=${logFileMegabytes}`, ...locale]
  run([initdb, '-D', directory, '-U', databaseUser, ...options], account)
  // Single-user mode: no server, no socket, no client program needed.
  const single = [
    join(programsDir, 'bin/postgres'),
    '--single',
    '-D',
    directory,
    '-c',
    'fsync=off',
    'template1',
  ]
  run(single, account, `create database ${databaseName}\n`)
  // By these figures autovacuum would look after template1 for ever, every second time, though nobody uses it.
  rmSync(join(directory, 'pg_stat/pgstat.stat'))
}

function run(command: string[], account: Account | undefined, input = ''): void {
  const result = Bun.spawnSync(command, {
    cwd: '/',
    env: serverEnvironment,
    stdin: Buffer.from(input),
    stdout: 'ignore',
    stderr: 'pipe',
    ...account,
  })
  if (result.exitCode === 0) return
  throw new Error(
    `cannot create the database: ${command[0]} failed: ${result.stderr.toString().trim().slice(-2_000)}`,
  )
}
