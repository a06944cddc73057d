// How opens and clicks are counted. Our own links and the provider's may both be in a message, and then both see the same hit; so each is
// counted separately, and the greater count is shown: nothing is missed and nothing counts twice. Only this file knows about that. Pure.
import type { HitCounts } from '../emails'
import type { DeliveryReport } from './report'

/** Counts one hit; a machine's is counted separately and not among the others. */
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
