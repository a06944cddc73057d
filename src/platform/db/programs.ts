// PostgreSQL's own files: they travel inside the executable as one compressed archive and are unpacked next to the data, once per
// version. The folder's name carries a hash of the archive, so a new version never meets half of an old one. A start that finds the folder
// does not read the archive: that would be seventeen megabytes of the executable, and as many of garbage.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import archive from '../../../.cache/postgres.tar.zst' with { type: 'file' }
import { flushFileSystem } from './lock'

export interface Programs {
  directory: string
  /** Major version of the server, as PG_VERSION holds it. */
  major: number
  /** Full version, for people. */
  version: string
}

const prefix = 'programs-'

/** Returns the folder of this executable's PostgreSQL below `dataDir`, unpacking it when it is not there yet. */
export async function unpackPrograms(dataDir: string, durable: boolean): Promise<Programs> {
  if (Bun.file(archive).size === 0) throw new Error(unsupported)
  const directory = join(dataDir, prefix + (hashOfBuild(archive) ?? (await hashOf(archive))))
  if (!existsSync(directory)) await unpack(await Bun.file(archive).bytes(), directory, durable)
  return { directory, ...readManifest(directory) }
}

/** The build names what it embeds after its content: NAME-HASH.zst. Undefined for the source, whose archive keeps its name. */
export function hashOfBuild(path: string): string | undefined {
  return /-([0-9a-z]{8,})\.zst$/.exec(basename(path))?.[1]
}

async function hashOf(path: string): Promise<string> {
  return Bun.hash
    .xxHash64(await Bun.file(path).bytes())
    .toString(16)
    .padStart(16, '0')
}

/** Removes what other versions left. Only when no server of theirs runs: it would still read its files. */
export function removeOtherPrograms(dataDir: string, current: Programs): void {
  for (const name of readdirSync(dataDir)) {
    const path = join(dataDir, name)
    if (name.startsWith(prefix) && path !== current.directory) rmSync(path, { recursive: true, force: true })
  }
}

/** Extracts an archive of this build (the programs, or a cluster) into a new folder. */
export async function extract(packed: Uint8Array<ArrayBuffer>, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true })
  await new Bun.Archive(Bun.zstdDecompressSync(packed)).extract(directory)
}

async function unpack(packed: Uint8Array<ArrayBuffer>, directory: string, durable: boolean): Promise<void> {
  const partial = `${directory}.partial`
  rmSync(partial, { recursive: true, force: true })
  await extract(packed, partial)
  assertPlatform(partial)
  openToAll(partial)
  if (durable) flushFileSystem(partial)
  renameSync(partial, directory)
}

/** Modes that do not depend on the umask of this process: the server may run as another user. */
function openToAll(directory: string): void {
  chmodSync(directory, 0o755)
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const isProgram = entry.isDirectory() || entry.parentPath === join(directory, 'bin')
    chmodSync(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
  }
}

function assertPlatform(directory: string): void {
  const { target } = readManifest(directory)
  const here = `${process.platform}-${process.arch}`
  if (target !== here) throw new Error(`this build carries PostgreSQL for ${target}, but runs on ${here}`)
}

function readManifest(directory: string): { target: string; major: number; version: string } {
  const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))
  return { target: String(manifest.target), major: Number(manifest.major), version: String(manifest.version) }
}

const unsupported =
  'this build carries no PostgreSQL for this platform: set DATABASE_URL to a PostgreSQL 15 or newer'
