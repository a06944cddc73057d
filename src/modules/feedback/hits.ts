// How opens and clicks are counted. Our own links and the provider's may both be in a message, and then both see the same hit; so
// each is counted apart, and what is shown is the greater count: nothing is missed and nothing counts twice. This is the only place
// that knows. Pure.
import type { HitCounts } from '../emails'
import type { DeliveryReport } from './report'

/** Counts one hit; a machine's is counted for itself and is no part of the rest. */
export function countHit(
  counts: HitCounts,
  kind: 'open' | 'click',
  { source, machine }: Pick<DeliveryReport, 'source' | 'machine'>,
): void {
  const seer = machine ? 'machine' : source === 'own' ? 'own' : 'provider'
  if (kind === 'open') {
    counts[`${seer}Opens`] += 1
    counts.opens = Math.max(counts.ownOpens, counts.providerOpens)
  } else {
    counts[`${seer}Clicks`] += 1
    counts.clicks = Math.max(counts.ownClicks, counts.providerClicks)
  }
}
