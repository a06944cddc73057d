// Makes a fresh clone runnable: installs the locked packages when they are missing or the lock file is newer. It imports nothing
// that needs them, because it runs first.
import { existsSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const modules = join(root, 'node_modules')

function isCurrent(): boolean {
  return existsSync(modules) && statSync(modules).mtimeMs >= statSync(join(root, 'bun.lock')).mtimeMs
}

if (!isCurrent()) {
  console.error('installing packages …')
  const { exitCode } = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if (exitCode !== 0) process.exit(exitCode ?? 1)
  utimesSync(modules, new Date(), new Date())
}
