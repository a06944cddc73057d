// One database a test file: a clone of the migrated template, dropped when the file is done.
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'

export interface TestDatabase extends DatabaseClient {
  url: string
  /** Closes the client and drops the database. */
  drop(): Promise<void>
}

let counter = 0

/** Names of the databases that are not dropped yet. */
export const openDatabases = new Set<string>()

/** Clones the template that scripts/test.ts made. `empty` gives a database without any table. */
export async function cloneDatabase(options: { empty?: boolean; max?: number } = {}): Promise<TestDatabase> {
  const { TEST_SERVER_URL: server, TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('run tests with `bun run test`, which starts the database server')
  const name = `t_${process.pid}_${Date.now().toString(36)}_${counter++}`
  const admin = openDatabase(server, { max: 1 })
  const clone = options.empty ? '' : `template ${template} strategy file_copy`
  await admin.sql.unsafe(`create database ${name} ${clone}`)
  openDatabases.add(name)
  const url = databaseUrl(server, name)
  const client = openDatabase(url, { max: options.max ?? 8 })
  return {
    ...client,
    url,
    async drop() {
      await client.close()
      await admin.sql.unsafe(`drop database if exists ${name} with (force)`)
      await admin.close()
      openDatabases.delete(name)
    },
  }
}

/** The URL of another database of the same server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.toString()
}
