// What /health and /metrics say about the queue.
import type { Context } from '../context'
import { countRunning, readBacklog } from './queries'
import type { Band } from './schema'

export interface QueueStatus {
  running: number
  /** Due jobs of each band that wait, and how long the oldest has been due. */
  bands: Record<Band, { waiting: number; oldestSeconds: number }>
}

export async function queueStatus(ctx: Context): Promise<QueueStatus> {
  const now = ctx.clock.now()
  const [rows, running] = await Promise.all([readBacklog(ctx, now), countRunning(ctx)])
  const byBand = rows.map(({ band, waiting, oldest }) => {
    const oldestSeconds = Math.max(0, now.getTime() - (oldest ?? now).getTime()) / 1_000
    return [band, { waiting, oldestSeconds }]
  })
  return { running, bands: Object.fromEntries(byBand) }
}

/** Sets the gauges of the queue; called when /metrics is read. */
export async function measureQueue(ctx: Context): Promise<void> {
  const { bands } = await queueStatus(ctx)
  for (const [band, { waiting, oldestSeconds }] of Object.entries(bands)) {
    ctx.metrics.queueDepth.set({ band }, waiting)
    ctx.metrics.queueAge.set({ band }, oldestSeconds)
  }
}
