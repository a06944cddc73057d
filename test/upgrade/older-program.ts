// The program of an earlier release, run from the source that git has of it, beside the packages of today where they are the same.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** False in a copy that lacks the history: an archive, a shallow clone. */
export function hasCommit(commit: string): boolean {
  return Bun.spawnSync(['git', 'cat-file', '-e', `${commit}^{commit}`], { cwd: root, stderr: 'ignore' })
    .success
}

/** Lays the source of `commit` into `folder`; returns the path of a program that runs it. */
export function programOf(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = Bun.spawnSync(['git', 'archive', commit], { cwd: root, maxBuffer: 1e9 })
  const unpacked = Bun.spawnSync(['tar', '-x', '-C', folder], { stdin: archive.stdout })
  if (!archive.success || !unpacked.success)
    throw new Error(`git archive ${commit}: ${archive.stderr}${unpacked.stderr}`)
  provide(folder)
  return wrapper(folder, join(folder, 'waxwing'))
}

/** The program of the source as it is, started in the same way. */
export function programOfToday(folder: string): string {
  return wrapper(root, join(folder, 'waxwing-today'))
}

function wrapper(source: string, path: string): string {
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${join(source, 'src/main.ts')}' "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

/** What git does not hold. The packed server, the dashboard and the list of domains are imported, and not used. */
function provide(folder: string): void {
  const isSame =
    readFileSync(join(root, 'bun.lock'), 'utf8') === readFileSync(join(folder, 'bun.lock'), 'utf8')
  if (isSame) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else
    Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile'], {
      cwd: folder,
      stdout: 'ignore',
      stderr: 'ignore',
    })
  mkdirSync(join(folder, '.cache'))
  for (const name of readdirSync(join(root, '.cache')))
    if (/^(?:postgres\.|dashboard\.pack|disposable\.)/.test(name))
      cpSync(join(root, '.cache', name), join(folder, '.cache', name))
  if (!existsSync(join(folder, 'node_modules')))
    throw new Error(`the packages of ${folder} could not be installed`)
}
