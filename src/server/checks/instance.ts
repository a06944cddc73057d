// Checks of an instance that runs: what it says of itself, and whether its public address leads to it. Both go the way that others go.
import { isLoopbackHost } from '../../lib/loopback'
import { second } from '../../lib/time'
import type { Config } from '../../settings/config'
import { type Check, type Finding, fail, pass, warn } from './check'

const timeoutMs = 5 * second

interface Health {
  status: string
  database: string
  warnings?: string[]
}

export function instanceChecks(config: Config): Check[] {
  return [{ about: 'instance', run: () => checkInstance(config) }, ...addressChecks(config)]
}

/** A worker has no HTTP unless it serves figures. */
async function checkInstance(config: Config): Promise<Finding[]> {
  const about = 'instance'
  const port = config.role === 'worker' ? config.metricsPort : config.port
  if (port === undefined) return []
  const host = ['0.0.0.0', '::', '[::]'].includes(config.host) ? '127.0.0.1' : config.host
  const { status, health } = await askHealth(
    `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`,
  )
  const warnings = (health?.warnings ?? []).map(words => warn(about, words))
  if (status === 200) return [pass(about, 'is healthy'), ...warnings]
  const database = health ? `; the database: ${health.database}` : ''
  return [fail(about, `GET /health answers ${status}${database}; its log says why`), ...warnings]
}

/** Not asked where mail leaves nowhere, or the address is this machine's own. */
function addressChecks(config: Config): Check[] {
  const about = 'public address'
  const { baseUrl, mailTransport } = config
  if (mailTransport === 'outbox' || isLoopbackHost(new URL(baseUrl).hostname)) return []
  return [{ about, run: () => checkPublicAddress(baseUrl) }]
}

/** Whether Waxwing answers there; healthy or not. */
export async function checkPublicAddress(baseUrl: string): Promise<Finding[]> {
  const about = 'public address'
  try {
    const { status, health } = await askHealth(baseUrl)
    return health
      ? [pass(about, `${baseUrl} leads to Waxwing`)]
      : [fail(about, `${baseUrl}/health answers ${status}, and not Waxwing: links in emails lead nowhere`)]
  } catch (error) {
    // A network may not let its own machines use its public address.
    return [warn(about, `${baseUrl} can't be opened from this machine: ${wordsOf(error)}`)]
  }
}

async function askHealth(base: string): Promise<{ status: number; health: Health | undefined }> {
  const answer = await fetch(`${base}/health`, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  const body: unknown = await answer.json().catch(() => undefined)
  const isHealth = typeof body === 'object' && body !== null && 'database' in body && 'status' in body
  return { status: answer.status, health: isHealth ? (body as Health) : undefined }
}

function wordsOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  return code ? `${code}: ${message}` : message
}
