// The built-in PostgreSQL as real processes of a compiled program: first run, refusals, and every way of being killed.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '../../src/platform/db/client'
import { serverProcesses } from '../../src/platform/db/orphan'
import { makeWorkshop, type Running, removeDataDir, run, withClient } from '../support/embedded'
import { until } from '../support/until'

const isRoot = process.getuid?.() === 0
let workshop = ''
const dataDirs: string[] = []
const programs: Running[] = []

beforeAll(async () => {
  workshop = await makeWorkshop()
})

afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL')
  for (const dataDir of dataDirs.splice(0)) removeDataDir(dataDir)
})

afterAll(() => rmSync(workshop, { recursive: true, force: true }))

function newDataDir(name: string): string {
  const path = join(workshop, name)
  dataDirs.push(path)
  return path
}

async function start(dataDir: string, account = {}): Promise<Running> {
  const program = await run(workshop, dataDir, account)
  programs.push(program)
  return program
}

function cluster(dataDir: string): string {
  return join(dataDir, 'pgdata')
}

async function writeRow(url: string, id: number): Promise<void> {
  await withClient(url, async sql => {
    await sql`create table if not exists kept (id int primary key)`
    await sql`insert into kept values (${id})`
  })
}

function readRows(url: string): Promise<number[]> {
  return withClient(url, async sql => (await sql`select id from kept order by id`).map(row => row.id))
}

test('the first run makes a durable UTF-8 database that only a socket reaches, and a clean stop leaves no process', async () => {
  const dataDir = newDataDir('first')
  const program = await start(dataDir)
  const [facts] = await withClient(
    program.url,
    sql => sql`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
             current_setting('listen_addresses') as addresses, current_setting('data_checksums') as checksums,
             current_setting('TimeZone') as zone, lower('ÄÉЖ') as lower, inet_server_addr() as address,
             array(select datname::text from pg_stat_database where datname <> current_database() and xact_commit > 0) as "alsoVacuumed"`,
  )
  expect(facts).toEqual({
    fsync: 'on',
    commit: 'on',
    addresses: '',
    checksums: 'on',
    zone: 'UTC',
    lower: 'äéж',
    address: null,
    alsoVacuumed: [],
  })
  expect(statSync(join(dataDir, 's')).mode & 0o777).toBe(0o700)
  expect(await program.stop()).toBe(0)
  expect(serverProcesses(cluster(dataDir))).toEqual([])
  expect(existsSync(join(cluster(dataDir), 'postmaster.pid'))).toBe(false)
})

test('every extension that travels along can be created', async () => {
  const program = await start(newDataDir('extensions'))
  await withClient(program.url, async sql => {
    for (const name of ['pg_trgm', 'btree_gin', 'pgcrypto', 'citext', 'unaccent', 'pg_stat_statements'])
      await sql`create extension ${sql(name)}`
    const [row] =
      await sql`select similarity('waxwing', 'waxwings') > 0.6 as alike, gen_salt('bf') <> '' as salted`
    expect(row).toEqual({ alike: true, salted: true })
  })
  expect(await program.stop()).toBe(0)
})

test('a second program on the same folder is refused at once and told who holds it', async () => {
  const dataDir = newDataDir('second')
  const program = await start(dataDir)
  await expect(start(dataDir)).rejects.toThrow(`is in use by another process (pid ${program.pid})`)
  await writeRow(program.url, 1)
  expect(await program.stop()).toBe(0)
})

test('a server orphaned by kill -9 of its program is stopped by the next start, with every row', async () => {
  const dataDir = newDataDir('orphan')
  const killed = await start(dataDir)
  await writeRow(killed.url, 1)
  killed.kill('SIGKILL')
  await killed.exited
  expect(serverProcesses(cluster(dataDir))).toContain(killed.serverPid)

  const next = await start(dataDir)
  expect(next.serverPid).not.toBe(killed.serverPid)
  expect(serverProcesses(cluster(dataDir))).not.toContain(killed.serverPid)
  expect(await readRows(next.url)).toEqual([1])
  expect(await next.stop()).toBe(0)
})

