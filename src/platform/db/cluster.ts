// Makes the data directory ("cluster") of the built-in PostgreSQL: from the one that travels with the programs, or with initdb where
// the build could not make one. It appears under its final name only when it is complete.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, giveTo } from './account'
import { initialiseCluster } from './initialise'
import { flushFileSystem, flushFolder } from './lock'
import { extract, type Programs } from './programs'

export interface ClusterOptions {
  directory: string
  programs: Programs
  account: Account | undefined
  durable: boolean
}

/** Creates the cluster unless it exists; refuses one of another major version, and a folder that is not a cluster. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { directory, programs, account } = options
  if (!existsSync(directory) || readdirSync(directory).length === 0) await createCluster(options)
  assertVersion(directory, programs)
  giveTo(directory, account)
}

function assertVersion(directory: string, programs: Programs): void {
  const file = join(directory, 'PG_VERSION')
  if (!existsSync(file))
    throw new Error(`${directory} is not a PostgreSQL data directory: move it away and start again`)
  const found = readFileSync(file, 'utf8').trim()
  if (Number(found) === programs.major) return
  throw new Error(
    `${directory} was made by PostgreSQL ${found}, but this Waxwing carries PostgreSQL ${programs.major}: ` +
      `run "waxwing backup" with the version that made it, then "waxwing restore" into an empty data directory`,
  )
}

async function createCluster(options: ClusterOptions): Promise<void> {
  const partial = `${options.directory}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o700 })
  const template = join(options.programs.directory, 'cluster.tar.zst')
  if (existsSync(template)) await extract(await Bun.file(template).bytes(), partial)
  else initialiseCluster(options.programs.directory, partial, options.account)
  chmodSync(partial, 0o700)
  giveTo(partial, options.account)
  if (options.durable) flushFileSystem(partial)
  renameSync(partial, options.directory)
  if (options.durable) flushFolder(dirname(options.directory))
}
