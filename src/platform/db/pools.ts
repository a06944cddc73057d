// The pools of a running instance: requests have one and jobs another, so that neither can hold all connections of the other. The
// time limit of a statement is a start-up parameter of the pool's sessions and costs no round trip; LISTEN, migrations and the
// commands have pools without one, because COPY and index builds take as long as they take.
import type postgres from 'postgres'
import { minute } from '../../lib/time'
import { type DatabaseClient, openSibling } from './client'

/**
 * Above what one page of any job needs by far. It is no plan but a net: a run that is told to stop is left behind by the runner,
 * and its statement must not keep its connection for ever.
 */
const jobStatementMs = 10 * minute

/** Connections of requests; statements that come together share them, so more would only make the server swap. */
export const requestConnections = 12

/** One question takes one processor: whoever asks a heavy one must not get those of the others for it. */
const oneProcessor = { max_parallel_workers_per_gather: '0' }

/** For what answers requests; a statement of theirs that takes longer than `limitMs` is cancelled. */
export function openRequestPool(client: postgres.Sql, limitMs: number): DatabaseClient {
  return openSibling(client, requestConnections, {
    statement_timeout: String(limitMs),
    ...oneProcessor,
    application_name: 'waxwing requests',
  })
}

/** For what jobs do. */
export function openJobPool(client: postgres.Sql, connections: number): DatabaseClient {
  return openSibling(client, connections, { statement_timeout: String(jobStatementMs), ...oneProcessor })
}
