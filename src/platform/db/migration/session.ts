// The one connection that migrates: it holds an advisory lock of its session, so that of several instances one migrates and the
// others wait, and it never waits long in the queue for a table, because whoever comes after it would wait as well.
import type postgres from 'postgres'
import { minute, second, sleep } from '../../../lib/time'
import type { Logger } from '../../log'
import { openDatabaseSession } from '../client'
import { isDeadlock, isLockTimeout } from '../errors'

export const lockKey = 7_239_118_004

export interface LockWait {
  /** How long a statement may wait in the queue for a lock. Everybody who comes later waits for it too. */
  lockTimeoutMs: number
  /** Between two attempts, so that those who waited get their turn; doubled up to ten times as long. */
  pauseMs: number
  /** No more attempts after this much time. */
  forMs: number
}

export const defaultLockWait: LockWait = { lockTimeoutMs: 3 * second, pauseMs: second, forMs: 10 * minute }

export interface MigrationSession {
  sql: postgres.Sql
  log: Logger
  patience: LockWait
}

const pollMs = 250
const sayEveryMs = 30 * second

/** Runs `work` while no other process migrates. */
export async function withLock<T>(
  client: postgres.Sql,
  about: Pick<MigrationSession, 'log' | 'patience'>,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const { sql, close } = openDatabaseSession(client, {
    application_name: 'waxwing migrate',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  })
  try {
    await takeLock(sql, about.log)
    return await work({ sql, ...about })
  } finally {
    await close()
  }
}

/** Asks again and again: a statement that waits holds a snapshot, for which an index that is built concurrently would wait in turn. */
async function takeLock(sql: postgres.Sql, log: Logger): Promise<void> {
  for (let waited = 0; ; waited += pollMs) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as taken`
    if (row?.taken) return
    if (waited % sayEveryMs === 0) log.info({}, 'another instance is migrating the database; waiting for it')
    await sleep(pollMs)
  }
}

/** A transaction that gives up its place in a queue for a lock, and comes again, until `patience` is over. */
export async function inBoundedTransaction<T>(
  { sql, log, patience }: MigrationSession,
  what: string,
  work: (tx: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  const begun = performance.now()
  for (let tries = 1; ; tries++) {
    try {
      return (await sql.begin(async tx => {
        await refuseUnlocked(tx)
        await tx`select set_config('lock_timeout', ${`${patience.lockTimeoutMs}ms`}, true)`
        return await work(tx)
      })) as T
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error
      const holders = await openTransactions(sql)
      if (performance.now() - begun >= patience.forMs)
        throw new Error(
          `${what}: a lock could not be had in ${Math.round(patience.forMs / second)} seconds (${tries} tries); ${holders}`,
          { cause: error },
        )
      log.warn({ what, tries }, `waits for a lock; ${holders}`)
      await sleep(patience.pauseMs * Math.min(2 ** (tries - 1), 10))
    }
  }
}

/** The driver reopens a lost connection, and the lock is gone with the old one. */
export async function refuseUnlocked(sql: postgres.Sql | postgres.TransactionSql): Promise<void> {
  const [row] = await sql`
    select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
       and (classid::bigint << 32) + objid::bigint = ${lockKey}`
  if (!row) throw new Error('the connection was lost while migrating; start again, it goes on where it was')
}

/** The oldest open transactions of others, which are most likely what holds the lock. */
async function openTransactions(sql: postgres.Sql): Promise<string> {
  const rows = await sql<{ pid: number; name: string | null; seconds: number }[]>`
    select pid, application_name as name, extract(epoch from clock_timestamp() - xact_start)::int as seconds
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 3`
  if (rows.length === 0) return 'no other transaction is open now'
  const each = rows.map(({ pid, name, seconds }) => `pid ${pid} (${name || 'unnamed'}) for ${seconds} s`)
  return `open transactions: ${each.join(', ')}`
}
