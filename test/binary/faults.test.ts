// What goes wrong on real machines: a full disk, a folder that cannot be written, a database that is not there or goes away. Each gives
// one clear line or a clear answer, nothing that was accepted is lost, and work goes on by itself when the fault is over.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { type ExternalServer, hasExternalServer, startExternal } from '../support/external'
import { senderDomain, startLoad } from '../support/load'
import { type NameServer, startNameServer } from '../support/name-server'
import {
  type Account,
  builtProgram,
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

/** A minute without the database is too long for every run. */
const awayMs = process.env.WAXWING_SLOW === '1' ? 60_000 : 1_500
const isRoot = process.getuid?.() === 0
const stranger: Account | undefined = isRoot ? { uid: 12_345, gid: 12_345 } : undefined

let folder = ''
let dns: NameServer
let sink: Sink
const programs: Program[] = []

beforeAll(async () => {
  folder = makeFolder()
  await builtProgram()
  dns = await startNameServer()
  sink = startSink()
})

afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL')
})

afterAll(() => {
  sink?.stop()
  dns?.stop()
  removeFolder(folder)
})

function environment(name: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    DATA_DIR: join(folder, name),
    PORT: '0',
    SMTP_URL: sink.url,
    DNS_SERVERS: dns.address,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
    ...more,
  }
}

async function start(given: Record<string, string>, account?: Account): Promise<Program> {
  const program = await startProgram({ environment: given, account })
  programs.push(program)
  return program
}

/** The one line that a start ends with. */
async function refusal(given: Record<string, string>, account?: Account): Promise<string> {
  const { code, out, err } = await runProgram(['serve'], { environment: given, account })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const lines = err.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(err).not.toMatch(/wrong-pass|pass(%2F|\/)word/)
  return lines[0]!
}

async function settled(accepted: Set<string>, withinMs = 60_000): Promise<void> {
  const missing = () => {
    const arrived = new Set(sink.received.map(({ to }) => to))
    return [...accepted].filter(to => !arrived.has(to)).length
  }
  await until('everything accepted has arrived', () => missing() === 0, withinMs)
}

describe.skipIf(!hasExternalServer)('an external database', () => {
  let server: ExternalServer
  let admin: DatabaseClient

  beforeAll(async () => {
    server = await startExternal(folder)
    admin = openDatabase(server.url, { max: 1 })
  })

  afterAll(async () => {
    await admin?.close()
    await server?.stop()
  })

  const at = (change: (url: URL) => void): Record<string, string> => {
    const url = new URL(server.url)
    change(url)
    return environment('never', { DATABASE_URL: url.toString(), LOG_LEVEL: 'error' })
  }

  test('each part of a wrong DATABASE_URL is told by its own line', async () => {
    const place = `127.0.0.1:${new URL(server.url).port}`
    const wrong: Array<[(url: URL) => void, string]> = [
      [
        url => {
          url.hostname = 'no-such-host.invalid'
        },
        'waxwing: the database at no-such-host.invalid:',
      ],
      [
        url => {
          url.port = '1'
        },
        'waxwing: the database at 127.0.0.1:1: ',
      ],
      [
        url => {
          url.password = 'wrong-pass'
        },
        `waxwing: the database at ${place}: password authentication failed for user "waxwing"`,
      ],
      [
        url => {
          url.username = 'nobody'
        },
        `waxwing: the database at ${place}: `,
      ],
      [
        url => {
          url.pathname = '/nothing'
        },
        `waxwing: the database at ${place}: database "nothing" does not exist`,
      ],
    ]
    for (const [change, line] of wrong) expect(await refusal(at(change))).toStartWith(line)
  })

  test(
    `goes away for ${awayMs / 1_000} s while mail comes in: 503, and nothing accepted is lost`,
    async () => {
      await admin.sql.unsafe('create database away')
      const given = at(url => {
        url.pathname = '/away'
      })
      const program = await start({
        ...given,
        JWT_SECRET: 'one secret for all',
        ENCRYPTION_KEY: 'one key for all tests',
      })
      const keys = await makeProject(program.url)
      await verifyDomain(program.url, keys, senderDomain, dns)
      const load = startLoad(6, keys, () => program.url)
      await until('some are accepted', () => load.accepted.size >= 50)
      await server.end()
      const letter = {
        from: `hello@${senderDomain}`,
        to: 'x@example.org',
        subject: 'Hello',
        body: '<p>Hello</p>',
      }
      const refused = await sendMail(program.url, keys, letter)
      expect(refused.status).toBe(503)
      expect(await refused.json()).toMatchObject({
        success: false,
        error: { code: 'SERVICE_UNAVAILABLE', statusCode: 503 },
      })
      const health = await fetch(`${program.url}/health`)
      expect({ status: health.status, body: await health.json() }).toMatchObject({
        status: 503,
        body: { database: 'failed' },
      })
      await Bun.sleep(awayMs)
      await server.begin()
      const before = load.accepted.size
      await until('more are accepted', () => load.accepted.size >= before + 50)
      await load.stop()
      expect([...load.statuses.keys()].filter(status => ![200, 503].includes(status))).toEqual([])
      await settled(load.accepted)
      await until('it is well again', async () => (await fetch(`${program.url}/health`)).ok)
      expect(await program.stop()).toBe(0)
    },
    60_000 + 2 * awayMs,
  )
})

