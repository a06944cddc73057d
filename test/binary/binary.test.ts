// The one file as a new user meets it: built by its command, started in an empty folder with an empty environment, as root and as
// somebody unknown. The figures of its start and of its memory are printed, and bounded.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import PostalMime from 'postal-mime'
import {
  type Account,
  freePort,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  runProgram,
  sendMail,
  serverPid,
  serversOf,
  startProgram,
} from '../support/program'
import { until } from '../support/until'

const root = join(import.meta.dir, '../..')
const isRoot = process.getuid?.() === 0
let folder = ''
let binary = ''

beforeAll(async () => {
  folder = makeFolder()
  const build = Bun.spawnSync([process.execPath, 'run', 'build'], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  if (build.exitCode !== 0) throw new Error(build.stderr.toString())
  mkdirSync(join(folder, 'bin'))
  binary = join(folder, 'bin/waxwing')
  copyFileSync(join(root, 'dist/waxwing'), binary)
  chmodSync(binary, 0o755)
})

afterAll(() => removeFolder(folder))

/** An empty folder that belongs to `account`. */
function emptyFolder(name: string, account?: Account): string {
  const path = join(folder, name)
  mkdirSync(path)
  if (account) Bun.spawnSync(['chown', `${account.uid}:${account.gid}`, path])
  return path
}

function dataIn(cwd: string): string {
  return join(cwd, 'data')
}

/** PORT=0 is the only thing given: tests run beside each other. */
function start(cwd: string, account?: Account, more: Record<string, string> = {}): Promise<Program> {
  return startProgram({ cwd, binary, account, environment: { PORT: '0', ...more } })
}

/** The messages of the outbox, once there are as many. */
async function outbox(cwd: string, count: number): Promise<Buffer[]> {
  const path = join(dataIn(cwd), 'outbox')
  const files = () => (existsSync(path) ? readdirSync(path).filter(name => name.endsWith('.eml')) : [])
  await until(`${count} messages in the outbox`, () => files().length >= count)
  return files().map(name => readFileSync(join(path, name)))
}

/** What an independent verifier says, asked with the records that the API tells to publish. */
async function dkimResult(program: Program, keys: Keys, message: Buffer): Promise<string | undefined> {
  const answer = await fetch(`${program.url}/domains/project/${keys.projectId}`, {
    headers: { authorization: `Bearer ${keys.secretKey}` },
  })
  const text = await answer.text()
  const record = JSON.parse(text)
    .flatMap((domain: { records: object[] }) => domain.records)
    .find((entry: { value: string }) => entry.value.includes('v=DKIM1'))
  const { results } = await dkimVerify(message, {
    resolver: async (name: string) => (name === record.name ? [[record.value]] : []),
  })
  return results[0]?.status.result
}

const accounts: [string, Account | undefined][] = isRoot
  ? [
      ['root', undefined],
      ['a user id that nobody knows', { uid: 12_345, gid: 12_345 }],
    ]
  : [['this user', undefined]]

describe.each(accounts)('started by %s', (name, account) => {
  test('it sends the first mail, stops without a trace, and finds everything again', async () => {
    const cwd = emptyFolder(name.replaceAll(' ', '-'), account)
    const first = await start(cwd, account)
    expect(first.log()).toContain('/auth/signup')
    const keys = await makeProject(first.url)
    const body = {
      from: { email: 'hello@acme.example', name: 'Acme' },
      to: 'ada@example.com',
      subject: 'Grüße {{name}}',
      body: '<p>It works, {{name}}.</p>',
      data: { name: 'Ada' },
    }
    expect((await sendMail(first.url, keys, body)).status).toBe(200)
    const [raw] = await outbox(cwd, 1)
    const mail = await PostalMime.parse(raw!)
    expect(mail).toMatchObject({
      subject: 'Grüße Ada',
      from: { address: 'hello@acme.example', name: 'Acme' },
    })
    expect(mail.text).toContain('It works, Ada.')
    expect(await dkimResult(first, keys, raw!)).toBe('pass')

    const server = serverPid(dataIn(cwd))
    expect(await first.stop()).toBe(0)
    expect(serversOf(dataIn(cwd))).toEqual([])
    expect(existsSync(`/proc/${server}`)).toBe(false)

    const second = await start(cwd, account)
    expect(second.log()).not.toContain('/auth/signup')
    const answer = await fetch(`${second.url}/emails`, {
      headers: { authorization: `Bearer ${keys.secretKey}` },
    })
    const text = await answer.text()
    expect(text).toContain('Grüße Ada')
    expect(text).toContain('DELIVERED')
    expect((await sendMail(second.url, keys, body)).status).toBe(200)
    expect(await outbox(cwd, 2)).toHaveLength(2)
    expect(await second.stop()).toBe(0)
  })
})

test('the commands that it prints, and those of the README, lead to a first mail', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const ofReadme = /^## The first mail$[\s\S]*?```bash\n([\s\S]*?)```/m.exec(readme)![1]!
  for (const [name, commandsFor] of [
    [
      'printed',
      (program: Program) => [...program.log().matchAll(/^ {2}(.*)$/gm)].map(match => match[1]).join('\n'),
    ],
    ['readme', (program: Program) => ofReadme.replaceAll('localhost:3000', new URL(program.url).host)],
  ] as const) {
    const cwd = emptyFolder(name)
    const program = await start(cwd)
    await until('everything is printed', () => program.log().includes('outbox\n'))
    const shell = Bun.spawn(['sh', '-ec', commandsFor(program)], { cwd, stdout: 'pipe', stderr: 'pipe' })
    expect(await new Response(shell.stderr).text()).toBe('')
    expect(await shell.exited).toBe(0)
    const mail = await PostalMime.parse((await outbox(cwd, 1))[0]!)
    expect(mail).toMatchObject({ subject: 'Hello Ada', to: [{ address: 'ada@example.com' }] })
    expect(await program.stop()).toBe(0)
  }
})

