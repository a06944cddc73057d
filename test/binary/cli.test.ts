// The command line as real processes: what each command prints, which code it ends with, and what it leaves behind.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { commands, findCommand, helpOf } from '../../src/cli/commands'
import { refuseOldServer } from '../../src/platform/db/client'
import { migrationHash } from '../../src/platform/db/migration/parse'
import { migrations } from '../../src/platform/db/migrations'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { startNameServer } from '../support/name-server'
import {
  builtProgram,
  type Finished,
  freePort,
  makeFolder,
  makeProject,
  type Program,
  type ProgramOptions,
  removeFolder,
  runProgram,
  serversOf,
  startProgram,
  verifyDomain,
} from '../support/program'
import { startSes } from '../support/ses'
import { startSink } from '../support/sink'
import { until } from '../support/until'

let folder = ''
let external: TestDatabase
const programs: Program[] = []

beforeAll(async () => {
  folder = makeFolder()
  external = await cloneDatabase()
  await builtProgram()
})

afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL')
})

afterAll(async () => {
  removeFolder(folder)
  await external.drop()
})

/** The environment of an instance on a folder of its own. */
function own(name: string, more: Record<string, string> = {}): ProgramOptions & { dataDir: string } {
  const dataDir = join(folder, name)
  return { dataDir, environment: { DATA_DIR: dataDir, PORT: '0', ...more } }
}

async function start(options: ProgramOptions): Promise<Program> {
  const program = await startProgram(options)
  programs.push(program)
  return program
}

describe('the command line', () => {
  test.each([
    [['frobnicate'], 'unknown command: frobnicate'],
    [['--port=80'], 'unknown command: --port=80'],
    [['serve', '--port'], 'unexpected argument: --port'],
    [['migrate', 'twice'], 'unexpected argument: twice'],
    [['help', 'me'], 'unknown command: me'],
    [['backup'], 'FILE is missing'],
    [['backup', 'one', 'two'], 'unexpected argument: two'],
    [['restore', 'one', '--force'], "Unknown option '--force'"],
    [['resume', 'now'], 'unexpected argument: now'],
    [['contact'], 'erase is missing'],
    [['contact', 'erase', 'ada@example.com'], 'use --yes to do it without being asked'],
    [['import'], 'the source is missing'],
    [['import', 'excel', 'people.xlsx'], 'unknown source: excel'],
    [['import', 'csv', '--yes'], 'SOURCE is missing'],
    [['import', 'csv', 'people.csv'], 'use --dry-run to see what would happen, or --yes to do it'],
    [
      ['import', 'csv', 'people.csv', '--yes', '--map', 'name'],
      '--map must be "heading=field", and not "name"',
    ],
  ])('%j is refused with the usage on stderr and code 2', async (args, problem) => {
    const { code, out, err } = await runProgram(args, own('never'))
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toStartWith(`${problem}\n\nusage: waxwing`)
    if (findCommand(args[0]!)) {
      expect(err.split('\n')[2]).toStartWith(`usage: waxwing ${args[0]}`)
      expect(err).toContain(`"waxwing ${args[0]} --help"`)
      expect(err).not.toContain('doctor')
    } else {
      expect(err).toContain('doctor')
      expect(err).toContain('"waxwing COMMAND --help"')
    }
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  test.each([['version'], ['--version'], ['-v']])('%s prints the version and the build', async name => {
    const { code, out, err } = await runProgram([name])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^\d+\.\d+\.\d+ \([0-9a-f]{7,}, \d{4}-\d\d-\d\d(, changed)?\)\n$/)
    expect(out).toStartWith(`${version} `)
  })

  test.each([['help'], ['--help'], ['-h']])('%s prints commands and settings', async name => {
    const { code, out, err } = await runProgram([name], { environment: { PORT: 'broken' } })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const word of ['usage: waxwing', 'migrate', 'DATABASE_URL', 'SMTP_URL']) expect(out).toContain(word)
  })
})

test('--help of a command tells what it takes, whatever stands beside it, and touches nothing', async () => {
  const options = own('never', { PORT: 'broken' })
  const { code, out, err } = await runProgram(['backup', '--with-secrets', '--help'], options)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toStartWith('usage: waxwing backup FILE')
  expect(out).toContain('--with-secrets')
  expect((await runProgram(['help', 'backup'], options)).out).toBe(out)
  expect((await runProgram(['serve', '-h'], options)).out).toStartWith('usage: waxwing serve\n')
  expect(existsSync(join(folder, 'never'))).toBe(false)
})

