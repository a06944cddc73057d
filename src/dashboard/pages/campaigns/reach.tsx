// How many an audience reaches, and why the others of it get nothing, counted while it is chosen.
import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { ErrorNote } from '../../ui/error-note'
import { useRested } from '../../ui/rested'
import { type Audience, audienceQuery, type CampaignRow } from './data'
import { isWhole, onlyOwn } from './parts'

/** Undefined while it is not known. */
export function useReach(type: CampaignRow['type'], audience: Audience) {
  const rested = useRested(audience, 150)
  return useQuery({ ...audienceQuery(type, onlyOwn(rested)), enabled: isWhole(rested) })
}

const reasons = ['unsubscribed', 'snoozed', 'neverSubscribed', 'topic', 'suppressed', 'cap'] as const

interface ReachProps {
  type: CampaignRow['type']
  audience: Audience
}

/** "1,902 contacts will get it", and "93 won't: 61 unsubscribed, 20 suppressed". */
export function Reach({ type, audience }: ReachProps) {
  const { data, error, isPlaceholderData, refetch } = useReach(type, audience)
  if (!isWhole(audience)) return <p className="text-quiet">{t.campaigns.audienceUnfinished}</p>
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (!data) return <p className="text-quiet">{t.words.loading}</p>
  const { reached, delayed, skipped } = data
  const words = t.campaigns.reachOf
  const sentence = reasons.filter(reason => skipped[reason] > 0)
  const others = sentence.reduce((sum, reason) => sum + skipped[reason], 0)
  return (
    <div role="status" className={classes('space-y-1', isPlaceholderData && 'opacity-60')}>
      <p className={classes('text-lg font-semibold tabular-nums', reached === 0 && 'text-warn')}>
        {words.reached(reached)}
      </p>
      {others > 0 && (
        <p className="text-quiet tabular-nums">
          {words.others(others, sentence.map(reason => words.reasons[reason](skipped[reason])).join(', '))}
        </p>
      )}
      {delayed > 0 && <p className="text-quiet tabular-nums">{t.campaigns.heldByCap(delayed)}</p>}
    </div>
  )
}
