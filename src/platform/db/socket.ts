// The folder of the server's unix socket: private to the server's user, and short enough for the kernel's limit on socket paths.
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, giveTo } from './account'

const socketName = '.s.PGSQL.5432'
const maxPathLength = process.platform === 'darwin' ? 103 : 107

/** Creates the folder: inside `dataDir` when the path fits, otherwise under /tmp with a name made from `dataDir`. */
export function ensureSocketDirectory(dataDir: string, account: Account | undefined): string {
  const directory = socketDirectory(dataDir)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  assertPrivate(directory, account)
  chmodSync(directory, 0o700)
  giveTo(directory, account)
  return directory
}

/** Where the socket of the server in `dataDir` (an absolute path) is. */
export function socketDirectory(dataDir: string): string {
  const inside = join(dataDir, 's')
  if (Buffer.byteLength(join(inside, socketName)) <= maxPathLength) return inside
  return join('/tmp', `waxwing-${Bun.hash.xxHash64(dataDir).toString(16)}`)
}

/** Anybody may create folders in /tmp: one that is not ours (or the server's) could be a trap. */
function assertPrivate(directory: string, account: Account | undefined): void {
  const entry = lstatSync(directory)
  const owners = [process.getuid?.(), account?.uid]
  if (entry.isDirectory() && owners.includes(entry.uid)) return
  throw new Error(
    `${directory} belongs to uid ${entry.uid} and cannot hold the database socket: remove it and start again`,
  )
}