test('a second instance on the same DATA_DIR is refused and told who holds it', async () => {
  const cwd = emptyFolder('second')
  const program = await start(cwd)
  const { code, err } = await runProgram([], { cwd, binary, environment: { PORT: '0' } })
  expect(code).toBe(1)
  expect(err).toEndWith(
    `waxwing: data directory ${dataIn(cwd)}/postgres is in use by another process (pid ${program.pid})\n`,
  )
  expect((await fetch(`${program.url}/health`)).status).toBe(200)
  expect(await program.stop()).toBe(0)
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s lets a request in flight finish; the second one exits at once',
  async signal => {
    const cwd = emptyFolder(`stop-${signal}`)
    const program = await start(cwd)
    // A request whose body does not end keeps the first signal waiting.
    const socket = connect(Number(new URL(program.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      'POST /auth/signup HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
    )
    await until('the request is under way', () => socket.bytesWritten > 0 && socket.pending === false)
    await fetch(`${program.url}/health`)
    program.kill(signal)
    await until('it says that it stops', () => program.log().includes('stopping'))
    expect(await Promise.race([program.exited, Bun.sleep(300).then(() => 'waits')])).toBe('waits')
    const asked = performance.now()
    program.kill(signal)
    expect(await program.exited).toBe(130)
    expect(performance.now() - asked).toBeLessThan(1_000)
    await until('its database has ended too', () => serversOf(dataIn(cwd)).length === 0)
    socket.destroy()
  },
)

test.each(['SIGTERM', 'SIGINT'] as const)('%s in the middle of a start ends it cleanly', async signal => {
  const cwd = emptyFolder(`early-${signal}`)
  const child = Bun.spawn([binary], { cwd, env: { PORT: '0' }, stdout: 'ignore', stderr: 'pipe' })
  // Its database is being made: signals are heard from here on.
  await until('it has begun', () => existsSync(join(dataIn(cwd), 'postgres/lock')))
  child.kill(signal)
  expect(await new Response(child.stderr).text()).not.toContain('error')
  expect(await child.exited).toBe(0)
  expect(serversOf(dataIn(cwd))).toEqual([])
})

test('a service reads transports and the level of its log again on SIGHUP, and goes on', async () => {
  const cwd = emptyFolder('reload')
  const file = join(cwd, 'transports.json')
  const list = (...names: string[]): string =>
    JSON.stringify(names.map(name => ({ name, smtp: `smtp://${name}.example:25` })))
  writeFileSync(file, list('first'))
  writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=info\n')
  const program = await start(cwd, undefined, { TRANSPORTS_FILE: file })
  expect(program.log()).toContain('mail leaves through: first')
  writeFileSync(file, list('second', 'third'))
  program.kill('SIGHUP')
  await until('it has read the list again', () => /third.*settings reloaded/.test(program.log()))
  const metrics = await (await fetch(`${program.url}/metrics`)).text()
  const shown = [...metrics.matchAll(/^waxwing_transport_working\{transport="(\w+)"\}/gm)].map(
    ([, name]) => name,
  )
  expect(shown).toEqual(['second', 'third'])
  writeFileSync(file, '[]')
  program.kill('SIGHUP')
  await until('it says what is wrong', () => program.log().includes('it must list 1 to 16 transports'))
  writeFileSync(file, list('second', 'third'))
  writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=error\n')
  program.kill('SIGHUP')
  const answered = (): number => [...program.log().matchAll(/\/health/g)].length
  await until('requests are no longer logged', async () => {
    const before = answered()
    await fetch(`${program.url}/health`)
    return answered() === before
  })
  expect(await program.stop()).toBe(0)
})

test('wrong settings end it with a code that tells a service manager not to try again', async () => {
  const cwd = emptyFolder('wrong')
  const { code, err } = await runProgram([], { cwd, binary, environment: { PORT: '0', SMTP_URL: 'relay' } })
  expect(code).toBe(78)
  expect(err).toStartWith('configuration:\n  - SMTP_URL is ***')
})

test('an idle connection does not hold up the end', async () => {
  const cwd = emptyFolder('idle')
  const program = await start(cwd)
  const socket = connect(Number(new URL(program.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await new Promise(resolve => socket.once('data', resolve))
  const asked = performance.now()
  expect(await program.stop()).toBe(0)
  expect(performance.now() - asked).toBeLessThan(2_000)
  socket.destroy()
})

interface Figures {
  /** From the start of the process to its first answer. */
  answerMs: number
  /** Of the program until then; unlike the time on the wall it hardly depends on what else the machine does. */
  cpuMs: number
  /** Resident when nothing happens, without the database server. */
  megabytes: number
}

async function measure(cwd: string): Promise<Figures> {
  const port = await freePort()
  const startedAt = performance.now()
  const starting = startProgram({ cwd, binary, environment: { PORT: String(port), LOG_LEVEL: 'warn' } })
  await until('the first answer', () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      answer => answer.ok,
      () => false,
    ),
  )
  const answerMs = Math.round(performance.now() - startedAt)
  const program = await starting
  const cpuMs = cpuTime(program.pid)
  await nothingHappens(program.pid)
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8')
  const megabytes = Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024)
  expect(await program.stop()).toBe(0)
  return { answerMs, cpuMs, megabytes }
}

/** Milliseconds in user and system mode; the kernel counts in hundredths of a second. */
function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Until it has used no processor for longer than the collector looks away: a busy machine makes this later, not less. */
async function nothingHappens(pid: number): Promise<void> {
  let used = -1
  let since = 0
  await until('the program does nothing', () => {
    const now = cpuTime(pid)
    if (now !== used) since = performance.now()
    used = now
    return performance.now() - since > 1_500
  })
}

test.skipIf(process.platform !== 'linux')('it starts within moments and stays small', async () => {
  const cwd = emptyFolder('measured')
  const first = await measure(cwd)
  const runs = [await measure(cwd), await measure(cwd)]
  const warm = runs[0]!.answerMs < runs[1]!.answerMs ? runs[0]! : runs[1]!
  const words = ({ answerMs, cpuMs }: Figures) => `${answerMs} ms (${cpuMs} ms of work)`
  console.log(`first start ${words(first)}, warm ${words(warm)}, idle memory ${warm.megabytes} MB`)
  // On a quiet machine the first answer comes within 2 s, and within 0.3 s later on.
  expect(first.cpuMs).toBeLessThan(2_000)
  expect(warm.cpuMs).toBeLessThan(600)
  expect(Math.max(first.megabytes, ...runs.map(run => run.megabytes))).toBeLessThan(110)
})
