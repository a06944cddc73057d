// What kill -9 may cost: nothing that was accepted. The real program under load is killed at random moments, alone, with its
// database, or its database alone, and started again. WAXWING_CRASH_ROUNDS sets how often (3 unless given).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/db/client'
import { runningServerUrl } from '../../src/platform/db/embedded'
import { type Load, senderDomain, startLoad } from '../support/load'
import { type NameServer, startNameServer } from '../support/name-server'
import {
  builtProgram,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  serverPid,
  serversOf,
  startProgram,
  verifyDomain,
} from '../support/program'
import { makeRandom, seed } from '../support/random'
import { type Sink, startSink } from '../support/sink'
import { until } from '../support/until'

const rounds = Number(process.env.WAXWING_CRASH_ROUNDS ?? 3)
/** Jobs at once, and so the most messages that can be on their way at any moment. */
const inFlight = 12

let folder = ''
let sink: Sink
let dns: NameServer
let program: Program
let keys: Keys

const dataDir = () => join(folder, 'data')

beforeAll(async () => {
  folder = makeFolder()
  sink = startSink()
  await builtProgram()
  dns = await startNameServer()
  program = await start()
  keys = await makeProject(program.url)
  await verifyDomain(program.url, keys, senderDomain, dns)
})

afterAll(() => {
  program?.kill('SIGKILL')
  sink?.stop()
  dns?.stop()
  removeFolder(folder)
})

function start(): Promise<Program> {
  const environment = {
    DATA_DIR: dataDir(),
    PORT: '0',
    SMTP_URL: sink.url,
    JOB_CONCURRENCY: String(inFlight),
    RATE_LIMIT_PER_MINUTE: '0',
    DNS_SERVERS: dns.address,
    LOG_LEVEL: 'error',
  }
  return startProgram({ environment })
}

/** Some time under load, so that the kill comes anywhere. */
const random = makeRandom()
const randomMoment = () => Bun.sleep(150 + random(500))

/** Kills in one of the three ways and puts a running instance back into `program`. */
const ways = {
  async 'the program and its database'() {
    program.kill('SIGKILL')
    for (const pid of serversOf(dataDir())) killWhatIsLeft(pid)
    await program.exited
    program = await start()
  },
  async 'the program alone'() {
    program.kill('SIGKILL')
    await program.exited
    expect(serversOf(dataDir())).not.toEqual([])
    program = await start()
  },
  async 'the database alone'() {
    const killed = serverPid(dataDir())
    process.kill(killed, 'SIGKILL')
    await until('the database runs again', () => ![killed, 0].includes(serverPidNow()))
    await until('the instance is well', async () => (await fetch(`${program.url}/health`)).ok)
  },
}

/** When the first of a server's processes dies the others end by themselves, some before it is their turn. */
function killWhatIsLeft(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function serverPidNow(): number {
  try {
    return serverPid(dataDir())
  } catch {
    // Between two servers there is no such file.
    return 0
  }
}

for (const [name, kill] of Object.entries(ways)) {
  test(
    `kill -9 of ${name}, again and again, loses nothing that was accepted (SEED=${seed})`,
    async () => {
      const before = sink.received.length
      const load = startLoad(8, keys, () => program.url)
      for (let round = 0; round < rounds; round++) {
        await randomMoment()
        await kill()
      }
      await randomMoment()
      await load.stop()
      await settled()
      report(name, load, before)
      expectNothingLost(load, before)
    },
    60_000 + rounds * 10_000,
  )
}

/** Waits until every message has its end, and looks at the queue and the ledger. */
async function settled(): Promise<void> {
  const client = openDatabase(runningServerUrl(join(dataDir(), 'postgres')), { max: 1 })
  const open = async () => {
    const [row] = await client.sql<{ emails: number; jobs: number }[]>`
      select (select count(*)::int from emails where status in ('PENDING', 'SENDING')) as emails,
             (select count(*)::int from jobs where kind = 'email.deliver') as jobs`
    return row!
  }
  try {
    await until('no message and no delivery is left open', async () => {
      const { emails, jobs } = await open()
      return emails === 0 && jobs === 0
    })
    const statuses = await client.sql<{ status: string }[]>`select distinct status from emails`
    expect(statuses.map(row => row.status)).toEqual(['DELIVERED'])
  } finally {
    await client.close()
  }
}

function expectNothingLost(load: Load, before: number): void {
  const arrived = messageIds(before)
  expect([...load.accepted].filter(to => !arrived.has(to))).toEqual([])
  expect([...arrived].filter(([, ids]) => new Set(ids).size > 1)).toEqual([])
  expect(duplicates(before)).toBeLessThanOrEqual(rounds * inFlight)
  expect(load.accepted.size).toBeGreaterThan(5)
  expect([...load.statuses.keys()].filter(status => ![0, 200, 503].includes(status))).toEqual([])
}

/** The Message-IDs that each recipient got. */
function messageIds(before: number): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { to, messageId } of sink.received.slice(before))
    ids.set(to, [...(ids.get(to) ?? []), messageId])
  return ids
}

function duplicates(before: number): number {
  return sink.received.length - before - messageIds(before).size
}

function report(name: string, load: Load, before: number): void {
  const answers = [...load.statuses]
    .map(([status, count]) => `${count} x ${status || 'no answer'}`)
    .join(', ')
  console.log(
    `${rounds} kills of ${name}: ${load.accepted.size} accepted (${answers}), ${duplicates(before)} sent twice`,
  )
}
