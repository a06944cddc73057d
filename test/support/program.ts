// Runs the compiled program as a user does: a real process with an environment of its own, which a test may kill in every way. The
// binary is built once for each state of the source and shared by all test files.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildBinary } from '../../scripts/build'
import { hostTarget } from '../../scripts/pack-postgres'
import { serverProcesses } from '../../src/platform/db/orphan'
import { makeSharedFolder } from './folders'
import type { NameServer, PublishedRecord } from './name-server'

const root = join(import.meta.dir, '../..')

export interface Account {
  uid: number
  gid: number
}

export interface ProgramOptions {
  /** Everything the program finds in its environment; no more than PATH is added. */
  environment?: Record<string, string>
  cwd?: string
  account?: Account
  binary?: string
}

export interface Program {
  pid: number
  /** Where it listens, by a loopback address; empty for a worker. */
  url: string
  /** From its start to the line that says it listens. */
  readyMs: number
  exited: Promise<number>
  /** What it has written on stderr until now. */
  log(): string
  kill(signal: NodeJS.Signals): void
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number>
}

export interface Finished {
  code: number
  out: string
  err: string
}

/** A new folder that all users may enter. */
export function makeFolder(): string {
  return makeSharedFolder('waxwing-program-')
}

/** Ends whatever a test left running in the folders `folder/*`, and removes it. */
export function removeFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    const cluster = join(folder, name, 'postgres/pgdata')
    for (const pid of existsSync(cluster) ? serverProcesses(cluster) : []) process.kill(pid, 'SIGKILL')
  }
  rmSync(folder, { recursive: true, force: true })
}

let built: Promise<string> | undefined

/** The path of the program built from the source as it is; the first of several processes builds, the others wait. */
export function builtProgram(): Promise<string> {
  built ??= findOrBuild()
  return built
}

async function findOrBuild(): Promise<string> {
  const folder = join(root, '.cache/programs', sourceHash())
  const path = join(folder, 'waxwing')
  for (let waited = 0; !existsSync(path); waited += 50) {
    if (waited > 120_000)
      throw new Error(`another process has not built ${path}; remove ${folder} and try again`)
    if (!claim(folder)) await Bun.sleep(50)
    else await build(folder, path)
  }
  return path
}

/** The claim of a process that died is taken over. */
function claim(folder: string): boolean {
  try {
    mkdirSync(join(root, '.cache/programs'), { recursive: true })
    mkdirSync(folder)
    return true
  } catch {
    const builder = existsSync(join(folder, 'builder'))
      ? Number(readFileSync(join(folder, 'builder'), 'utf8'))
      : undefined
    if (builder === undefined || existsSync(`/proc/${builder}`)) return false
    rmSync(folder, { recursive: true, force: true })
    return false
  }
}

async function build(folder: string, path: string): Promise<void> {
  await Bun.write(join(folder, 'builder'), String(process.pid))
  removeOldPrograms()
  const target = hostTarget()
  if (!target) throw new Error('there is no built-in PostgreSQL for this platform')
  // Bun writes the executable in place: it gets its name when it is whole.
  await buildBinary({ target, release: false, outfile: `${path}.partial` })
  renameSync(`${path}.partial`, path)
}

/** Those of the last minutes stay: another run may use them. */
function removeOldPrograms(): void {
  const parent = join(root, '.cache/programs')
  for (const name of readdirSync(parent))
    if (statSync(join(parent, name)).mtimeMs < Date.now() - 600_000)
      rmSync(join(parent, name), { recursive: true, force: true })
}

function sourceHash(): string {
  const hasher = new Bun.CryptoHasher('sha256')
  const files = ['src', 'drizzle', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name)),
  )
  for (const file of [...files.sort(), join(root, 'package.json'), join(root, 'bun.lock')])
    hasher.update(file).update(readFileSync(file))
  return hasher.digest('hex').slice(0, 16)
}

/** Runs one command to its end. */
export async function runProgram(args: string[], options: ProgramOptions = {}): Promise<Finished> {
  const child = await spawn(args, options)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** As a line of its own, or the message of one in JSON. */
const saysReady = /^(?:.*"msg":")?(?:listening on|working) /m

/** Starts `serve` and waits for the line that scripts wait for; rejects with what was written when it ends before. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const startedAt = performance.now()
  const child = await spawn([], options)
  let log = ''
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const reading = readAll(child.stderr, text => {
    log += text
    if (saysReady.test(log) && log.endsWith('\n')) resolve()
  })
  await Promise.race([ready, reading])
  const readyMs = performance.now() - startedAt
  if (!saysReady.test(log)) throw new Error(`exit ${await child.exited}: ${log}`)
  const port = /listening on http:\/\/[^\s"]+:(\d+)/.exec(log)?.[1]
  return {
    pid: child.pid,
    url: port ? `http://127.0.0.1:${port}` : '',
    readyMs,
    exited: child.exited,
    log: () => log,
    kill: name => child.kill(name),
    stop: () => {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

async function spawn(
  args: string[],
  options: ProgramOptions,
): Promise<Bun.Subprocess<'ignore', 'pipe', 'pipe'>> {
  return Bun.spawn([options.binary ?? (await builtProgram()), ...args], {
    cwd: options.cwd ?? '/',
    env: options.environment ?? {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...options.account,
  })
}

async function readAll(stream: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream) onText(decoder.decode(chunk, { stream: true }))
}

/** Process id of the built-in server in `dataDir`, as it says itself. */
export function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/pgdata/postmaster.pid'), 'utf8').split('\n')[0])
}

/** Every process that runs the server in `dataDir`. */
export function serversOf(dataDir: string): number[] {
  return serverProcesses(join(dataDir, 'postgres/pgdata'))
}

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port!
}

export interface Keys {
  projectId: string
  secretKey: string
  publicKey: string
  cookie: string
}

/** The first account of a new instance, and its project; the project has the sandbox domain `acme.example` in outbox mode. */
export async function makeProject(url: string): Promise<Keys> {
  const headers = { 'content-type': 'application/json' }
  const account = { email: 'ada@example.com', password: 'a long password' }
  const signUp = await post(`${url}/auth/signup`, account, headers)
  const cookie = signUp.headers.get('set-cookie')?.split(';')[0]
  if (!cookie) throw new Error(`sign-up: ${signUp.status} ${await signUp.text()}`)
  const made = await post(`${url}/users/@me/projects`, { name: 'Acme' }, { ...headers, cookie })
  const project = (await made.json()) as { id: string; secret: string; public: string }
  return { projectId: project.id, secretKey: project.secret, publicKey: project.public, cookie }
}

function post(url: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Adds a domain that is no sandbox, publishes its records and has it verified: what sending over a relay needs. */
export async function verifyDomain(url: string, keys: Keys, domain: string, dns: NameServer): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${keys.secretKey}` }
  const added = await post(`${url}/domains`, { domain, projectId: keys.projectId }, headers)
  const { id, records } = (await added.json()) as { id: string; records: PublishedRecord[] }
  dns.publish(records)
  const answer = await fetch(`${url}/domains/${id}/verify`, { headers })
  const text = await answer.text()
  if (!text.includes('"verified":true')) throw new Error(`${domain}: ${answer.status} ${text}`)
}

/** POST /v1/send with a time limit, over a connection of its own: instances come and go. */
export function sendMail(
  url: string,
  keys: Keys,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/v1/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${keys.secretKey}`, ...headers },
    body: JSON.stringify(body),
    keepalive: false,
    signal: AbortSignal.timeout(20_000),
  })
}
