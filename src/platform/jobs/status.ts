// What /health and /metrics say about the queue.
import type { Context } from '../context'
import { countRunning, readBacklog } from './queries'
import { type Band, bands } from './schema'

export interface BandStatus {
  /** Due jobs that wait to run; counting stops at `countLimit`. */
  waiting: number
  /** How long the oldest of them has been due. */
  oldestSeconds: number
}

export interface QueueStatus {
  running: number
  bands: Record<Band, BandStatus>
}

/** A backlog beyond this is "very many": an exact count would cost more than anyone gains from it. */
const countLimit = 100_000

export async function queueStatus(ctx: Context): Promise<QueueStatus> {
  const now = ctx.clock.now()
  const [rows, running] = await Promise.all([readBacklog(ctx, bands, now, countLimit), countRunning(ctx)])
  const byBand = new Map(rows.map(row => [row.band, row]))
  const describe = (band: Band): BandStatus => {
    const { waiting = 0, oldest = null } = byBand.get(band) ?? {}
    return { waiting, oldestSeconds: oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1_000) : 0 }
  }
  return {
    running,
    bands: {
      transactional: describe('transactional'),
      system: describe('system'),
      workflow: describe('workflow'),
      bulk: describe('bulk'),
    },
  }
}

/** Sets the gauges of the queue; called when /metrics is read. */
export async function measureQueue(ctx: Context): Promise<void> {
  const status = await queueStatus(ctx)
  for (const band of bands) {
    ctx.metrics.queueDepth.set({ band }, status.bands[band].waiting)
    ctx.metrics.queueAge.set({ band }, status.bands[band].oldestSeconds)
  }
}
