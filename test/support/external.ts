// A PostgreSQL as the distribution ships it, on a TCP port and with a password: what users of DATABASE_URL have.
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { serverAccount } from '../../src/platform/db/account'
import { counterpart } from './counterpart'
import { freePort } from './program'
import { until } from './until'

const programs = '/usr/lib/postgresql/15/bin'

export const hasExternalServer = Boolean(counterpart('postgresql-15', existsSync(join(programs, 'postgres'))))

export interface ExternalServer {
  url: string
  /** Ends it without letting anybody finish, and starts it again. */
  restart(): Promise<void>
  /** The first half of `restart`, and the second. */
  end(): Promise<void>
  begin(): Promise<void>
  stop(): Promise<void>
}

/** Starts it in `folder`, which must be reachable by all users. */
export async function startExternal(folder: string): Promise<ExternalServer> {
  const cluster = join(folder, 'external')
  const account = serverAccount(cluster)
  mkdirSync(cluster)
  chmodSync(cluster, 0o700)
  if (account) Bun.spawnSync(['chown', `${account.uid}:${account.gid}`, cluster])
  const password = 'a pass/word'
  await Bun.write(join(folder, 'password'), password)
  const made = Bun.spawnSync(
    [
      join(programs, 'initdb'),
      '-D',
      cluster,
      '-U',
      'waxwing',
      '--auth=scram-sha-256',
      `--pwfile=${folder}/password`,
      '--no-sync',
    ],
    { cwd: '/', env: { LC_ALL: 'C.UTF-8' }, stdout: 'ignore', stderr: 'pipe', ...account },
  )
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const port = await freePort()
  const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`]
  const start = () =>
    Bun.spawn([join(programs, 'postgres'), '-D', cluster, ...settings.flatMap(setting => ['-c', setting])], {
      cwd: '/',
      env: {},
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      ...account,
    })
  const ready = () =>
    until(
      'the database is ready',
      () =>
        Bun.spawnSync([join(programs, 'pg_isready'), '-h', '127.0.0.1', '-p', String(port)]).exitCode === 0,
    )
  let server = start()
  await ready()
  const end = async (): Promise<void> => {
    server.kill('SIGQUIT')
    await server.exited
  }
  const begin = async (): Promise<void> => {
    server = start()
    await ready()
  }
  return {
    end,
    begin,
    url: `postgres://waxwing:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    async restart() {
      await end()
      await begin()
    },
    stop: end,
  }
}
