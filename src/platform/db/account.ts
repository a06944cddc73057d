// The operating system account of the built-in PostgreSQL. PostgreSQL refuses to run as root, so a root process runs it under
// another user id; any other user runs it as itself.
import { chownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export interface Account {
  uid: number
  gid: number
}

/** `nobody` on every Linux; it needs no entry in the user database. */
const nobody: Account = { uid: 65_534, gid: 65_534 }

/** Who is to run the server; undefined means "this process's own user". An existing cluster keeps its owner. */
export function serverAccount(clusterDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return namedAccount('waxwing') ?? namedAccount('postgres') ?? nobody
}

function namedAccount(name: string): Account | undefined {
  const line = passwdLines().find(entry => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid) } : undefined
}

function passwdLines(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n')
  } catch {
    // Minimal container images have no such file.
    return []
  }
}

/** Throws, naming the folder, when `account` could not walk down to `path`. */
export function assertReachable(path: string, account: Account): void {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if (!(mode & bit)) throw new Error(unreachable(folder, mode, path, account))
    if (folder === dirname(folder)) return
  }
}

function unreachable(folder: string, mode: number, path: string, account: Account): string {
  return (
    `the built-in PostgreSQL cannot run as root, and as uid ${account.uid} it may not enter ${folder} ` +
    `(mode ${(mode & 0o7777).toString(8).padStart(4, '0')}): put the data directory (${path}) somewhere all users may enter, ` +
    `such as /var/lib/waxwing, or allow it with "chmod o+x ${folder}", or start Waxwing as an ordinary user`
  )
}

/** Throws when the cluster belongs to somebody whom this process cannot become. */
export function assertOwned(clusterDir: string): void {
  const own = process.getuid?.()
  const owner = statSync(clusterDir, { throwIfNoEntry: false })?.uid
  if (owner === undefined || own === undefined || own === 0 || own === owner) return
  throw new Error(
    `${clusterDir} belongs to uid ${owner}, but this process runs as uid ${own}: ` +
      `start Waxwing as that user or as root, or hand the data over with "chown -R ${own} ${dirname(clusterDir)}"`,
  )
}

/** Gives `path` and everything in it to `account`; does nothing when the top already belongs to it. */
export function giveTo(path: string, account: Account | undefined): void {
  if (!account || lstatSync(path).uid === account.uid) return
  // The top comes last: an interrupted run is seen by its owner and done again.
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path, { recursive: true })) {
      const entry = join(path, String(name))
      if (!lstatSync(entry).isSymbolicLink()) chownSync(entry, account.uid, account.gid)
    }
  }
  chownSync(path, account.uid, account.gid)
}
