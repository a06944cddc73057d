// Connections through PgBouncer with its own defaults, in session mode: they open, and their limits hold on the server behind it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { openHeavyJobPool, openHeavyPool, openJobPool, openRequestPool } from '../../src/platform/db/pools'
import { counterpart } from '../support/counterpart'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { freePort } from '../support/program'
import { until } from '../support/until'

const program = counterpart(
  'pgbouncer',
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(path => Bun.which(path)),
)

describe.skipIf(!program)('through PgBouncer', () => {
  let folder = ''
  let database: TestDatabase
  let pooler: Bun.Subprocess
  let client: DatabaseClient

  beforeAll(async () => {
    database = await cloneDatabase()
    folder = mkdtempSync(join(tmpdir(), 'waxwing-pgbouncer-'))
    chmodSync(folder, 0o755)
    const url = new URL(database.url)
    const host = url.searchParams.get('host') ?? url.hostname
    const port = await freePort()
    const password = url.password ? ` password=${decodeURIComponent(url.password)}` : ''
    const target = `host=${host} port=${url.port || 5432} dbname=${url.pathname.slice(1)} user=${url.username}${password}`
    const lines = [
      ...[
        '[databases]',
        `waxwing = ${target}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
      ],
      ...['auth_type = any', 'pool_mode = session', 'unix_socket_dir =', `logfile = ${join(folder, 'log')}`],
    ]
    const file = join(folder, 'pgbouncer.ini')
    writeFileSync(file, `${lines.join('\n')}\n`)
    writeFileSync(join(folder, 'log'), '')
    chmodSync(join(folder, 'log'), 0o666)
    // It does not run as root.
    const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
    pooler = Bun.spawn([program!, ...account, file], { stdout: 'ignore', stderr: 'ignore' })
    client = openDatabase(`postgres://waxwing@127.0.0.1:${port}/waxwing`, { max: 2 })
    await until('it answers', async () => {
      try {
        return (await client.sql`select 1 as one`).length === 1
      } catch {
        return false
      }
    })
  })

  afterAll(async () => {
    await client.close()
    pooler.kill()
    await pooler.exited
    await database.drop()
    rmSync(folder, { recursive: true })
  })

  test.each([
    [
      'requests',
      (): DatabaseClient => openRequestPool({ client: client.sql, isBuiltIn: false }, 1_234),
      '1234ms',
    ],
    [
      'heavy requests',
      (): DatabaseClient => openHeavyPool({ client: client.sql, isBuiltIn: false }, 1_234),
      '1234ms',
    ],
    ['jobs', (): DatabaseClient => openJobPool({ client: client.sql, isBuiltIn: false }, 2), '10min'],
    ['heavy jobs', (): DatabaseClient => openHeavyJobPool({ client: client.sql, isBuiltIn: false }), '10min'],
  ])('the pool of %s has its limits', async (_, open, limit) => {
    const pool = open()
    const [row] = await pool.sql<Array<{ limit: string; workers: string; zone: string }>>`
      select current_setting('statement_timeout') as limit,
             current_setting('max_parallel_workers_per_gather') as workers, current_setting('TimeZone') as zone`
    expect(row).toEqual({ limit, workers: '0', zone: 'UTC' })
    await pool.close()
  })

  test('a reserved connection and a transaction have them too', async () => {
    const pool = openRequestPool({ client: client.sql, isBuiltIn: false }, 4_321)
    const reserved = await pool.sql.reserve()
    expect((await reserved`show statement_timeout`)[0]).toEqual({ statement_timeout: '4321ms' })
    reserved.release()
    const inside = await pool.sql.begin(tx => tx`show statement_timeout`)
    expect(inside[0]).toEqual({ statement_timeout: '4321ms' })
    await pool.close()
  })
})
