// PostgreSQL servers from the machine's own packages in a temporary folder, as durable as in production, some of them with Citus.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const configured = (name: string): string => {
  const found = Bun.which('pg_config')
  return found ? Bun.spawnSync([found, name]).stdout.toString().trim() : ''
}

/** Whether the server of `pg_config` can load Citus. */
export function hasCitus(): boolean {
  return existsSync(join(configured('--pkglibdir'), 'citus.so'))
}

export interface Server {
  url(database: string): string
  port: number
  /** Of the postmaster, whose children are all that works for it. */
  pid: number
}

/**
 * Messages are looked up by their key, as in a large table, however small this one still is; and plans are made for the values at hand, as
 * Citus makes them: one for any values may be a poor one while statistics are young.
 */
const settings = `plan_cache_mode = force_custom_plan
enable_hashjoin = off
enable_mergejoin = off
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 200
shared_buffers = 1GB
max_wal_size = 8GB
checkpoint_timeout = 30min
wal_level = logical
`

/** One server for each name; those that are not `plain` load Citus. Ports count up from the one that is given. */
export function startServers(
  names: readonly string[],
  firstPort: number,
): { servers: Server[]; stop(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-citus-'))
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const run = (...command: string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(
      isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command] : command,
      { cwd: '/', env: { PATH: process.env.PATH, HOME: folder } },
    )
    if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
  }
  if (isRoot) Bun.spawnSync(['chown', 'postgres', folder])
  const bin = configured('--bindir')
  const control = (name: string, ...words: string[]) =>
    run(join(bin, 'pg_ctl'), '-D', join(folder, name), '-l', join(folder, `${name}.log`), '-w', ...words)
  const started: string[] = []
  const stop = (): void => {
    for (const name of started) control(name, 'stop', '-m', 'fast')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const servers = names.map((name, index): Server => {
      const port = firstPort + index
      run(
        join(bin, 'initdb'),
        '-D',
        join(folder, name),
        '-U',
        'postgres',
        '-A',
        'trust',
        '--no-locale',
        '-E',
        'UTF8',
      )
      const library =
        name === 'plain'
          ? ''
          : `shared_preload_libraries = 'citus'\ncitus.enable_statistics_collection = off\ncitus.node_conninfo = 'sslmode=disable'\n`
      run(
        'sh',
        '-c',
        'printf %s "$1" >> "$2"',
        'sh',
        `${settings}${library}port = ${port}\n`,
        join(folder, name, 'postgresql.conf'),
      )
      control(name, 'start')
      started.push(name)
      const pid = Number(readFileSync(join(folder, name, 'postmaster.pid'), 'utf8').split('\n')[0])
      return { port, pid, url: database => `postgres://postgres@127.0.0.1:${port}/${database}` }
    })
    return { servers, stop }
  } catch (error) {
    stop()
    throw error
  }
}
