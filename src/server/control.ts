// A running instance tells its settings to commands on the same machine, over a socket in its data directory that only its own user
// (and root) can open. Nothing secret is written to a disk for it, and no port is needed.
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from '../platform/log'
import type { Environment } from '../settings/config'

export interface RunningSettings {
  pid: number
  /** The settings that were given, by their names. */
  given: Environment
}

/** What the kernel accepts as the path of a socket; a longer one goes without. */
const maxPathLength = 100
const timeoutMs = 2_000

/** Resolves to how to stop; the first of several instances on one directory answers for all. */
export async function tellSettings(
  dataDir: string,
  given: Environment,
  log: Logger,
): Promise<() => Promise<void>> {
  const path = socketPath(dataDir)
  if (!existsSync(dataDir) || path.length > maxPathLength || (await askSettings(dataDir)))
    return async () => {}
  const answer: RunningSettings = { pid: process.pid, given }
  // What a killed predecessor left; a living one has just not answered.
  rmSync(path, { force: true })
  const mask = process.umask(0o177)
  try {
    const server = Bun.serve({ unix: path, fetch: () => Response.json(answer) })
    chmodSync(path, 0o600)
    return async () => {
      await server.stop(true)
      rmSync(path, { force: true })
    }
  } catch (error) {
    // A file system without sockets: doctor then trusts its shell, as it says.
    log.warn({ error: String(error) }, 'waxwing doctor will not see the settings of this instance')
    return async () => {}
  } finally {
    process.umask(mask)
  }
}

/** Undefined if nothing runs on the directory, or its settings are not for this user. */
export async function askSettings(dataDir: string): Promise<RunningSettings | undefined> {
  const path = socketPath(dataDir)
  if (!existsSync(path)) return undefined
  try {
    const answer = await fetch('http://localhost/', { unix: path, signal: AbortSignal.timeout(timeoutMs) })
    return (await answer.json()) as RunningSettings
  } catch {
    return undefined
  }
}

function socketPath(dataDir: string): string {
  return join(resolve(dataDir), 'control')
}