test('kill -9 of program and server together is recovered from by the next start', async () => {
  const dataDir = newDataDir('both')
  const killed = await start(dataDir)
  await writeRow(killed.url, 1)
  killKeepingFiles(killed)
  await killed.exited
  expect(existsSync(join(cluster(dataDir), 'postmaster.pid'))).toBe(true)

  const next = await start(dataDir)
  expect(await readRows(next.url)).toEqual([1])
  expect(await next.stop()).toBe(0)
})

/** The program first: it would start the server again. */
function killKeepingFiles(program: Running): void {
  program.kill('SIGKILL')
  process.kill(program.serverPid, 'SIGKILL')
}

test('kill -9 of the server alone is mended by a restart, and a client that retries loses no acknowledged row', async () => {
  const dataDir = newDataDir('postmaster')
  const program = await start(dataDir)
  const client = openDatabase(program.url, { max: 2 })
  await client.sql`create table kept (id int primary key)`
  let failures = 0
  let written = 0
  // A session of the killed server may go on for a moment, so rows are written until one has met the gap.
  while (written < 300 || (failures === 0 && written < 50_000)) {
    if (written === 100) process.kill(program.serverPid, 'SIGKILL')
    written++
    failures += await insertUntilDone(client.sql, written)
  }
  const [row] = await client.sql`select count(*)::int as count, max(id) as max from kept`
  await client.close()
  expect(failures).toBeGreaterThan(0)
  expect(row).toEqual({ count: written, max: written })
  expect(serverProcesses(cluster(dataDir))).not.toContain(program.serverPid)
  expect(await program.stop()).toBe(0)
  expect(serverProcesses(cluster(dataDir))).toEqual([])
})

/** Inserts one row, retrying as the product does; returns the failures on the way. */
async function insertUntilDone(sql: ReturnType<typeof openDatabase>['sql'], id: number): Promise<number> {
  for (let failures = 0; failures < 500; failures++) {
    try {
      await sql`insert into kept values (${id}) on conflict do nothing`
      return failures
    } catch {
      await Bun.sleep(10)
    }
  }
  throw new Error(`row ${id} could not be written`)
}

test('a program that leaves without stopping its server still asks it to end', async () => {
  const dataDir = newDataDir('leaves')
  const program = await start(dataDir)
  program.kill('SIGINT')
  expect(await program.exited).toBe(130)
  await until('the server has ended', () => serverProcesses(cluster(dataDir)).length === 0)
  expect(existsSync(join(cluster(dataDir), 'postmaster.pid'))).toBe(false)
})

test('a stop in the middle of a restart leaves no process', async () => {
  const dataDir = newDataDir('midway')
  const program = await start(dataDir)
  process.kill(program.serverPid, 'SIGKILL')
  expect(await program.stop()).toBe(0)
  // The sessions of a killed server notice its death and leave by themselves, a moment later.
  await until('all processes have ended', () => serverProcesses(cluster(dataDir)).length === 0)
  // The next start also frees the shared memory that the killed server left.
  expect(await (await start(dataDir)).stop()).toBe(0)
})

test.skipIf(process.platform !== 'linux')('Ctrl-C in a terminal does not reach the server', async () => {
  const program = await start(newDataDir('terminal'))
  const session = readFileSync(`/proc/${program.serverPid}/stat`, 'utf8').split(' ')[5]
  expect(Number(session)).toBe(program.serverPid)
  expect(await program.stop()).toBe(0)
})

test('stale files whose pid now belongs to another process of the same user do not keep it from starting', async () => {
  const dataDir = newDataDir('stale')
  const killed = await start(dataDir)
  await writeRow(killed.url, 1)
  killKeepingFiles(killed)
  await killed.exited
  await until('its sessions have ended', () => serverProcesses(cluster(dataDir)).length === 0)

  const { uid, gid } = statSync(cluster(dataDir))
  const stranger = Bun.spawn(['sleep', '60'], isRoot ? { uid, gid } : {})
  for (const file of [join(cluster(dataDir), 'postmaster.pid'), join(dataDir, 's/.s.PGSQL.5432.lock')]) {
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [stranger.pid, ...lines.slice(1)].join('\n'))
  }
  const next = await start(dataDir)
  expect(await readRows(next.url)).toEqual([1])
  expect(await next.stop()).toBe(0)
  expect(stranger.exitCode).toBeNull()
  stranger.kill('SIGKILL')
})

