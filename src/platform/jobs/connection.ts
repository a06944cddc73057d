// The runner's own few connections. Its heartbeat must not queue behind the handlers' statements in the shared pool, or a busy
// process would lose its lease.
import type postgres from 'postgres'
import { type DatabaseClient, openSibling } from '../db/client'

const connections = 4

/**
 * Its statements touch rows by index and nothing else, and they are planned once, perhaps while the table is empty, where
 * reading all of it looks cheap. A burst would then be served by that plan until the next autovacuum; so the ways to read
 * the whole table are taken away.
 */
const planner = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', jit: 'off' }

/** A small pool to the same server as `sql`, a client that is not in a transaction. */
export function openRunnerDatabase(sql: postgres.Sql): DatabaseClient {
  return openSibling(sql, connections, { ...planner, application_name: 'waxwing jobs' })
}
