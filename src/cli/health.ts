// `waxwing health`: asks the instance on this machine; made for container health checks, which have no curl. A worker without METRICS_PORT
// has no HTTP: there the question is whether the database answers and a living runner has signed on to it.
import type { Logger } from '../platform/log'
import { connectBeside, systemClock } from '../server/compose'
import type { Config } from '../settings/config'
import { readConfig } from './start'

export async function health(): Promise<number> {
  const { config, log } = readConfig()
  const port = config.role === 'worker' ? config.metricsPort : config.port
  const { well, words } =
    port === undefined ? await askDatabase(config, log) : await askInstance(config.host, port)
  console.log(words)
  return well ? 0 : 1
}

interface Finding {
  well: boolean
  words: string
}

async function askInstance(host: string, port: number): Promise<Finding> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const address = `http://${name.includes(':') ? `[${name}]` : name}:${port}/health`
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
  if (!answer) return { well: false, words: `nothing answers at ${address}` }
  return { well: answer.ok, words: `${answer.status} ${await answer.text()}` }
}

async function askDatabase(config: Config, log: Logger): Promise<Finding> {
  const database = await connectBeside(config, log)
  try {
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from runners where lease_until > ${systemClock.now()}`
    const count = row?.count ?? 0
    return { well: count > 0, words: `the database answers; job runners that are alive: ${count}` }
  } finally {
    await database.close()
  }
}
