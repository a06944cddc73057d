// Records hits without making anybody wait: those of one moment share a statement, and equal ones a row. While the database is away hits
// are lost, with a line in the log; the redirect takes its address from the token and is sent all the same.
import { batcher, type Settled } from '../../../../lib/batcher'
import { second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { insertHits, type StoredHit } from '../queries/tracking'

export interface HitRecorder {
  record(hit: StoredHit): void
  /** Resolves when all that was recorded so far is written, or lost. */
  settled(): Promise<void>
}

/** For one message in one window. No reader comes near it; whoever hammers a link notices nothing and costs little. */
export const maxHitsPerMessage = 500
const windowMs = 10 * second

/** Beyond it the database is away or far behind, and memory is worth more than a count. */
const maxWaiting = 20_000

/** One for each process. */
export const hitRecorder = perContext<HitRecorder>(ctx => {
  const write = batcher<StoredHit, void>(hits => writeBatch(ctx, hits), { size: 500, delayMs: 10 })
  const underway = new Set<Promise<void>>()
  const isExcess = excessWatch(ctx)
  return {
    record(hit) {
      const refusal = isExcess(hit.emailId) ? 'excess' : underway.size >= maxWaiting ? 'lost' : undefined
      if (refusal) {
        ctx.metrics.trackingHits.inc({ outcome: refusal })
        return
      }
      const written = write(hit).finally(() => underway.delete(written))
      underway.add(written)
    },
    settled: async () => void (await Promise.all(underway)),
  }
})

/** Returns whether a message had more hits in this window than are recorded. */
function excessWatch({ clock }: Context): (emailId: string) => boolean {
  let counts = new Map<string, number>()
  let window = 0
  return emailId => {
    const current = Math.floor(clock.now().getTime() / windowMs)
    if (current !== window) [counts, window] = [new Map(), current]
    const count = (counts.get(emailId) ?? 0) + 1
    counts.set(emailId, count)
    return count > maxHitsPerMessage
  }
}

/** Never rejects: a lost hit must not break an answer. */
async function writeBatch(ctx: Context, hits: StoredHit[]): Promise<Settled<void>[]> {
  try {
    await insertHits(ctx, merged(hits))
    ctx.metrics.trackingHits.inc({ outcome: 'recorded' }, hits.length)
  } catch (error) {
    ctx.metrics.trackingHits.inc({ outcome: 'lost' }, hits.length)
    ctx.log.warn(
      { hits: hits.length, error: String(error) },
      'opens and clicks could not be recorded and are lost',
    )
  }
  return hits.map(() => ({ value: undefined }))
}

/** Merges equal hits into one row, at the time of the first. */
function merged(hits: readonly StoredHit[]): StoredHit[] {
  const rows = new Map<string, StoredHit>()
  for (const hit of hits) {
    const name = [hit.projectId, hit.emailId, hit.kind, hit.client, hit.link].join(' ')
    const row = rows.get(name)
    if (row) row.hits += hit.hits
    else rows.set(name, { ...hit })
  }
  return [...rows.values()]
}