test('a data folder with a long path gets its socket elsewhere, in a private folder', async () => {
  const dataDir = newDataDir(join('l'.repeat(80), 'o'.repeat(80)))
  const program = await start(dataDir)
  await writeRow(program.url, 1)
  const socketDir = new URL(program.url).searchParams.get('host')!
  expect(socketDir).toStartWith('/tmp/waxwing-')
  expect(statSync(socketDir).mode & 0o777).toBe(0o700)
  expect(await program.stop()).toBe(0)
})

test('half-unpacked files of an interrupted start and files of an older version are cleared away', async () => {
  const dataDir = newDataDir('leftovers')
  for (const name of ['programs-0000000000000000', 'programs-1.partial', 'pgdata.partial'])
    mkdirSync(join(dataDir, name, 'bin'), { recursive: true })
  const program = await start(dataDir)
  expect(readdirSync(dataDir).filter(name => /partial|0000/.test(name))).toEqual([])
  await writeRow(program.url, 1)
  expect(await program.stop()).toBe(0)
})

test('a cluster of another major version is refused in words and stays as it is', async () => {
  const dataDir = newDataDir('major')
  expect(await (await start(dataDir)).stop()).toBe(0)
  writeFileSync(join(cluster(dataDir), 'PG_VERSION'), '17\n')
  await expect(start(dataDir)).rejects.toThrow(
    /was made by PostgreSQL 17, but this Waxwing carries PostgreSQL 18/,
  )
  expect(readFileSync(join(cluster(dataDir), 'PG_VERSION'), 'utf8')).toBe('17\n')
})

test('a folder of somebody else is not taken for a cluster', async () => {
  const dataDir = newDataDir('foreign')
  mkdirSync(cluster(dataDir), { recursive: true })
  writeFileSync(join(cluster(dataDir), 'letter.txt'), 'dear diary')
  await expect(start(dataDir)).rejects.toThrow('is not a PostgreSQL data directory')
  expect(readFileSync(join(cluster(dataDir), 'letter.txt'), 'utf8')).toBe('dear diary')
})

test.skipIf(!isRoot)(
  'root runs the server as another user, who keeps the cluster over restarts',
  async () => {
    const dataDir = newDataDir('root')
    const first = await start(dataDir)
    const owner = statSync(cluster(dataDir)).uid
    expect(owner).toBeGreaterThan(0)
    expect(statSync(`/proc/${first.serverPid}`).uid).toBe(owner)
    expect(statSync(join(dataDir, 's')).uid).toBe(owner)
    await writeRow(first.url, 1)
    expect(await first.stop()).toBe(0)
    const second = await start(dataDir)
    expect(await readRows(second.url)).toEqual([1])
    expect(await second.stop()).toBe(0)
  },
)

test.skipIf(!isRoot)('a folder that the other user cannot enter is named, with the ways out', async () => {
  const dataDir = newDataDir('closed/inner')
  mkdirSync(dirname(dataDir), { recursive: true })
  chmodSync(dirname(dataDir), 0o700)
  await expect(start(dataDir)).rejects.toThrow(/may not enter .*closed \(mode 0700\).*chmod o\+x/)
})

test.skipIf(!isRoot)('a user id that no user database knows runs it as itself', async () => {
  const stranger = { uid: 12_345, gid: 12_345 }
  const home = join(workshop, 'home-of-12345')
  mkdirSync(home)
  expect(Bun.spawnSync(['chown', '12345:12345', home]).exitCode).toBe(0)
  const dataDir = newDataDir('home-of-12345/data')
  const first = await start(dataDir, stranger)
  expect(statSync(`/proc/${first.serverPid}`).uid).toBe(12_345)
  await writeRow(first.url, 1)
  first.kill('SIGKILL')
  await first.exited
  const second = await start(dataDir, stranger)
  expect(await readRows(second.url)).toEqual([1])
  expect(await second.stop()).toBe(0)
  await expect(start(dataDir, { uid: 12_346, gid: 12_346 })).rejects.toThrow(/cannot write to data directory/)
})
