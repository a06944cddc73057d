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
  const byBand = rows.map(({ band, waiting, oldest }) => {
    const oldestSeconds = Math.max(0, now.getTime() - (oldest ?? now).getTime()) / 1_000
    return [band, { waiting, oldestSeconds }]
  })
  return { running, bands: Object.fromEntries(byBand) }
}

/** Sets the gauges of the queue; called when /metrics is read. */
export async function measureQueue(ctx: Context): Promise<void> {
  const status = await queueStatus(ctx)
  for (const band of bands) {
    ctx.metrics.queueDepth.set({ band }, status.bands[band].waiting)
    ctx.metrics.queueAge.set({ band }, status.bands[band].oldestSeconds)
  }
}
