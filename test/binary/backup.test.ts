// Backup and restore as an operator does them: a running instance under load is written to a file, moves to a PostgreSQL of another
// version and back, answers the same there, and sends nothing until it is told to. WAXWING_SLOW=1 does it with 200,000 contacts.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { runningServerUrl } from '../../src/platform/db/embedded'
import { type ExternalServer, hasExternalServer, startExternal } from '../support/external'
import { senderDomain, startLoad } from '../support/load'
import { type NameServer, startNameServer } from '../support/name-server'
import {
  builtProgram,
  type Finished,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  runProgram,
  sendMail,
  startProgram,
  verifyDomain,
} from '../support/program'
import { type Sink, startSink } from '../support/sink'
import { until } from '../support/until'

const contacts = process.env.WAXWING_SLOW === '1' ? 200_000 : 3_000
const patience = contacts > 10_000 ? 900_000 : 90_000

let folder = ''
let server: ExternalServer
let admin: DatabaseClient
let dns: NameServer
let sink: Sink
const programs: Program[] = []

if (!hasExternalServer) console.log('skipped: moving to another server needs PostgreSQL 15')

describe.skipIf(!hasExternalServer)('an instance that moves', () => {
  beforeAll(async () => {
    folder = makeFolder()
    await builtProgram()
    server = await startExternal(folder)
    admin = openDatabase(server.url, { max: 1 })
    dns = await startNameServer()
    sink = startSink()
  })

  afterEach(() => {
    for (const program of programs.splice(0)) program.kill('SIGKILL')
  })

  afterAll(async () => {
    sink?.stop()
    dns?.stop()
    await admin?.close()
    await server?.stop()
    if (folder) removeFolder(folder)
  })

  test(
    `with ${contacts} contacts, to an external PostgreSQL under load, and back`,
    async () => {
      const home = environment('home')
      const source = await start(home)
      const keys = await makeProject(source.url)
      await verifyDomain(source.url, keys, senderDomain, dns)
      await importContacts(source.url, keys)

      // Under load: whatever moment the backup has caught, the restored database is exactly that.
      const load = startLoad(6, keys, () => source.url)
      await until('the load has begun', () => load.accepted.size > 50)
      const before = load.accepted.size
      const file = join(folder, 'under-load.wxb')
      report('backup under load', await run(['backup', file, '--verify', '--with-secrets'], home))
      expect(load.accepted.size).toBeGreaterThan(before)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const moved = await externalEnvironment('moved')
      report('restore under load', await run(['restore', file, '--verify'], moved))
      expect(await countOf(moved, 'contacts')).toBeGreaterThanOrEqual(contacts + before)
      await load.stop()
      expect([...load.statuses.keys()]).toEqual([200])

      // At rest: every answer is the same, and nothing leaves before it may.
      await settled(load.accepted.size)
      const asked = await answers(source, keys)
      const rest = join(folder, 'at-rest.wxb')
      report('backup at rest', await run(['backup', rest, '--with-secrets'], home))
      expect(await source.stop()).toBe(0)
      const abroad = await externalEnvironment('abroad')
      report('restore at rest', await run(['restore', rest, '--verify'], abroad))
      const second = await start(abroad)
      expect(second.log()).toContain('SENDING IS PAUSED: this database was restored from a backup of ')
      expect(await answers(second, keys)).toEqual(asked)
      await expectPause(second, keys, abroad)

      // And back into a built-in database.
      await settled(load.accepted.size + 1)
      const then = await answers(second, keys)
      expect(await second.stop()).toBe(0)
      const file2 = join(folder, 'again.wxb')
      report('backup of the external one', await run(['backup', file2, '--with-secrets'], abroad))
      const back = environment('back')
      report('restore into a built-in one', await run(['restore', file2, '--verify'], back))
      const third = await start(back)
      expect(await answers(third, keys)).toEqual(then)
      expect(await third.stop()).toBe(0)
    },
    patience,
  )

  test('a copied data directory and a database that was put back are noticed, one that moved is not', async () => {
    const home = environment('original')
    const first = await start(home)
    expect(await first.stop()).toBe(0)
    const again = await start(home)
    expect(again.log()).not.toContain('PAUSED')
    expect(await again.stop()).toBe(0)

    // Copied as an operator would, and old enough for the clocks of file system and process to be told apart.
    await Bun.sleep(2_100)
    const copy = environment('copy')
    expect(Bun.spawnSync(['cp', '-a', home.DATA_DIR!, copy.DATA_DIR!]).exitCode).toBe(0)
    expect((await start(copy)).log()).toContain(
      'SENDING IS PAUSED: this data directory is a copy of another one',
    )
    const moved = environment('renamed')
    expect(Bun.spawnSync(['mv', home.DATA_DIR!, moved.DATA_DIR!]).exitCode).toBe(0)
    const renamed = await start(moved)
    expect(renamed.log()).not.toContain('PAUSED')
    expect(await renamed.stop()).toBe(0)

    // The database alone, as it was before: its count is behind what the folder remembers.
    const old = join(copy.DATA_DIR!, 'postgres')
    for (const program of programs.splice(0)) if (program !== renamed) expect(await program.stop()).toBe(0)
    await Bun.$`rm -rf ${moved.DATA_DIR!}/postgres && cp -a ${old} ${moved.DATA_DIR!}/postgres`.quiet()
    const putBack = openBuiltIn(moved)
    await putBack.run(sql => sql`update instance set generation = 1, paused_at = null, paused_because = null`)
    expect((await start(moved)).log()).toContain('put back to an earlier state')
    expect((await run(['resume'], moved)).out).toContain('sending goes on')
  })

  test('a dump of an external database in another one is noticed', async () => {
    const here = { ...(await externalEnvironment('one')), ...fixedSecrets }
    expect(await (await start(here)).stop()).toBe(0)
    expect((await start(here)).log()).not.toContain('PAUSED')
    for (const program of programs.splice(0)) expect(await program.stop()).toBe(0)
    await admin.sql.unsafe('create database one_copy template one')
    const there = { ...here, DATABASE_URL: databaseUrl('one_copy') }
    expect((await start(there)).log()).toContain('restored or copied from another place')
    expect((await run(['resume'], there)).out).toContain('sending goes on')
    for (const program of programs.splice(0)) expect(await program.stop()).toBe(0)
    expect((await start(there)).log()).not.toContain('PAUSED')
  })
})

