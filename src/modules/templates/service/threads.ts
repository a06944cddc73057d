// The threads that parse and render templates which would hold up requests.
import { availableParallelism } from 'node:os'
import { second } from '../../../lib/time'
import type { RemoteAnswer, RemoteJob } from '../../../liquid/costly'
import { createPool, threadProgram, type WorkerPool } from '../../../platform/workers/pool'

let pool: WorkerPool<RemoteJob, RemoteAnswer> | undefined

/** They belong to the process, like its processors, and start with the first job. */
export function renderThreads(): WorkerPool<RemoteJob, RemoteAnswer> {
  pool ??= createPool({
    start: () => new Worker(threadProgram('render-worker'), { smol: true, ref: false }),
    // One processor is left to everything else.
    size: Math.min(2, Math.max(1, availableParallelism() - 1)),
    idleMs: 30 * second,
  })
  return pool
}
