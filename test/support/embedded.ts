// Runs the compiled program around the built-in PostgreSQL as a real process, so that tests can kill it in every way.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildBinary } from '../../scripts/build'
import { hostTarget } from '../../scripts/pack-postgres'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { serverProcesses } from '../../src/platform/db/orphan'
import { makeSharedFolder } from './folders'

export interface Running {
  /** Of the program, not of the database server. */
  pid: number
  serverPid: number
  url: string
  exited: Promise<number>
  kill(signal: NodeJS.Signals): void
  /** SIGTERM, and its exit code. */
  stop(): Promise<number>
}

export interface Account {
  uid?: number
  gid?: number
}

/** A folder all users may enter, with the compiled program in it. */
export async function makeWorkshop(): Promise<string> {
  const target = hostTarget()
  if (!target) throw new Error('there is no built-in PostgreSQL for this platform')
  const folder = makeSharedFolder('waxwing-embedded-')
  const entry = join(import.meta.dir, 'embedded-program.ts')
  await buildBinary({ target, release: false, outfile: program(folder), entry })
  return folder
}

function program(folder: string): string {
  return join(folder, 'program')
}

/** Starts the program and waits until its server is ready; rejects with what it wrote when it ends before. */
export async function run(workshop: string, dataDir: string, account: Account = {}): Promise<Running> {
  const child = Bun.spawn([program(workshop), dataDir], {
    cwd: '/',
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...account,
  })
  const errors = new Response(child.stderr).text()
  const first = await child.stdout.getReader().read()
  if (!first.value) throw new Error(`exit ${await child.exited}: ${await errors}`)
  const { url, pid } = JSON.parse(new TextDecoder().decode(first.value))
  return {
    pid: child.pid,
    serverPid: pid,
    url,
    exited: child.exited,
    kill: name => child.kill(name),
    stop: () => {
      child.kill('SIGTERM')
      return child.exited
    },
  }
}

/** Runs `work` with one connection. */
export async function withClient<T>(
  url: string,
  work: (sql: DatabaseClient['sql']) => Promise<T>,
): Promise<T> {
  const client = openDatabase(url, { max: 1 })
  try {
    return await work(client.sql)
  } finally {
    await client.close()
  }
}

/** Ends whatever a failed test left in `dataDir`, and removes it. */
export function removeDataDir(dataDir: string): void {
  const cluster = join(dataDir, 'pgdata')
  for (const pid of existsSync(cluster) ? serverProcesses(cluster) : []) process.kill(pid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
