// On which days a campaign leaves, while its domain is in a warm-up. Nothing is shown where all of it leaves at once.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { formatNumber, formatUtcDay } from '../../ui/format'
import type { CampaignRow } from './data'

const forecastQuery = ({ id, version }: CampaignRow) =>
  queryOptions({
    queryKey: ['campaigns', 'forecast', id, version],
    queryFn: ({ signal }) =>
      answer(api.GET('/campaigns/{id}/forecast', { params: { path: { id } }, signal })),
    refetchInterval: 60_000,
    retry: false,
  })

const daysShown = 7

export function Forecast({ campaign }: { campaign: CampaignRow }) {
  const { data } = useQuery(forecastQuery(campaign))
  if (!data?.lastDate || data.days.length < 2) return null
  const shown = data.days.slice(0, daysShown)
  return (
    <div className="mt-4 space-y-2">
      <p>{t.campaigns.forecast(data.domain, formatUtcDay(data.lastDate))}</p>
      <dl className="grid max-w-96 grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {shown.map(({ date, messages }) => (
          <div key={date} className="contents">
            <dt className="text-quiet">{formatUtcDay(date)}</dt>
            <dd className="text-right tabular-nums">{formatNumber(messages)}</dd>
          </div>
        ))}
      </dl>
      {data.days.length > daysShown && (
        <p className="text-quiet">{t.campaigns.forecastMore(data.days.length - daysShown)}</p>
      )}
    </div>
  )
}