const fixedSecrets = {
  JWT_SECRET: 'one secret for all instances',
  ENCRYPTION_KEY: 'one key for all instances',
}

function environment(name: string): Record<string, string> {
  return {
    DATA_DIR: join(folder, name),
    PORT: '0',
    SMTP_URL: sink.url,
    DNS_SERVERS: dns.address,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  }
}

async function externalEnvironment(name: string): Promise<Record<string, string>> {
  await admin.sql.unsafe(`create database ${name}`)
  return { ...environment(`${name}-data`), DATABASE_URL: databaseUrl(name) }
}

function databaseUrl(name: string): string {
  return Object.assign(new URL(server.url), { pathname: name }).toString()
}

async function start(given: Record<string, string>): Promise<Program> {
  const program = await startProgram({ environment: given })
  programs.push(program)
  return program
}

async function run(args: string[], given: Record<string, string>): Promise<Finished> {
  const finished = await runProgram(args, { environment: given })
  if (finished.code !== 0) throw new Error(`${args.join(' ')}: ${finished.out}${finished.err}`)
  return finished
}

function report(what: string, { out }: Finished): void {
  console.log(
    `${what}: ${out
      .trim()
      .split('\n')
      .find(line => line.includes(' rows of '))}`,
  )
}

/** Runs a statement in the built-in database of an instance that is not running. */
function openBuiltIn(given: Record<string, string>) {
  return {
    async run(work: (sql: DatabaseClient['sql']) => Promise<unknown>): Promise<void> {
      const program = await startProgram({ environment: { ...given, ROLE: 'api' } })
      const client = openDatabase(runningServerUrl(join(given['DATA_DIR']!, 'postgres')), { max: 1 })
      await work(client.sql)
      await client.close()
      expect(await program.stop()).toBe(0)
    },
  }
}

