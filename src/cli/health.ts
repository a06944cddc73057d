// `waxwing health`: asks the instance on this machine; made for container health checks, which have no curl.
import { readConfig } from './start'

export async function health(): Promise<number> {
  const { config } = readConfig()
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}/health`
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
  console.log(answer ? `${answer.status} ${await answer.text()}` : `nothing answers at ${address}`)
  return answer?.ok ? 0 : 1
}