test.each(commands.map(({ name }) => name))('%s --help is what it takes, as a process', async name => {
  const asked = await runProgram([name, '--help'], own('never', { PORT: 'broken' }))
  expect(asked).toEqual({ code: 0, out: `${helpOf(findCommand(name)!)}\n`, err: '' })
  expect(existsSync(join(folder, 'never'))).toBe(false)
})

/** What a clone lacks (packages, made files) is made before the command runs, and told on stderr. */
describe('from a clone', () => {
  const fromClone = (...args: string[]): Promise<Finished> =>
    runProgram(['run', 'waxwing', ...args], {
      ...own('never', { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? folder }),
      binary: process.execPath,
      cwd: join(import.meta.dir, '../..'),
    })

  test('"bun run waxwing COMMAND" runs a command, with its arguments', async () => {
    expect(await fromClone('version')).toMatchObject({
      code: 0,
      out: `${version} (run from source)\n`,
    })
    const sendHelp = `${helpOf(findCommand('send')!)}\n`
    expect(await fromClone('send', '--help')).toMatchObject({ code: 0, out: sendHelp })
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  test('and ends as it does: a mistake is code 2 and the usage of the command', async () => {
    const { code, out, err } = await fromClone('backup', 'one', 'two')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('\nunexpected argument: two\n\nusage: waxwing backup FILE')
  })
})

test('doctor goes by the settings of the running instance, not by those of its shell', async () => {
  const dns = await silentNameServer({ answers: true })
  const sink = startSink()
  const given = { DNS_SERVERS: dns.address, SMTP_URL: sink.url, BASE_URL: 'https://mail.example.org' }
  const options = own('settings', given)
  const program = await start(options)
  const bare = await runProgram(['doctor'], own('settings'))
  expect(bare.out).toContain(`ok    configuration: that of the running instance (pid ${program.pid})\n`)
  expect(bare.out).toContain('mail transport (smtp)')
  expect(bare.out).toContain('public address: https://mail.example.org')
  expect(bare.out).toContain('ok    domains: no project has any yet\n')
  const other = await runProgram(
    ['doctor'],
    own('settings', { ...given, BASE_URL: 'https://other.example.org' }),
  )
  expect(other.out).toMatch(/^warn {2}configuration: .*another BASE_URL, which does not count$/m)
  expect(other.out).toContain('public address: https://mail.example.org')
  expect(statSync(join(options.dataDir, 'control')).mode & 0o777).toBe(0o600)
  expect(await program.stop()).toBe(0)
  expect(existsSync(join(options.dataDir, 'control'))).toBe(false)
  const after = await runProgram(['doctor'], options)
  expect(after.out).toContain(`it is this shell's, because no instance answers in ${options.dataDir}`)
  sink.stop()
  dns.stop()
})

describe('bad configuration', () => {
  test.each([['serve'], ['migrate'], ['doctor'], ['health']])(
    '%s names every fault and touches nothing',
    async command => {
      const faults = {
        PORT: 'eighty',
        ROLE: 'web',
        SMTP_URL: 'smtp://u:hidden-word@x?pool=0',
        S3_BUCKET: 'images',
      }
      const { code, out, err } = await runProgram([command], own('never', faults))
      expect({ code, out }).toEqual({ code: 78, out: '' })
      expect(err.split('\n')).toEqual([
        'configuration:',
        '  - PORT is "eighty", but it must be a whole number from 0 to 65535',
        '  - ROLE is "web", but it must be all, api or worker',
        '  - SMTP_URL is ***, but it must be an smtp:// or smtps:// address (pool must be a whole number from 1 to 500)',
        '  - S3_BUCKET is set, which needs S3_ACCESS_KEY_ID',
        '  - S3_BUCKET is set, which needs S3_SECRET_ACCESS_KEY',
        '',
      ])
      expect(existsSync(join(folder, 'never'))).toBe(false)
    },
  )

  test('a .env file in the working directory is read', async () => {
    const cwd = join(folder, 'dotenv')
    mkdirSync(cwd)
    writeFileSync(join(cwd, '.env'), 'PORT=from-the-file\n')
    expect((await runProgram(['migrate'], { cwd })).err).toContain('PORT is "from-the-file"')
  })
})

describe('migrate', () => {
  test('makes a new database, and a second run changes nothing', async () => {
    const options = own('migrate')
    const first = await runProgram(['migrate'], options)
    expect(first.code).toBe(0)
    expect(first.out).toStartWith('applied 0000_')
    const second = await runProgram(['migrate'], options)
    expect({ code: second.code, out: second.out }).toEqual({ code: 0, out: 'the database is up to date\n' })
    expect(serversOf(options.dataDir)).toEqual([])
  })

  test('works on an external database', async () => {
    const database = await cloneDatabase({ empty: true })
    const options = own('external', { DATABASE_URL: database.url })
    expect((await runProgram(['migrate'], options)).out).toStartWith('applied 0000_')
    expect((await runProgram(['migrate'], options)).out).toBe('the database is up to date\n')
    expect(existsSync(options.dataDir)).toBe(false)
    await database.drop()
  })

  test('--plan says what it would do, and does nothing', async () => {
    const never = own('never-planned')
    expect((await runProgram(['migrate', '--plan'], never)).out).toContain('there is no database yet')
    expect(existsSync(never.dataDir)).toBe(false)
    const database = await cloneDatabase({ max: 1 })
    const options = own('planned', { DATABASE_URL: database.url })
    expect((await runProgram(['migrate', '--plan'], options)).out).toBe('the database is up to date\n')
    await database.sql`delete from schema_migrations`
    const { code, out } = await runProgram(['migrate', '--plan'], options)
    expect({ code, lines: out.split('\n').slice(0, 3) }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(
          /^0000_initial: \d+ statements in one transaction, which keeps its locks to its end$/,
        ),
        '  1. create extension if not exists pg_trgm',
        '     nobody waits: what it works on is new',
      ],
    })
    expect(out).toContain('programs before 0.1.0 are refused from here on')
    expect([...(await database.sql`select from schema_migrations`)]).toEqual([])
    // All but the last, which only adds.
    for (const { tag, sql } of migrations.slice(0, -1))
      await database.sql`insert into schema_migrations (tag, hash, applied_at) values (${tag}, ${migrationHash(sql)}, now())`
    const { out: last } = await runProgram(['migrate', '--plan'], options)
    expect(last).toContain('It only adds: the previous version keeps working')
    await database.sql`alter table schema_migrations drop column minimum_release`
    const old = await runProgram(['migrate', '--plan'], options)
    expect(old.out).toContain("the previous version is too old to accept this and won't start afterwards")
    await database.drop()
  })
})

