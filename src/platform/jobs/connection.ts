// The runner's own few connections. Its heartbeat must not queue behind the handlers' statements in the shared pool, or a busy
// process would lose its lease.
import type postgres from 'postgres'
import { type DatabaseClient, openSibling } from '../db/client'

/**
 * Its statements find their rows by index and in the order of the index, and they are planned once, perhaps while the table is
 * empty, where reading and sorting all of it looks cheap. A burst would then be served by that plan until the next autovacuum
 * (5,000 jobs a second instead of 30,000, measured); so the other ways are closed.
 */
const planner = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off', jit: 'off' }

/** A small pool to the same server as `sql`, a client that is not in a transaction. */
export function openRunnerDatabase(sql: postgres.Sql, connections = 4): DatabaseClient {
  return openSibling(sql, connections, { ...planner, application_name: 'waxwing jobs' })
}
