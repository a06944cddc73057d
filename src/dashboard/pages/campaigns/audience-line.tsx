// Who gets a campaign, as a line above its paper; the choice is made in the part for it.
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../texts'
import { useAudienceName } from './audience'
import type { Audience, CampaignRow } from './data'
import { isWhole } from './parts'
import { useReach } from './reach'

interface AudienceLineProps {
  id: string
  type: CampaignRow['type']
  audience: Audience
}

export function AudienceLine({ id, type, audience }: AudienceLineProps) {
  const navigate = useNavigate()
  const audienceName = useAudienceName(audience)
  const { data } = useReach(type, audience)
  const count = data?.reached
  return (
    <div className="flex min-h-11 items-center gap-2 border-t border-line px-4 md:min-h-9 md:px-8">
      <span className="w-24 shrink-0 text-[0.8125rem] text-quiet">{t.campaigns.to}</span>
      <span className="min-w-0 flex-1 truncate">
        <span className="rounded-md border border-line bg-sunken px-2 py-0.5 text-[0.8125rem]">
          {audienceName}
        </span>
      </span>
      <button
        type="button"
        className="shrink-0 text-[0.8125rem] font-medium text-accent tabular-nums max-md:min-h-11"
        onClick={() => void navigate({ to: '/campaigns/$id', params: { id }, search: { part: 'audience' } })}
      >
        {isWhole(audience) && count !== undefined
          ? t.campaigns.recipientCount(count)
          : t.campaigns.chooseAudience}
      </button>
    </div>
  )
}