test('with LOG_FORMAT=json every line is JSON, the first one and the last one too', async () => {
  const program = await startProgram(own('json', { LOG_FORMAT: 'json' }))
  programs.push(program)
  expect(await program.stop()).toBe(0)
  const lines = program
    .log()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { msg: string; setup?: string })
  expect(lines.find(({ msg }) => msg.startsWith('listening on http://'))?.setup).toContain(
    'There is no account yet',
  )
  const { code, err } = await runProgram([], own('json-wrong', { LOG_FORMAT: 'json', SMTP_URL: 'relay' }))
  expect(code).toBe(78)
  expect(JSON.parse(err)).toMatchObject({
    level: 'fatal',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    msg: expect.stringContaining('SMTP_URL'),
  })
})

describe('doctor', () => {
  test('makes nothing before the first start, and finds everything in order beside a running instance', async () => {
    const dns = await silentNameServer({ answers: true })
    const options = own('doctor', { DNS_SERVERS: dns.address })
    const before = await runProgram(['doctor'], options)
    const abouts = (text: string) =>
      text
        .split('\n')
        .filter(line => /^\S/.test(line))
        .map(line => line.split(': ')[0])
    expect(abouts(before.out)).toEqual([
      'ok    version',
      'ok    configuration',
      'FAIL  data directory',
      'ok    DNS resolver',
      'ok    public address',
      'ok    mail transport (outbox)',
      'FAIL  database',
    ])
    expect(before.out).toContain('FAIL  data directory: there is no folder')
    expect(before.out).toContain('FAIL  database: there is no database in')
    expect(before.code).toBe(1)
    expect(existsSync(options.dataDir)).toBe(false)

    const program = await start(options)
    const beside = await runProgram(['doctor'], options)
    expect(beside.out).toMatch(
      new RegExp(
        `^ok    database: PostgreSQL 18\\S* of the running instance \\(pid ${program.pid}\\), up to date$`,
        'm',
      ),
    )
    expect(beside.code).toBe(0)
    expect(abouts(beside.out).slice(8)).toEqual([
      'ok    clock',
      'ok    secrets',
      'ok    sending',
      'ok    queue',
      'ok    domains',
    ])
    expect((await fetch(`${program.url}/health`)).status).toBe(200)
    expect(await program.stop()).toBe(0)
    dns.stop()
  })

  test('names each part that fails, goes on with the others, and ends with code 1', async () => {
    const dns = await silentNameServer({ answers: false })
    const sink = startSink()
    sink.stop()
    mkdirSync(join(folder, 'ill'))
    const { code, out, err } = await runProgram(
      ['doctor'],
      own('ill', {
        DNS_SERVERS: dns.address,
        SMTP_URL: sink.url,
        DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/x',
      }),
    )
    dns.stop()
    expect(code).toBe(1)
    expect(out).toMatch(/^ok {4}data directory: /m)
    expect(out).toMatch(/^FAIL {2}database: the database at 127\.0\.0\.1:1: .*ECONNREFUSED/m)
    expect(out).toMatch(/^FAIL {2}DNS resolver: no answer: /m)
    expect(out).toMatch(/^FAIL {2}mail transport \(smtp\): 127\.0\.0\.1:\d+: connect: .*/m)
    expect(out + err).not.toContain('hidden-word')
  })

  test('reaches a relay that takes mail', async () => {
    const sink = startSink()
    const { out } = await runProgram(
      ['doctor'],
      own('relay', { DNS_SERVERS: '127.0.0.1:1', SMTP_URL: sink.url, DATABASE_URL: external.url }),
    )
    sink.stop()
    expect(out).toMatch(/^ok {4}mail transport \(smtp\): smtp: 127\.0\.0\.1:\d+, no TLS, no sign-in$/m)
    expect(out).toMatch(/^ok {4}database: PostgreSQL [^,]+, up to date$/m)
    expect(sink.received).toEqual([])
  })

  test('and the start say that links in mails lead nowhere for those who get them', async () => {
    const options = own('dead-links', {
      DNS_SERVERS: '127.0.0.1:1',
      DATABASE_URL: external.url,
      SMTP_URL: 'smtp://relay.invalid:2525',
    })
    const program = await start(options)
    await until('the lines of the start', () => program.log().includes('mail leaves through'))
    expect(program.log()).toMatch(
      /^WARNING: links in mails .* lead to http:\/\/localhost:\d+, .* set BASE_URL to/m,
    )
    await program.stop()
    const { out } = await runProgram(['doctor'], options)
    expect(out).toMatch(
      /^warn {2}public address: links in mails .* lead to http:\/\/localhost:.* set BASE_URL to/m,
    )
  })

  test('asks Amazon SES with the client that is inside the program', async () => {
    const ses = startSes()
    const { out } = await runProgram(
      ['doctor'],
      own('ses', {
        DNS_SERVERS: '127.0.0.1:1',
        DATABASE_URL: external.url,
        AWS_SES_REGION: 'eu-central-1',
        AWS_SES_ENDPOINT: ses.url,
        AWS_SES_ACCESS_KEY_ID: 'AKIATEST',
        AWS_SES_SECRET_ACCESS_KEY: 'hidden-word',
        SES_CONFIGURATION_SET: 'reports',
      }),
    )
    ses.stop()
    expect(out).toContain(
      [
        'ok    mail transport (ses): ses: eu-central-1',
        '      quota: 14 messages a second, 120 of 50000 in 24 hours',
        '      production access',
        '      configuration set: reports',
        '',
      ].join('\n'),
    )
    expect(ses.asked).toEqual(['GET /v2/email/account', 'GET /v2/email/configuration-sets/reports'])
  })

  test('tells of a folder that cannot be written', async () => {
    const options = own('file/inside')
    writeFileSync(join(folder, 'file'), '')
    const { code, out } = await runProgram(['doctor'], {
      environment: { ...options.environment, DATABASE_URL: external.url },
    })
    expect(code).toBe(1)
    expect(out).toMatch(/^FAIL {2}data directory: /m)
  })
})

