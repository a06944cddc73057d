// A part of a transaction that may fail without taking the rest with it.
import type { Context } from '../context'
import { transactionDatabase } from './client'

/** Runs `work` behind a savepoint: when it rejects, what it wrote is undone and the transaction goes on. */
export async function inSavepoint<T>(tx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  if (!('savepoint' in tx.sql)) throw new Error('a savepoint needs a transaction')
  return (await tx.sql.savepoint(sql => work({ ...tx, sql, db: transactionDatabase(sql) }))) as T
}
