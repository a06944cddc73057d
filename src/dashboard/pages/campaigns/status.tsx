// The state of a campaign in a word.
import { t } from '../../texts'
import { Badge, type Tone } from '../../ui/badge'
import type { CampaignRow } from './data'

const tones: Record<string, Tone> = { SCHEDULED: 'accent', SENDING: 'warn', SENT: 'good' }

export function CampaignStatus({ campaign: { status, pausedAt, pausedReason } }: { campaign: CampaignRow }) {
  if (status === 'SENDING' && pausedAt)
    return <Badge tone={pausedReason ? 'bad' : 'neutral'}>{t.campaigns.paused}</Badge>
  return <Badge tone={tones[status]}>{t.campaigns.statuses[status]}</Badge>
}
