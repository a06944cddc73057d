// Opens the database: one postgres.js client that serves both dialects, drizzle's builder and raw tagged templates, so that
// one transaction may mix them. drizzle turns the client's date and JSON handlers into no-ops when it wraps it; they are put
// back here in a form that suits both: dates are Dates, JSON columns are values, and JSON parameters are values or JSON text.
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'

const dateTypes = ['1082', '1114', '1184']
const jsonTypes = ['114', '3802']

export interface DatabaseClient {
  sql: postgres.Sql
  db: PostgresJsDatabase
  close(): Promise<void>
}

export interface ClientOptions {
  /** Connections of the pool. */
  max?: number
  /** Called for every NOTICE; they are dropped by default. */
  onNotice?: (notice: postgres.Notice) => void
  /** Further postgres.js options: host and path of a socket, TLS. */
  connection?: postgres.Options<Record<string, postgres.PostgresType>>
}

/** `target` is a postgres:// URL, or undefined when `options.connection` says where the server is. */
export function openDatabase(target: string | undefined, options: ClientOptions = {}): DatabaseClient {
  const settings: postgres.Options<Record<string, postgres.PostgresType>> = {
    max: options.max ?? 10,
    connect_timeout: 10,
    onnotice: options.onNotice ?? (() => {}),
    ...options.connection,
    connection: { application_name: 'waxwing', TimeZone: 'UTC', ...options.connection?.connection },
  }
  const sql = target === undefined ? postgres(settings) : postgres(target, settings)
  const db = drizzle(sql)
  restoreHandlers(sql)
  return { sql, db, close: () => sql.end({ timeout: 5 }) }
}

/** Drizzle's builder over a transaction that postgres.js opened. */
export function transactionDatabase(sql: postgres.TransactionSql): PostgresJsDatabase {
  // drizzle types its session over the pool's client although it uses only what a transaction has too.
  const session = new PostgresJsSession(sql as unknown as postgres.Sql, dialect, undefined, {})
  return new PostgresJsDatabase(dialect, session, undefined) as PostgresJsDatabase
}

const dialect = new PgDialect()

function restoreHandlers(sql: postgres.Sql): void {
  const { parsers, serializers } = sql.options
  for (const type of dateTypes) {
    parsers[Number(type)] = (text: string) => new Date(text)
    serializers[Number(type)] = (value: unknown) => (value instanceof Date ? value.toISOString() : value)
  }
  for (const type of jsonTypes) {
    serializers[Number(type)] = (value: unknown) =>
      typeof value === 'string' ? value : JSON.stringify(value)
  }
  parsers[20] = (text: string) => Number(text)
}
