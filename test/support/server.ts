// The PostgreSQL server of a test run: TEST_DATABASE_URL when given, else the built-in one as a throw-away cluster in memory.
import { chmodSync } from 'node:fs'
import { silentLogger } from '../../src/platform/log'

export interface TestServer {
  /** A postgres:// URL of the maintenance database. */
  url: string
  stop(): Promise<void>
}

/** `scratch` is a folder of this run, in memory where the machine has such. */
export async function startTestServer(scratch: string): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  // A fresh temporary folder is closed to the user that a root process runs the server as.
  chmodSync(scratch, 0o755)
  // An interrupted run leaves through `exit`, where the server is asked to end too.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
  const { startEmbedded } = await import('../../src/platform/db/embedded')
  return await startEmbedded({
    dataDir: `${scratch}/postgres`,
    log: silentLogger,
    durable: false,
    maxConnections: 200,
  })
}
