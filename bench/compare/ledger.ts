// What a campaign writes into the database, a message: rows, entries of indexes, and bytes of the log.
import type postgres from 'postgres'

export interface TableWritten {
  table: string
  inserted: number
  updated: number
  /** Updates that stayed within their page and touched no index (HOT), of all. */
  inPlace: number
  indexEntries: number
  /** Of the table and its indexes. */
  bytes: number
}

/** All of one message. */
export interface Written {
  tables: TableWritten[]
  logBytes: number
  commits: number
}

export interface Mark {
  log: string
  commits: number
}

export async function markLedger(sql: postgres.Sql): Promise<Mark> {
  const [mark] = await sql<[Mark]>`
    select pg_current_wal_lsn()::text as log,
           (select xact_commit::int from pg_stat_database where datname = current_database()) as commits`
  return mark
}

/** Backends that fall idle report what they did within ten seconds. */
const statisticsMs = 11_000
/** Less than this share of a message is no part of what a message writes. */
const minShare = 0.01

/** Since `mark`, of a database that nothing else was written to but contacts. */
export async function readLedger(sql: postgres.Sql, mark: Mark, messages: number): Promise<Written> {
  await Bun.sleep(statisticsMs)
  const { commits } = await markLedger(sql)
  const [{ logBytes }] = await sql<[{ logBytes: number }]>`
    select (pg_current_wal_lsn() - ${mark.log}::pg_lsn)::float8 / ${messages} as "logBytes"`
  const tables = await sql<TableWritten[]>`
    select relname as "table", n_tup_ins::float8 / ${messages} as inserted, n_tup_upd::float8 / ${messages} as updated,
           n_tup_hot_upd::float8 / greatest(n_tup_upd, 1) as "inPlace",
           (n_tup_ins + n_tup_upd - n_tup_hot_upd)::float8 / ${messages} * (
             -- An index without an entry has its first page alone.
             select count(*) from pg_index where indrelid = relid and pg_relation_size(indexrelid) > 8192
           ) as "indexEntries",
           pg_total_relation_size(relid)::float8 / ${messages} as bytes
      from pg_stat_user_tables
     where relname <> 'contacts' and n_tup_ins + n_tup_upd >= ${messages * minShare}
     order by n_tup_ins + n_tup_upd desc`
  return { tables: [...tables], logBytes, commits: (commits - mark.commits) / messages }
}
