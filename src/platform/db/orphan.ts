// What a killed predecessor may have left: a server that still runs, or files that say so. The caller holds the lock of the data
// directory, so whatever serves this cluster has no owner any more.
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log'

/** Ends every server process that works on `clusterDir` and removes what would keep a new one from starting. */
export async function removeLeftovers(clusterDir: string, socketDir: string, log: Logger): Promise<void> {
  const found = serverProcesses(clusterDir)
  if (found.length > 0) await endProcesses(clusterDir, found, log)
  // With nobody at work here the files can only be stale, whatever process has been given their pid since.
  rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  for (const name of readdirSync(socketDir)) rmSync(join(socketDir, name), { force: true })
}

async function endProcesses(clusterDir: string, found: number[], log: Logger): Promise<void> {
  const postmaster = recordedPid(clusterDir)
  log.warn({ pids: found }, 'stopping a database server that outlived its Waxwing process')
  // Sessions without a postmaster leave by themselves; signalling them one by one would only add noise.
  if (postmaster !== undefined && found.includes(postmaster)) signal(postmaster, 'SIGINT')
  if (await gone(clusterDir, 20_000)) return
  for (const step of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of serverProcesses(clusterDir)) signal(pid, step)
    if (await gone(clusterDir, 5_000)) return
  }
  throw new Error(
    `a database server still runs in ${clusterDir} (pid ${serverProcesses(clusterDir).join(', ')})`,
  )
}

async function gone(clusterDir: string, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (serverProcesses(clusterDir).length > 0) {
    if (performance.now() > until) return false
    await sleep(5)
  }
  return true
}

/** The pid on the first line of postmaster.pid. */
function recordedPid(clusterDir: string): number | undefined {
  const pid = Number(postmasterFile(clusterDir)[0])
  return pid > 0 ? pid : undefined
}

/** The lines of postmaster.pid; none when there is no such file. */
export function postmasterFile(clusterDir: string): string[] {
  try {
    return readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Sends a signal; a process that is already gone is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Live processes of the server on `clusterDir`. All of them work inside that folder; the name tells them from a shell that was
 * left there. A zombie has no working directory and does not count.
 */
export function serverProcesses(clusterDir: string): number[] {
  const directory = realpathSync(clusterDir)
  if (process.platform !== 'linux') return listedProcesses(directory)
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && workingDirectory(name) === directory && isPostgres(name))
    .map(Number)
}

function workingDirectory(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Gone meanwhile, a zombie, or another user's: none of them serves our cluster.
    return undefined
  }
}

function isPostgres(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}

/** Without /proc only the postmaster is found, by its arguments; its children follow it within moments. */
function listedProcesses(directory: string): number[] {
  const listing = Bun.spawnSync(['ps', '-axo', 'pid=,command=']).stdout.toString()
  return listing
    .split('\n')
    .filter(line => line.includes('/bin/postgres -D') && line.includes(`${directory} `))
    .map(line => Number.parseInt(line, 10))
}