/** A name server that answers every question with "no such name", or never. */
async function silentNameServer({
  answers,
}: {
  answers: boolean
}): Promise<{ address: string; stop(): void }> {
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(from, question, port, address) {
        if (!answers) return
        const reply = Buffer.from(question)
        reply.writeUInt16BE(0x8183, 2)
        from.send(reply, port, address)
      },
    },
  })
  return { address: `127.0.0.1:${socket.port}`, stop: () => socket.close() }
}

describe('doctor on sender domains', () => {
  test('shows the exact records that are missing, and fails when the proof of a verified one is gone', async () => {
    const dns = await startNameServer()
    const sink = startSink()
    const options = own('doctor-domains', { DNS_SERVERS: dns.address, SMTP_URL: sink.url })
    const program = await start(options)
    const keys = await makeProject(program.url)
    await verifyDomain(program.url, keys, 'acme-mail.com', dns)
    const records = dns.published.splice(0)
    const key = records.find(record => record.value.startsWith('v=DKIM1'))!
    const gone = await runProgram(['doctor'], options)
    expect(gone.code).toBe(1)
    expect(gone.out).toMatch(/^FAIL {2}domain acme-mail\.com: its proof is gone/m)
    // Strings of 255 characters at most, which receivers join.
    const pasted = /^ +wx1\._domainkey\.acme-mail\.com\. IN TXT (.*)$/m.exec(gone.out)![1]!
    const strings = [...pasted.matchAll(/"([^"]*)"/g)].map(match => match[1]!)
    expect(strings.join('')).toBe(key.value)
    expect(strings.every(string => string.length <= 255)).toBe(true)
    expect(gone.out).toContain('      _dmarc.acme-mail.com. IN TXT "v=DMARC1; p=none"')

    dns.publish([key])
    const advised = await runProgram(['doctor'], options)
    expect(advised.code).toBe(0)
    expect(advised.out).toMatch(/^warn {2}domain acme-mail\.com: verified; publish these too/m)
    dns.publish(records)
    expect((await runProgram(['doctor'], options)).out).toContain(
      'ok    domain acme-mail.com: verified, all records are there',
    )
    expect(await program.stop()).toBe(0)
    dns.stop()
    sink.stop()
  })
})