test.skipIf(!stranger && isRoot)('a data directory that cannot be written is named', async () => {
  mkdirSync(join(folder, 'closed'), { mode: 0o555 })
  const line = await refusal(environment('closed'), stranger)
  expect(line).toBe(
    `waxwing: ${folder}/closed/postgres cannot be made (EACCES): set DATA_DIR to a folder that this user may write to`,
  )
  const { code, out } = await runProgram(['doctor'], {
    environment: environment('closed'),
    account: stranger,
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^FAIL {2}data directory: /m)
})

/** A file system of its own, small enough to be filled. */
function mountSmall(path: string): boolean {
  mkdirSync(path)
  return (
    isRoot &&
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=260m,mode=0755', 'tmpfs', path]).exitCode === 0
  )
}

test.skipIf(!isRoot || process.platform !== 'linux')(
  'a full disk: 503 or acceptance, never both, and everything goes on when there is room',
  async () => {
    const disk = join(folder, 'disk')
    if (!mountSmall(disk)) {
      console.log('skipped: a file system cannot be mounted here')
      return
    }
    try {
      const program = await start(environment('disk/data'))
      const keys = await makeProject(program.url)
      await verifyDomain(program.url, keys, senderDomain, dns)
      const load = startLoad(6, keys, () => program.url)
      await until('some are accepted', () => load.accepted.size >= 50)
      const filler = join(disk, 'filler')
      // Until nothing more goes in.
      Bun.spawnSync(['sh', '-c', `cat /dev/zero > ${filler} 2>/dev/null`])
      await until('it is told', () => (load.statuses.get(503) ?? 0) > 10)
      rmSync(filler)
      const before = load.accepted.size
      await until('more are accepted', () => load.accepted.size >= before + 50)
      await load.stop()
      expect([...load.statuses.keys()].filter(status => ![200, 503, 0].includes(status))).toEqual([])
      await settled(load.accepted)
      expect(program.log()).toContain('No space left on device')
      expect(await program.stop()).toBe(0)

      writeFileSync(filler, Buffer.alloc(1_000))
      Bun.spawnSync(['sh', '-c', `cat /dev/zero > ${filler} 2>/dev/null`])
      const full = await runProgram(['backup', join(disk, 'one.wxb')], {
        environment: environment('disk/data'),
      })
      expect(full.code).toBe(1)
      expect(full.err.trim().split('\n').at(-1)).toMatch(/No space left|ENOSPC/i)
      rmSync(filler)
    } finally {
      for (const program of programs.splice(0)) {
        program.kill('SIGKILL')
        await program.exited
      }
      await Bun.$`umount -l ${disk}`.quiet().nothrow()
    }
  },
  180_000,
)
