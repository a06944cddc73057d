// Makes a fresh clone runnable: installs the locked packages if they are missing or older than the lock file or our patches. It imports
// nothing that needs them, because it runs first.
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const modules = join(root, 'node_modules')

function isCurrent(): boolean {
  const patches = readdirSync(join(root, 'patches')).map(name => join('patches', name))
  const changes = ['bun.lock', ...patches].map(name => statSync(join(root, name)).mtimeMs)
  return existsSync(modules) && statSync(modules).mtimeMs >= Math.max(...changes)
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