async function countOf(given: Record<string, string>, table: 'contacts'): Promise<number> {
  const client = openDatabase(given['DATABASE_URL']!, { max: 1 })
  const [row] = await client.sql`select count(*)::int as count from ${client.sql(table)}`
  await client.close()
  return row!['count']
}

/** As CSV files, which is how contacts come in such numbers. */
async function importContacts(url: string, keys: Keys): Promise<void> {
  const headers = { authorization: `Bearer ${keys.secretKey}` }
  for (let from = 0; from < contacts; from += 50_000) {
    const lines = ['email,name,plan,score']
    for (let index = from; index < Math.min(contacts, from + 50_000); index++)
      lines.push(`person${index}@example.org,Zoë ${index},${index % 3 ? 'free' : 'pro'},${index * 7}`)
    const body = new FormData()
    body.set('file', new File([lines.join('\n')], 'people.csv', { type: 'text/csv' }))
    const answer = await fetch(`${url}/contacts/import`, { method: 'POST', headers, body })
    const { jobId } = (await answer.json()) as { jobId: string }
    const isDone = async () => {
      const state = (await (await fetch(`${url}/contacts/import/${jobId}`, { headers })).json()) as {
        state: string
      }
      return state.state === 'completed'
    }
    await until('the contacts are imported', isDone, 300_000)
  }
}

/** Nothing is on its way and its events are written, so that nothing changes between two questions. */
async function settled(messages: number): Promise<void> {
  await until('all mail has left', () => sink.received.length >= messages)
  await Bun.sleep(1_000)
}

/** What people and programs read of an instance. */
async function answers({ url }: Program, keys: Keys): Promise<Record<string, unknown>> {
  const paths = [
    '/contacts?limit=100',
    '/contacts?search=person1',
    '/contacts/fields',
    '/contacts/fields/plan/values',
    '/emails?limit=100',
    '/events?limit=100',
    '/events/names',
    '/events/stats',
    '/templates',
    '/segments',
    '/campaigns',
    '/workflows',
    `/domains/project/${keys.projectId}`,
  ]
  const found: Record<string, unknown> = {}
  for (const path of paths) {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${keys.secretKey}` } })
    found[path] = { status: answer.status, body: await answer.json() }
    expect(answer.status).toBe(200)
  }
  const people = await fetch(`${url}/users/@me/projects`, { headers: { cookie: keys.cookie } })
  return { ...found, projects: { status: people.status, body: await people.json() } }
}

async function expectPause(program: Program, keys: Keys, given: Record<string, string>): Promise<void> {
  const health = async () =>
    (await (await fetch(`${program.url}/health`)).json()) as { status: string; sending: { paused: boolean } }
  expect(await health()).toMatchObject({ status: 'ok', sending: { paused: true } })
  const before = sink.received.length
  const letter = {
    from: `hello@${senderDomain}`,
    to: 'later@example.org',
    subject: 'Hello',
    body: '<p>Hello</p>',
  }
  expect((await sendMail(program.url, keys, letter)).status).toBe(200)
  // Several polls of the runner.
  await Bun.sleep(1_500)
  expect(sink.received.length).toBe(before)
  expect((await run(['resume'], given)).out).toContain(
    'sending goes on; it was paused because this database was restored',
  )
  await until('mail leaves again', () => sink.received.some(({ to }) => to === 'later@example.org'))
  expect(await health()).toMatchObject({ status: 'ok', sending: { paused: false } })
  expect((await run(['resume'], given)).out).toBe('sending is not paused\n')
}
