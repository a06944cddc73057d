// One database a test file: a clone of the migrated template, dropped when the file is done.
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { openDatabases } from './leftovers'
import { testServer } from './server'

export interface TestDatabase extends DatabaseClient {
  url: string
  /** Closes the client and drops the database. */
  drop(): Promise<void>
}

let counter = 0

/** Clones the migrated template or another; the first call starts the server. `empty` gives a database without any table. */
export async function cloneDatabase(
  options: { empty?: boolean; max?: number; template?: string } = {},
): Promise<TestDatabase> {
  const server = await testServer()
  const name = `${server.template}_${process.pid}_${counter++}`
  const admin = openDatabase(server.url, { max: 1 })
  const clone = options.empty ? '' : `template ${options.template ?? server.template} strategy file_copy`
  await admin.sql.unsafe(`create database ${name} ${clone}`)
  openDatabases.add(name)
  const url = databaseUrl(server.url, name)
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
