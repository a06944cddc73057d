// How many transactions begin on a connection pool of a test's own world, until it is disposed of.
import type postgres from 'postgres'

export function countTransactions(pool: unknown): Disposable & { readonly count: number } {
  const sql = pool as postgres.Sql
  const begin = sql.begin
  let count = 0
  sql.begin = ((...given: Parameters<typeof begin>) => {
    count++
    return begin.apply(sql, given)
  }) as typeof begin
  return {
    get count() {
      return count
    },
    [Symbol.dispose]() {
      sql.begin = begin
    },
  }
}
