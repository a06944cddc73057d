// The built-in PostgreSQL: lock the data directory, unpack, make the cluster, clear what a killed predecessor left, start, and start
// again whenever the server ends by itself. Clients reach it over a unix socket that only this user (and root) may enter.
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log'
import { type Account, assertOwned, assertReachable, serverAccount } from './account'
import { ensureCluster } from './cluster'
import { databaseName, databaseUser } from './initialise'
import { type DirectoryLock, lockDirectory } from './lock'
import { removeLeftovers, signal } from './orphan'
import { removeOtherPrograms, unpackPrograms } from './programs'
import { type Server, type ServerExit, type ServerOptions, startServer } from './server'
import { type MachineMemory, serverSettings } from './settings'
import { ensureSocketDirectory, socketDirectory } from './socket'

export interface EmbeddedOptions {
  /** Holds programs, cluster, socket and lock; created when missing. */
  dataDir: string
  log: Logger
  /** Connections that clients may open together; 40 unless given. */
  maxConnections?: number
  /** False for a server whose data nobody needs after a crash (tests); true unless given. */
  durable?: boolean
  /** Further server settings by PostgreSQL's names; they win. */
  settings?: Record<string, string>
}

export interface Embedded {
  /** A postgres:// URL for `openDatabase`, with the folder of the socket as `?host=`. */
  url: string
  /** Process id of the server that runs now; another one after a restart. */
  readonly pid: number
  /** Full version of the server. */
  version: string
  /** Calls `listener` each time the server ends without having been asked to; it is started again afterwards. */
  onExit(listener: (exit: ServerExit) => void): void
  /** Ends the server cleanly and frees the data directory. May be called twice. */
  stop(): Promise<void>
}

/** Starts the server in `dataDir`; throws a one-line explanation when that cannot be done. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir)
  makeDirectory(dataDir)
  const lock = lockDirectory(dataDir)
  try {
    const server = await prepare(dataDir, options)
    return await supervise(server, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 })
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new Error(`${path} cannot be made (${why}): set DATA_DIR to a folder that this user may write to`, {
      cause: error,
    })
  }
}

/** How to reach the server that another process runs in `dataDir`; only this user's and root's clients are let in. */
export function runningServerUrl(dataDir: string): string {
  return socketUrl(socketDirectory(resolve(dataDir)))
}

function socketUrl(socketDir: string): string {
  return `postgres://${databaseUser}@localhost:5432/${databaseName}?host=${encodeURIComponent(socketDir)}`
}

/** Everything up to, but without, the first start. */
async function prepare(dataDir: string, options: EmbeddedOptions): Promise<ServerOptions> {
  const durable = options.durable ?? true
  const clusterDir = join(dataDir, 'pgdata')
  const account = serverAccount(clusterDir)
  checkAccess(dataDir, clusterDir, account)
  const programs = await unpackPrograms(dataDir, durable)
  await ensureCluster({ directory: clusterDir, programs, account, durable })
  const socketDir = ensureSocketDirectory(dataDir, account)
  await removeLeftovers(clusterDir, socketDir, options.log)
  removeOtherPrograms(dataDir, programs)
  const maxConnections = options.maxConnections ?? 40
  const settings = serverSettings(thisMachine(), { maxConnections, durable, overrides: options.settings })
  return { programs, clusterDir, socketDir, account, settings, log: options.log }
}

function checkAccess(dataDir: string, clusterDir: string, account: Account | undefined): void {
  if (account) assertReachable(dataDir, account)
  else assertOwned(clusterDir)
}

function thisMachine(): MachineMemory {
  // A container's limit counts, not the host's memory; without a limit the figure is 0 or absurdly large.
  const limit = process.constrainedMemory()
  const memoryBytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return { memoryBytes, sharedMemoryBytes: sharedMemory() }
}

function sharedMemory(): number | undefined {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks
  } catch {
    return undefined
  }
}

const maxPauseMs = 10_000
const steadyAfterMs = 60_000

/** Starts the server and keeps it running until `stop`. */
async function supervise(options: ServerOptions, lock: DirectoryLock): Promise<Embedded> {
  const stopping = new AbortController()
  const listeners: Array<(exit: ServerExit) => void> = []
  let server = await startServer(options, stopping.signal)
  options.log.info({ pid: server.pid, version: options.programs.version }, 'built-in PostgreSQL is ready')

  async function keepRunning(): Promise<void> {
    let startedAt = performance.now()
    for (let failures = 0; ; failures++) {
      const exit = await server.exited
      if (stopping.signal.aborted) return
      options.log.error(
        { ...exit, pid: server.pid },
        'the database server ended unexpectedly: starting it again',
      )
      for (const listener of listeners) listener(exit)
      if (performance.now() - startedAt > steadyAfterMs) failures = 0
      const next = await restart(options, failures, stopping.signal)
      if (!next) return
      server = next
      startedAt = performance.now()
      // Asked to stop at the very moment of the restart: `end` has stopped the one before.
      if (stopping.signal.aborted) await server.stop()
    }
  }

  // However this process ends, the server is asked to end too; after kill -9 the next start does it.
  const endWithUs = () => void (server.isRunning() && signal(server.pid, 'SIGINT'))
  process.on('exit', endWithUs)
  const watching = keepRunning()

  async function end(): Promise<void> {
    stopping.abort()
    await server.stop()
    await watching
    process.off('exit', endWithUs)
    rmSync(options.socketDir, { recursive: true, force: true })
    lock.release()
  }

  let ended: Promise<void> | undefined
  return {
    url: socketUrl(options.socketDir),
    get pid() {
      return server.pid
    },
    version: options.programs.version,
    onExit: listener => void listeners.push(listener),
    stop: () => {
      ended ??= end()
      return ended
    },
  }
}

/** Tries until it works, waiting longer each time; undefined when the process is being stopped meanwhile. */
async function restart(
  options: ServerOptions,
  failures: number,
  stopping: AbortSignal,
): Promise<Server | undefined> {
  for (let attempt = failures; !stopping.aborted; attempt++) {
    const pauseMs = attempt === 0 ? 0 : Math.min(maxPauseMs, 100 * 2 ** Math.min(attempt, 10))
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
    if (stopping.aborted) break
    try {
      await removeLeftovers(options.clusterDir, options.socketDir, options.log)
      const server = await startServer(options, stopping)
      options.log.info({ pid: server.pid }, 'the database server is running again')
      return server
    } catch (error) {
      // A full disk or the like: the next attempt may find it fixed, and the health endpoint reports it until then.
      if (!stopping.aborted) options.log.error({ err: error }, 'the database server did not start')
    }
  }
  return undefined
}
