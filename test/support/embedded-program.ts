// A small program around the built-in PostgreSQL, compiled by test/binary/embedded.test.ts: starts the server in the folder given,
// prints where it is, and runs until SIGTERM. SIGINT makes it leave without stopping the server, as a second signal does in the product.
import { startEmbedded } from '../../src/platform/db/embedded'
import { makeLogger } from '../../src/platform/log'

async function main(dataDir: string): Promise<void> {
  const log = makeLogger({ level: 'info', format: 'json' })
  const server = await startEmbedded({ dataDir, log, maxConnections: 10 })
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  process.once('SIGINT', () => process.exit(130))
  console.log(JSON.stringify({ url: server.url, pid: server.pid }))
}

main(process.argv[2] ?? '').catch(error => {
  console.error(error.message)
  process.exit(1)
})
