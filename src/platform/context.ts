// The Context carries the outside world into every service and query. Inside a transaction it is the same object with
// another database handle, so callees never learn two APIs.
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import type { Random } from '../lib/ids'
import type { Clock } from '../lib/time'
import type { Vault } from '../lib/vault'
import type { Resolver } from '../mail/dns/resolver'
import type { Config } from '../settings/config'
import { transactionDatabase } from './db/client'
import { isDeadlock } from './db/errors'
import type { FileStore } from './files/store'
import type { Hooks } from './hooks'
import type { Idle } from './idle'
import type { SendingPause } from './instance/sending-pause'
import type { JobWaker } from './jobs/wake'
import type { Logger } from './log'
import type { Metrics } from './metrics'
import type { PaymentProvider } from './payments/provider'
import type { LiveRequests } from './requests'
import type { Transport } from './transports/transport'
import type { WebhookCaller } from './webhook/caller'

export type Database = PostgresJsDatabase
export type Sql = postgres.Sql | postgres.TransactionSql

export interface Context {
  readonly config: Config
  /** Drizzle's builder, for statements whose shape varies. */
  readonly db: Database
  /** The same connection or transaction as `db`, as postgres.js' tagged template: server-side prepared, for fixed statements. */
  readonly sql: Sql
  /** Other connections, for queries that read a lot and hold no lock; absent where there is only one kind (commands, tests). */
  readonly heavy?: { readonly db: Database; readonly sql: Sql }
  readonly clock: Clock
  readonly random: Random
  readonly dns: Resolver
  readonly mail: Transport
  /** Calls endpoints of third parties. */
  readonly webhooks: WebhookCaller
  /** Calls servers that the operator has chosen, such as a sign-in provider; these may be in a private network. */
  readonly providers: WebhookCaller
  /** Where uploads live. */
  readonly files: FileStore
  /** What this process is answering at the moment. */
  readonly requests: LiveRequests
  /** Who listens to the hooks of lower modules. */
  readonly hooks: Hooks
  readonly log: Logger
  readonly metrics: Metrics
  /** Encrypts and decrypts stored secrets, signs links. */
  readonly vault: Vault
  /** The payment provider; absent where billing is off. */
  readonly payments?: PaymentProvider
  /** Tells the runners that jobs were committed; absent where none runs (a test that drains), and then they wait to be polled. */
  readonly jobWaker?: JobWaker
  /** Whether nobody uses this instance; absent where it is never idle. */
  readonly idle?: Idle
  /** Whether mail may leave; absent where nothing watches it (commands, tests), and then it may. */
  readonly sending?: SendingPause
  /** Runs `task` once the surrounding transaction has committed; at once when there is none. Never on rollback. */
  afterCommit(task: () => void): void
}

/** A new id whose time part is the context's clock. */
export function newId(ctx: Context): string {
  return ctx.random.uuid(ctx.clock.now())
}

/** For a query that reads a lot, outside a transaction: one sees what it has written on its own connection only, and stays on it. */
export function readingMuch(ctx: Context): Context {
  return 'begin' in ctx.sql ? { ...ctx, ...ctx.heavy } : ctx
}

/** Attempts of a transaction that the database chose as the victim of a deadlock, or that met another one halfway. */
const maxTries = 10

/**
 * Thrown inside a transaction that found a row changed in the meantime and may not wait for it while it holds others: all of it is
 * undone and run again.
 */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

/**
 * Runs `work` in one transaction and gives it a Context bound to it. Nested calls join the transaction that is open.
 * The commit has happened when the promise resolves; a rejected `work` rolls everything back. A transaction that lost a deadlock
 * or was overtaken has left no trace and is run again, so `work` must do nothing but talk to the database and return what it found.
 */
export async function inTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  if (!('begin' in ctx.sql)) return work(ctx)
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(ctx, ctx.sql, work)
    } catch (error) {
      if (tries >= maxTries || !(isDeadlock(error) || error instanceof Overtaken)) throw error
    }
  }
}

async function runOnce<T>(ctx: Context, sql: postgres.Sql, work: (tx: Context) => Promise<T>): Promise<T> {
  const tasks: Array<() => void> = []
  const result = await sql.begin(tx =>
    work({ ...ctx, sql: tx, db: transactionDatabase(tx), afterCommit: task => void tasks.push(task) }),
  )
  for (const task of tasks) task()
  return result as T
}

/** Runs `work` behind a savepoint: when it rejects, what it wrote is undone and the transaction goes on. */
export async function inSavepoint<T>(tx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  if (!('savepoint' in tx.sql)) throw new Error('a savepoint needs a transaction')
  return (await tx.sql.savepoint(sql => work({ ...tx, sql, db: transactionDatabase(sql) }))) as T
}
