// Packs PostgreSQL for one platform into a single compressed archive: the server, initdb, the libraries that they load, a few extensions
// and a cluster that is ready to use. The result is kept in .cache/ and never committed.

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { $ } from 'bun'
import { serverAccount } from '../src/platform/db/account'
import { initialiseCluster } from '../src/platform/db/initialise'
import { packageOf } from './postgres-package'

export const targets = ['linux-x64', 'linux-arm64', 'darwin-arm64'] as const
export type Target = (typeof targets)[number]

export const cacheDir = join(import.meta.dir, '../.cache')

/** To be raised with changes of this script, so that old archives are not taken for new ones. */
const layout = 4

const extensions = ['plpgsql', 'pg_trgm', 'btree_gin', 'pgcrypto', 'citext', 'unaccent', 'pg_stat_statements']
/** Modules that initdb and the server load by themselves. */
const modules = ['dict_snowball', ...extensions]

/** The platform that this program runs on, if there is a PostgreSQL for it. */
export function hostTarget(): Target | undefined {
  return targets.find(target => target === `${process.platform}-${process.arch}`)
}

/** Returns the path of the archive for `target`, making it if the cache has none. Release builds compress as much as possible. */
export async function packPostgres(target: Target, options: { release: boolean }): Promise<string> {
  const source = await packageOf(target)
  const level = options.release ? 19 : 3
  const key = Bun.hash([layout, target, source.version, level, ...modules].join('\n')).toString(16)
  const path = join(cacheDir, 'postgres', `${target}-${key}.tar.zst`)
  if (existsSync(path)) return path
  const work = mkdtempSync(join(tmpdir(), 'waxwing-pack-'))
  try {
    // The cluster is made by another user when we are root, and that user must be able to enter the folder.
    chmodSync(work, 0o755)
    await collect(source.directory, source.version, target, work)
    await addCluster(target, work, level, options)
    await compress(work, level, path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return path
}

async function collect(native: string, version: string, target: Target, work: string): Promise<void> {
  for (const program of ['postgres', 'initdb']) copy(join(native, 'bin', program), join(work, 'bin', program))
  const suffix = target.startsWith('darwin') ? '.dylib' : '.so'
  for (const module of modules) {
    const file = join('lib/postgresql', module + suffix)
    copy(join(native, file), join(work, file))
  }
  copyShare(join(native, 'share/postgresql'), join(work, 'share/postgresql'))
  copyLibraries(native, work)
  await strip(work)
  chmodSync(join(work, 'bin/postgres'), 0o755)
  chmodSync(join(work, 'bin/initdb'), 0o755)
  await Bun.write(
    join(work, 'manifest.json'),
    JSON.stringify({ target, version, major: Number.parseInt(version, 10) }),
  )
}

/** node_modules is hard-linked to the package cache: files are copied, never moved or changed in place. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, dereference: true })
}

function copyShare(from: string, to: string): void {
  for (const name of readdirSync(from)) if (name !== 'extension') copy(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, 'extension'))) {
    if (extensions.some(extension => name === `${extension}.control` || name.startsWith(`${extension}--`)))
      copy(join(from, 'extension', name), join(to, 'extension', name))
  }
}

/**
 * Adds the libraries that the files so far load, and those that these load in turn. The package names them by links that npm drops, so
 * each is copied under the name by which it is loaded; that name is in the loading file, ended by a zero byte. A library on macOS
 * contains its own name as well, which loads nothing.
 */
function copyLibraries(native: string, work: string): void {
  const available = libraryNames(native)
  const waiting = readdirSync(work, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\/(bin|lib\/postgresql)$/.test(entry.parentPath))
    .map(entry => ({ path: join(entry.parentPath, entry.name), source: '' }))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const content = readFileSync(file.path)
    for (const [name, source] of available) {
      if (source === file.source || !content.includes(`${name}\0`)) continue
      available.delete(name)
      copy(join(native, 'lib', source), join(work, 'lib', name))
      waiting.push({ path: join(work, 'lib', name), source })
    }
  }
}

/** Library files by each of their names. */
function libraryNames(native: string): Map<string, string> {
  const files = readdirSync(join(native, 'lib')).filter(name => /\.so(\.|$)|\.dylib$/.test(name))
  const names = new Map(files.map(name => [name, name]))
  const links: Array<{ source: string; target: string }> = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  )
  for (const link of links) names.set(fileName(link.target), fileName(link.source))
  return names
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Saves some megabytes where the tool exists; it refuses files of another platform, which then stay as they are. */
async function strip(work: string): Promise<void> {
  if (process.platform !== 'linux' || !Bun.which('strip')) return
  const files = readdirSync(work, { recursive: true }).map(String)
  const binaries = files.filter(name => name.startsWith('bin/') || /\.so(\.[\d.]+)?$/.test(name))
  for (const name of binaries) await $`strip --strip-unneeded ${join(work, name)}`.quiet().nothrow()
}

/**
 * A cluster made at build time saves most of the time of a first start, and lets a user without an entry in the user database start
 * (initdb refuses). All 64-bit Linux targets share one format: same word size, byte order and alignment, and PostgreSQL 18 records the
 * signedness of characters in the cluster.
 */
async function addCluster(
  target: Target,
  work: string,
  level: number,
  options: { release: boolean },
): Promise<void> {
  const to = join(work, 'cluster.tar.zst')
  const host = hostTarget()
  if (host === target) return makeCluster(work, level, to)
  if (!host?.startsWith('linux') || !target.startsWith('linux')) return
  const own = await Bun.file(await packPostgres(host, options)).bytes()
  const other = new Bun.Archive(Bun.zstdDecompressSync(own))
  const cluster = (await other.files('cluster.tar.zst')).get('cluster.tar.zst')
  if (cluster) await Bun.write(to, cluster)
}

async function makeCluster(work: string, level: number, to: string): Promise<void> {
  const cluster = join(work, 'cluster')
  mkdirSync(cluster, { mode: 0o700 })
  initialiseCluster(work, cluster, serverAccount(cluster))
  await compress(cluster, level, to)
  rmSync(cluster, { recursive: true })
}

/** Written under another name first: an interrupted build leaves no partial archive in the cache. */
async function compress(directory: string, level: number, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true })
  const names = readdirSync(directory).sort()
  const tar = await $`tar -cf - -C ${directory} ${names}`
    .env({ ...process.env, COPYFILE_DISABLE: '1' })
    .quiet()
  const partial = `${to}.${process.pid}.partial`
  await Bun.write(partial, await Bun.zstdCompress(tar.stdout, { level }))
  renameSync(partial, to)
}

if (import.meta.main) {
  const wanted = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
  const release = process.argv.includes('--release')
  for (const target of targets.filter(name => wanted.length === 0 || wanted.includes(name))) {
    const path = await packPostgres(target, { release })
    console.log(`${target}: ${path} (${(Bun.file(path).size / 1e6).toFixed(1)} MB)`)
  }
}
