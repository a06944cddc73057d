// The PostgreSQL server of a test run: TEST_DATABASE_URL when given, else the built-in one as a throw-away cluster in memory.
import { chmodSync } from 'node:fs'
import { ensureAssets } from '../../scripts/ensure-assets'
import { silentLogger } from '../../src/platform/log'

export interface TestServer {
  /** A postgres:// URL of the maintenance database. */
  url: string
  stop(): Promise<void>
}

export async function startTestServer(scratch: string): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  await ensureAssets()
  // Imported only now: in a fresh checkout the packed server did not exist before.
  const { startEmbedded } = await import('../../src/platform/db/embedded')
  // The folder was made for this process alone; the server's own user has to find its way in.
  chmodSync(scratch, 0o755)
  return startEmbedded({
    dataDir: `${scratch}/postgres`,
    log: silentLogger,
    durable: false,
    maxConnections: 200,
  })
}
