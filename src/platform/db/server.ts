// One run of the PostgreSQL server process: starts it, waits until it accepts connections, passes its messages on, stops it.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log'
import type { Account } from './account'
import { serverEnvironment } from './initialise'
import { postmasterFile, signal } from './orphan'
import type { Programs } from './programs'

export interface ServerOptions {
  programs: Programs
  clusterDir: string
  socketDir: string
  account: Account | undefined
  settings: Record<string, string>
  log: Logger
}

export interface ServerExit {
  code: number | null
  signal: NodeJS.Signals | number | null
}

export interface Server {
  pid: number
  /** Settles when the process is gone, however that came about. */
  exited: Promise<ServerExit>
  isRunning(): boolean
  stop(): Promise<void>
}

type Child = Bun.Subprocess<'ignore', 'ignore', 'pipe'>

/** Starts the server; resolves when it is ready, however long a recovery takes, and rejects when it ends before that. */
export async function startServer(options: ServerOptions, cancelled: AbortSignal): Promise<Server> {
  const child = spawnServer(options)
  const messages = forwardMessages(child, options.log)
  const exited = child.exited.then(code => ({
    code: child.signalCode ? null : code,
    signal: child.signalCode,
  }))
  const server = { pid: child.pid, exited, isRunning: () => isRunning(child), stop: () => stopServer(child) }
  await becomeReady(child, options, cancelled)
  if (isRunning(child) && !cancelled.aborted) return server
  await stopServer(child)
  await messages.ended
  throw new Error(`the database server did not start: ${messages.last() || `exit code ${child.exitCode}`}`)
}

function spawnServer(options: ServerOptions): Child {
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = join(options.programs.directory, 'bin/postgres')
  return Bun.spawn([program, '-D', options.clusterDir, '-k', options.socketDir, ...settings], {
    cwd: '/',
    env: serverEnvironment,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    // Its own session: Ctrl-C in a terminal must reach us alone, or the database is gone before the last requests are done.
    detached: true,
    ...options.account,
  })
}

function isRunning(child: Child): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function becomeReady(child: Child, options: ServerOptions, cancelled: AbortSignal): Promise<void> {
  for (
    let round = 1;
    isRunning(child) && !cancelled.aborted && !isReady(child.pid, options.clusterDir);
    round++
  ) {
    if (round % 2_000 === 0) options.log.info({}, 'the database is still recovering')
    await sleep(5)
  }
}

/** The pid matters: a file that a crashed server left behind says "ready" too. */
function isReady(pid: number, clusterDir: string): boolean {
  const lines = postmasterFile(clusterDir)
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

/** A fast shutdown, which ends sessions and writes everything; an immediate one, which recovers at the next start, when it hangs. */
async function stopServer(child: Child): Promise<void> {
  const steps = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const
  for (const [name, waitMs] of steps) {
    if (!isRunning(child)) return
    signal(child.pid, name)
    const timer = new AbortController()
    await Promise.race([child.exited, sleep(waitMs, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
}

const remembered = 5

/** Writes the server's lines to our log, and keeps the last ones to explain a failed start. */
function forwardMessages(child: Child, log: Logger): { ended: Promise<void>; last(): string } {
  const recent: string[] = []
  const ended = readLines(child.stderr, line => {
    recent.push(line)
    if (recent.length > remembered) recent.shift()
    writeMessage(line, log)
  })
  return { ended, last: () => recent.join(' / ') }
}

function writeMessage(line: string, log: Logger): void {
  const [, level, text] = /^([A-Z]+): (.*)$/.exec(line) ?? []
  if (level === undefined || level === 'LOG') log.debug({}, `postgres: ${text?.trimStart() ?? line}`)
  else log.warn({}, `postgres: ${line}`)
}

async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let remaining = ''
  for await (const chunk of stream) {
    const lines = (remaining + decoder.decode(chunk, { stream: true })).split('\n')
    remaining = lines.pop() ?? ''
    for (const line of lines) onLine(line.slice(0, 2_000))
  }
  if (remaining) onLine(remaining.slice(0, 2_000))
}
