// The PostgreSQL server of a test run. It starts when a test first asks for a database, once, in a process beside the tests
// (server-program.ts) that ends with them, however they end. `bun test` starts its own; scripts/test.ts has one for all its workers.
import { join } from 'node:path'

export interface TestServer {
  /** A postgres:// URL of the maintenance database. */
  url: string
  /** A migrated database to clone; the names of all databases of the run begin with its name. */
  template: string
}

let server: Promise<TestServer> | undefined
/** Held here, because the program takes the end of its input for the end of the tests. */
let program: Bun.Subprocess<'pipe', 'pipe', 'inherit'> | undefined

/** The one of this run: TEST_SERVER says where to ask for it; without, it is started. */
export function testServer(): Promise<TestServer> {
  const address = process.env.TEST_SERVER
  server ??= address ? askFor(address) : start()
  return server
}

/** Tells the program that nobody needs the server any more, and waits until nothing is left of it. */
export async function stopTestServer(): Promise<void> {
  program?.stdin.end()
  await program?.exited
}

async function askFor(address: string): Promise<TestServer> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(600_000) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as TestServer
}

async function start(): Promise<TestServer> {
  // Away from the terminal: Ctrl-C ends the tests, and their end the program.
  program = Bun.spawn([process.execPath, join(import.meta.dir, 'server-program.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    detached: true,
  })
  program.unref()
  const { value } = await program.stdout.getReader().read()
  if (!value) throw new Error(`the database server of the tests did not start (exit ${await program.exited})`)
  return JSON.parse(new TextDecoder().decode(value))
}
