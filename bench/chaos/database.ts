// A PostgreSQL of the distribution, as durable as in production, whose processes and disk can be made to fail.
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/platform/db/account'
import { openDatabase } from '../../src/platform/db/client'
import { serverProcesses, signal } from '../../src/platform/db/orphan'
import { freePort } from '../../test/support/program'
import { until } from '../../test/support/until'

const programs = '/usr/lib/postgresql/15/bin'
export const hasPostgres = existsSync(join(programs, 'postgres'))

export interface Database {
  port: number
  /** Of this database, at another port: there is a gate before the server. */
  urlAt(port: number, name?: string): string
  isRunning(): boolean
  begin(): Promise<void>
  /** SIGKILL to every process of the server. */
  kill(): Promise<void>
  /** SIGKILL to the process behind one connection, upon which the server ends all others and recovers. */
  killBackend(random: () => number): Promise<void>
  /** Ends as a restart of the machine's services does: nobody may finish. */
  restart(): Promise<void>
  /** No process of the server gets on, for so long: a disk or a machine that stands still. */
  freeze(ms: number): Promise<void>
  /** Whether the disk is one of its own, which may be filled. */
  hasOwnDisk: boolean
  fillDisk(): void
  emptyDisk(): void
  stop(): Promise<void>
}

const superuser = 'waxwing'

/** Makes a cluster in `folder`, on a file system of `megabytes` of its own where we may mount one, and starts it. */
export async function startDatabase(folder: string, megabytes: number): Promise<Database> {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const hasOwnDisk = mountDisk(join(folder, 'disk.img'), disk, megabytes)
  const cluster = join(disk, 'cluster')
  const filler = join(disk, 'filler')
  const account = serverAccount(cluster)
  const run = { cwd: '/', stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', ...account } as const
  mkdirSync(cluster)
  chmodSync(cluster, 0o700)
  if (account) Bun.spawnSync(['chown', `${account.uid}:${account.gid}`, cluster])
  const made = Bun.spawnSync(
    [join(programs, 'initdb'), '-D', cluster, '-U', superuser, '--auth=trust', '--no-locale', '-E', 'UTF8'],
    { ...run, stderr: 'pipe', env: { LC_ALL: 'C.UTF-8' } },
  )
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())

  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  const command = [join(programs, 'postgres'), '-D', cluster, ...settings.flatMap(each => ['-c', each])]
  const isReady = (): boolean =>
    Bun.spawnSync([join(programs, 'pg_isready'), '-h', '127.0.0.1', '-p', String(port)]).exitCode === 0
  const urlAt = (at: number, name = 'postgres'): string => `postgres://${superuser}@127.0.0.1:${at}/${name}`
  let server = Bun.spawn(command, { ...run, env: {} })
  const begin = async (): Promise<void> => {
    server = Bun.spawn(command, { ...run, env: {} })
    await until('the database is ready', isReady)
  }
  await until('the database is ready', isReady)
  return {
    port,
    urlAt,
    begin,
    hasOwnDisk,
    isRunning: () => server.exitCode === null && server.signalCode === null,
    async kill() {
      for (const pid of serverProcesses(cluster)) signal(pid, 'SIGKILL')
      await server.exited
      await until('all its processes are gone', () => serverProcesses(cluster).length === 0)
    },
    async killBackend(random) {
      const admin = openDatabase(urlAt(port), { max: 1 })
      const backends = await admin.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
      await admin.close()
      const chosen = backends[Math.floor(random() * backends.length)]
      if (chosen) signal(chosen.pid, 'SIGKILL')
    },
    async restart() {
      server.kill('SIGQUIT')
      await server.exited
      await begin()
    },
    async freeze(ms) {
      const stopped = serverProcesses(cluster)
      for (const pid of stopped) signal(pid, 'SIGSTOP')
      await Bun.sleep(ms)
      for (const pid of stopped) signal(pid, 'SIGCONT')
    },
    fillDisk() {
      // Reserved at once; what is written after it finds the rest.
      const free = `$(df --output=avail -B1 ${disk} | tail -1)`
      Bun.spawnSync(['sh', '-c', `fallocate -l ${free} ${filler}; cat /dev/zero >> ${filler}`], {
        stderr: 'ignore',
      })
    },
    emptyDisk: () => rmSync(filler, { force: true }),
    async stop() {
      server.kill('SIGINT')
      await server.exited
      if (hasOwnDisk) Bun.spawnSync(['umount', '-l', disk])
    },
  }
}

/** A file system in a file; only root may mount one. */
function mountDisk(image: string, at: string, megabytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const steps = [
    ['truncate', '-s', `${megabytes}M`, image],
    ['mkfs.ext4', '-q', '-m', '0', image],
    ['mount', '-o', 'loop', image, at],
  ]
  const isMounted = steps.every(step => Bun.spawnSync(step, { stderr: 'ignore' }).exitCode === 0)
  if (isMounted) chmodSync(at, 0o755)
  return isMounted
}
