// Opens the database: one postgres.js client that serves both dialects, drizzle's builder and raw tagged templates, so that
// one transaction may mix them. drizzle turns the client's date and JSON handlers into no-ops when it wraps it; they are put
// back here in a form that suits both: dates are Dates, JSON columns are values, and JSON parameters are values or JSON text.
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { registerArrays } from './arrays'
import { type Backend, type LostSession, watchSilence } from './silence'

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
  /** Called with the number of connections over the network that were given up because the server had fallen silent. */
  onSilence?: (connections: number) => void
  /** Time between two looks for such connections. */
  silenceEveryMs?: number
}

/**
 * The driver's own pause grows with every connection that fails, counted over the whole pool: one restart of the server would keep
 * all of them away for 20 seconds.
 */
const reconnectSeconds = 0.1

/** Connections are opened when they are needed; one that has been idle for so long, longer than from look to look at rest, is one too many. */
const idleSeconds = 40

/** Opens a pool on a postgres:// URL; a unix socket is given as libpq does it, `?host=/folder`. */
export function openDatabase(target: string, options: ClientOptions = {}): DatabaseClient {
  const { url, host } = splitSocket(target)
  const sql = postgres(url, {
    max: options.max ?? 10,
    connect_timeout: 10,
    idle_timeout: idleSeconds,
    fetch_types: false,
    backoff: () => reconnectSeconds,
    onnotice: options.onNotice ?? (() => {}),
    connection: { application_name: 'waxwing', TimeZone: 'UTC' },
    ...(host ? { host } : {}),
  })
  // A socket of this machine can't be cut without both ends being told.
  return host ? bothDialects(sql) : watched(sql, options)
}

/** What our patch of the driver adds. */
interface Patched {
  /** Statements that begin each session. */
  session?: string
  /** Called with each session that begins. */
  onbackend?: (pid: number, connection: Omit<Backend, 'pid'>) => void
}

/** Siblings copy the options of their client, and are watched with it. */
function watched(sql: postgres.Sql, { onSilence, silenceEveryMs }: ClientOptions): DatabaseClient {
  const parsed = parsedOptions(sql)
  const watch = watchSilence({
    everyMs: silenceEveryMs,
    onGivenUp: onSilence,
    atWork: pids => sessionsAtWork(parsed, pids),
    endSessions: sessions => endSessions(parsed, sessions),
  })
  const patched: Patched = sql.options as Patched
  patched.onbackend = (pid, connection) => watch.add({ pid, ...connection })
  const client = bothDialects(sql)
  return {
    ...client,
    close() {
      watch.stop()
      return client.close()
    },
  }
}

/** Those that work on a statement. Behind a pooler, whose process ids are not the server's, this can't be known: all, to be safe. */
function sessionsAtWork(parsed: ParsedOptions, pids: number[]): Promise<ReadonlySet<number>> {
  return overNewConnection(parsed, async (probe, knowsIds) => {
    if (!(await knowsIds())) return new Set(pids)
    const rows = await probe<{ pid: number }[]>`
      select pid from pg_stat_activity where state = 'active' and pid = any(${pids})`
    return new Set(rows.map(({ pid }) => pid))
  })
}

/** Behind a pooler they are the pooler's, and it ends them itself. */
function endSessions(parsed: ParsedOptions, sessions: LostSession[]): Promise<void> {
  return overNewConnection(parsed, async (probe, knowsIds) => {
    if (!(await knowsIds())) return
    await probe`
      select pg_terminate_backend(a.pid)
        from json_to_recordset(${JSON.stringify(sessions)}::json) as s(pid int, seconds float8)
        join pg_stat_activity a on a.pid = s.pid and a.usename = current_user
         and a.backend_start < clock_timestamp() - make_interval(secs => s.seconds)`
  })
}

/** `knowsIds`: whether the process ids that the driver is told are those of the server. */
async function overNewConnection<T>(
  parsed: ParsedOptions,
  work: (probe: postgres.Sql, knowsIds: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  let announced = 0
  const onbackend = (pid: number): void => {
    announced = pid
  }
  const probe = postgres({ ...parsed, max: 1, onbackend } as ParsedOptions)
  try {
    return await work(probe, async () => {
      const [row] = await probe<{ own: number | null }[]>`select pg_backend_pid() as own`
      return row!.own === announced
    })
  } finally {
    void probe.end({ timeout: 0 })
  }
}

type ParsedOptions = postgres.Options<Record<string, postgres.PostgresType>> & Patched

/** postgres.js accepts options that it has parsed before; its own LISTEN connection relies on that too. */
function parsedOptions(client: postgres.Sql): ParsedOptions {
  return client.options as unknown as ParsedOptions
}

/**
 * A small pool of its own beside `client`, to the same server, whose sessions have these settings (planner, name). `onBackend` is told
 * the process id of each on the server's machine (which the driver reports by our patch).
 */
export function openSibling(
  client: postgres.Sql,
  max: number,
  settings: Record<string, string>,
  onBackend?: (pid: number) => void,
): DatabaseClient {
  const parsed = parsedOptions(client)
  const onbackend: Patched['onbackend'] = (pid, connection) => {
    parsed.onbackend?.(pid, connection)
    onBackend?.(pid)
  }
  const own = { max, ...sessionOptions(parsed, settings), onbackend }
  return bothDialects(postgres({ ...parsed, ...own } as ParsedOptions))
}

/** One connection to the same server for state that its session holds: it is not replaced after a while, as those of a pool are. */
export function openDatabaseSession(client: postgres.Sql, settings: Record<string, string>): DatabaseClient {
  const parsed = parsedOptions(client)
  const lasting = { max: 1, max_lifetime: null, idle_timeout: undefined }
  return bothDialects(
    postgres({ ...parsed, ...lasting, ...sessionOptions(parsed, settings) } as ParsedOptions),
  )
}

/** What a pooler lets through when a session is opened; PgBouncer refuses all other settings there. */
const startUpSettings: ReadonlySet<string> = new Set(['application_name', 'TimeZone'])

function sessionOptions(
  parsed: ParsedOptions,
  settings: Record<string, string>,
): Pick<ParsedOptions, 'connection' | 'fetch_types' | 'session'> {
  const entries = Object.entries(settings)
  const atStart = entries.filter(([name]) => startUpSettings.has(name))
  const later = entries.filter(([name]) => !startUpSettings.has(name))
  return {
    connection: { ...parsed.connection, ...Object.fromEntries(atStart) },
    // Our patch has the driver run `session` in place of the question that this asks for.
    fetch_types: later.length > 0,
    session: later.map(([name, value]) => `set ${name} = '${value}'`).join('; ') || undefined,
  }
}

function bothDialects(sql: postgres.Sql): DatabaseClient {
  const db = drizzle(sql)
  restoreHandlers(sql)
  return { sql, db, close: () => sql.end({ timeout: 5 }) }
}

/** postgres.js takes a socket folder as an option only, so it is lifted out of the URL's query. */
function splitSocket(target: string): { url: string; host?: string } {
  const url = new URL(target)
  const host = url.searchParams.get('host') ?? undefined
  url.searchParams.delete('host')
  return { url: url.toString(), host }
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
  registerArrays(sql.options)
}

/** Throws a clear line when the server is older than PostgreSQL 15. */
export async function requireVersion(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
  refuseOldServer(Number(row?.version ?? 0))
}

/** `version` as in server_version_num: 150004 is 15.4. */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major < 15) throw new Error(`PostgreSQL ${major} is too old; Waxwing needs 15 or newer`)
}