describe('send', () => {
  test('hands one mail over, signed where the domain is verified, and shows the answer', async () => {
    const dns = await startNameServer()
    const sink = startSink()
    const options = own('send', { DNS_SERVERS: dns.address, SMTP_URL: sink.url })
    const unsigned = await runProgram(
      ['send', '--to', 'ada@example.com', '--from', 'me@acme-mail.com'],
      options,
    )
    expect(unsigned).toMatchObject({ code: 0, err: '' })
    expect(unsigned.out).toContain('through smtp, not signed: no project has verified')
    expect(unsigned.out).toEndWith('accepted (final): 250 2.0.0 taken\n')
    expect(existsSync(join(options.dataDir, 'postgres'))).toBe(false)

    const program = await start(options)
    await verifyDomain(program.url, await makeProject(program.url), 'acme-mail.com', dns)
    const signed = await runProgram(
      ['send', '--to', 'ada@example.com', '--from', 'me@acme-mail.com'],
      options,
    )
    expect(signed.out).toContain('signed for acme-mail.com')
    expect(sink.received.map(({ to }) => to)).toEqual(['ada@example.com', 'ada@example.com'])
    expect(await program.stop()).toBe(0)
    sink.stop()
    const refused = await runProgram(['send', '--to', 'ada@example.com', '--from', 'me@acme-mail.com'], {
      environment: { ...options.environment, SMTP_URL: sink.url },
    })
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/^deferred \(connect\): /m)
    dns.stop()
  })

  test.each([
    [[], '--to ADDRESS is missing'],
    [['--to', 'nobody'], '--to must be an email address'],
    [
      ['--to', 'ada@example.com'],
      '--from ADDRESS is missing: no-reply@localhost, the sender of platform mails, is not an address',
    ],
    [['--to', 'a@example.com\r\nBcc: b@example.com'], '--to must be one email address'],
    [['--to', 'a@example.com', '--cc', 'b@example.com'], "Unknown option '--cc'"],
  ])('%j is refused', async (args, problem) => {
    const { code, err } = await runProgram(['send', ...args], own('never'))
    expect(code).toBe(2)
    expect(err).toStartWith(problem)
  })
})

