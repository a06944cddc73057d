// The threads that parse and render templates which would hold up requests.
import { availableParallelism } from 'node:os'
import { second } from '../../../../lib/time'
import type { RemoteAnswer, RemoteJob } from '../../../../liquid/costly'
import { createPool, threadProgram, type WorkerPool } from '../../../../platform/workers/pool'

type RenderPool = WorkerPool<RemoteJob, RemoteAnswer>

let pool: RenderPool | undefined

/** They belong to the process, like its processors, and start with the first job. */
export function renderThreads(): RenderPool {
  pool ??= createPool({
    start: () => new Worker(threadProgram('render-worker'), { smol: true, ref: false }),
    // One processor is left to everything else.
    size: Math.min(2, Math.max(1, availableParallelism() - 1)),
    idleMs: 30 * second,
  })
  return pool
}

/** Other ones from now on, with other bounds; without any, those of the product again. For tests. */
export function replaceRenderThreads(other?: RenderPool): void {
  pool = other
}
