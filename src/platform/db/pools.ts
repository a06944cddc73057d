// The pools of a running instance: requests have one and jobs another, and each a second one for what is heavy in them, so that none can
// hold all connections of the others. The time limit of a statement is set when a session begins, which a pooler in front of the server allows;
// LISTEN, migrations and the commands have pools without one, because COPY and index builds take as long as they take.
import { availableParallelism } from 'node:os'
import type postgres from 'postgres'
import { minute } from '../../lib/time'
import { low, lowerPriority, lowest } from '../priority'
import { type DatabaseClient, openSibling } from './client'

/**
 * Above what one page of any job needs by far. It is not a target but a safety net: the runner leaves behind a run that it has told to stop,
 * and its statement must not keep its connection for ever.
 */
const jobStatementMs = 10 * minute

/** Connections of requests; statements that come together share them, so more would only make the server swap. */
export const requestConnections = 12

/** One query takes one processor: a heavy one must not take those of the others as well. */
const oneProcessor = { max_parallel_workers_per_gather: '0' }

/** Connections for queries that read all contacts, of requests and of jobs; both take turns for them anyway. */
export const heavyConnections = 4
export const heavyJobConnections = Math.max(2, Math.floor(availableParallelism() / 2))

export interface PoolServer {
  client: postgres.Sql
  /** The server runs on this machine, and is ours. */
  isBuiltIn: boolean
}

/** For what answers requests; a statement of theirs that takes longer than `limitMs` is canceled. */
export function openRequestPool({ client }: PoolServer, limitMs: number): DatabaseClient {
  return openSibling(client, requestConnections, {
    statement_timeout: String(limitMs),
    ...oneProcessor,
    application_name: 'waxwing requests',
  })
}

/** For what is heavy in requests: bounded as they are, and after them where processors are few. */
export function openHeavyPool(server: PoolServer, limitMs: number): DatabaseClient {
  return openReading(server, heavyConnections, limitMs)
}

/** For what is heavy in jobs and only reads. */
export function openHeavyJobPool(server: PoolServer): DatabaseClient {
  return openReading(server, heavyJobConnections, jobStatementMs)
}

function openReading(
  { client, isBuiltIn }: PoolServer,
  connections: number,
  limitMs: number,
): DatabaseClient {
  const settings = {
    statement_timeout: String(limitMs),
    ...oneProcessor,
    application_name: 'waxwing heavy',
  }
  return openSibling(client, connections, settings, isBuiltIn ? pid => lowerPriority(pid, lowest) : undefined)
}

/** For what jobs do: at low priority too. */
export function openJobPool({ client, isBuiltIn }: PoolServer, connections: number): DatabaseClient {
  const settings = { statement_timeout: String(jobStatementMs), ...oneProcessor }
  return openSibling(client, connections, settings, isBuiltIn ? pid => lowerPriority(pid, low) : undefined)
}

/**
 * The job runner's own few connections, for its heartbeat must not queue behind the statements of handlers, or a busy process would lose
 * its lease. Its statements find their rows by index and in the order of the index, and they are planned once, perhaps while the table is
 * empty, where reading and sorting all of it looks cheap: 5,000 jobs a second instead of 30,000, until the next autovacuum. So the other
 * ways are closed.
 */
export function openRunnerPool(client: postgres.Sql, connections = 4): DatabaseClient {
  const planner = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off', jit: 'off' }
  return openSibling(client, connections, { ...planner, application_name: 'waxwing jobs' })
}