describe('health', () => {
  test('asks the instance on this machine', async () => {
    const options = own('health')
    const program = await start(options)
    const port = new URL(program.url).port
    const well = await runProgram(['health'], { environment: { PORT: port } })
    expect(well.code).toBe(0)
    expect(well.out).toStartWith('200 {"status":"ok"')
    expect(await program.stop()).toBe(0)
    const gone = await runProgram(['health'], { environment: { PORT: port } })
    expect(gone).toEqual({ code: 1, out: `nothing answers at http://127.0.0.1:${port}/health\n`, err: '' })
  })
})

describe('a start is refused in words, with code 1, when', () => {
  async function refusal(options: ProgramOptions): Promise<string> {
    const { code, err } = await runProgram(['serve'], options)
    expect(code).toBe(1)
    expect(err).not.toContain('    at ')
    return err.trim().split('\n').at(-1)!
  }

  test('a newer version has changed the database', async () => {
    const database = await cloneDatabase()
    await database.sql`insert into schema_migrations values ('9999_future', 'x', now(), '99.0.0')`
    for (const command of ['serve', 'migrate']) {
      const { code, err } = await runProgram([command], own('newer', { DATABASE_URL: database.url }))
      expect(code).toBe(1)
      expect(err).toContain(
        'was changed by a newer version of Waxwing and needs 99.0.0 or later (migration 9999_future)',
      )
    }
    await database.drop()
  })

  test('the server is older than PostgreSQL 15', () => {
    expect(() => refuseOldServer(140_011)).toThrow('PostgreSQL 14 is too old; Waxwing needs 15 or newer')
    expect(() => refuseOldServer(90_624)).toThrow('PostgreSQL 9 is too old')
    expect(() => refuseOldServer(150_000)).not.toThrow()
    expect(() => refuseOldServer(180_004)).not.toThrow()
  })

  test('the database was written with other secrets', async () => {
    const database = await cloneDatabase()
    const secrets = { JWT_SECRET: 'the first secret of all', ENCRYPTION_KEY: 'the first key of all' }
    const environment = { DATABASE_URL: database.url, ...secrets }
    expect(await (await start(own('secrets', environment))).stop()).toBe(0)
    expect(await refusal(own('secrets', { ...environment, JWT_SECRET: 'quite another secret' }))).toStartWith(
      'waxwing: this database was written with another JWT_SECRET; start with the value',
    )
    const both = await refusal(own('other-folder', { DATABASE_URL: database.url }))
    expect(both).toContain('another JWT_SECRET and another ENCRYPTION_KEY')
    await database.drop()
  })

  test('the port is in use, and no database is left running', async () => {
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const options = own('port', { HOST: '127.0.0.1', PORT: String(other.port) })
    expect(await refusal(options)).toBe(
      `waxwing: port ${other.port} is in use by another program: end that one, or choose another PORT`,
    )
    await other.stop(true)
    expect(existsSync(options.dataDir)).toBe(false)
  })

  test('DATA_DIR cannot be written', async () => {
    writeFileSync(join(folder, 'no-folder'), '')
    expect(await refusal(own('no-folder/data'))).toBe(
      `waxwing: ${folder}/no-folder/data/postgres cannot be made (ENOTDIR): set DATA_DIR to a folder that this user may write to`,
    )
  })

  test('the external database does not answer', async () => {
    const line = await refusal(own('away', { DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/x' }))
    expect(line).toStartWith('waxwing: the database at 127.0.0.1:1: ')
    expect(line).not.toContain('hidden-word')
  })

  test('a request that came too early does not keep a failed start from ending', async () => {
    const port = await freePort()
    const server = await silentDatabase()
    const ending = runProgram(['serve'], own('early', { PORT: String(port), DATABASE_URL: server.url }))
    await server.asked
    const early = fetch(`http://127.0.0.1:${port}/health`).then(
      () => 'answered',
      () => 'cut off',
    )
    await Bun.sleep(50)
    server.refuse()
    expect((await ending).code).toBe(1)
    expect(await early).toBe('cut off')
  })
})

/** A database server that takes connections and says nothing until it refuses. */
async function silentDatabase(): Promise<{ url: string; asked: Promise<void>; refuse(): void }> {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data: () => resolve(),
    },
  })
  return {
    url: `postgres://x@127.0.0.1:${server.port}/x`,
    asked,
    refuse() {
      server.stop(true)
    },
  }
}
