// When a campaign leaves: on which days while its domain is in a warm-up, and in which hours by the time zones of its recipients. Nothing is
// shown where all of it leaves at once.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { formatDateTime, formatNumber, formatUtcDay } from '../../ui/format'
import type { CampaignRow } from './data'

const forecastQuery = ({ id, version }: CampaignRow) =>
  queryOptions({
    queryKey: ['campaigns', 'forecast', id, version],
    queryFn: ({ signal }) =>
      answer(api.GET('/campaigns/{id}/forecast', { params: { path: { id } }, signal })),
    refetchInterval: 60_000,
    retry: false,
  })

const shownAtMost = 7

export function Forecast({ campaign }: { campaign: CampaignRow }) {
  const { data } = useQuery(forecastQuery(campaign))
  if (!data) return null
  const { domain, days, lastDate, moments, withoutTimeZone } = data
  const hours = moments.map(({ at, recipients }) => [formatDateTime(at), recipients] as const)
  const dates = days.map(({ date, messages }) => [formatUtcDay(date), messages] as const)
  return (
    <>
      {moments.length > 1 && (
        <Rows
          title={t.campaigns.forecastMoments}
          rows={hours}
          more={t.campaigns.forecastMoreHours}
          note={withoutTimeZone > 0 ? t.campaigns.withoutTimeZone(withoutTimeZone) : undefined}
        />
      )}
      {lastDate && days.length > 1 && (
        <Rows
          title={t.campaigns.forecast(domain, formatUtcDay(lastDate))}
          rows={dates}
          more={t.campaigns.forecastMore}
        />
      )}
    </>
  )
}

interface RowsProps {
  title: string
  rows: ReadonlyArray<readonly [when: string, count: number]>
  more: (count: number) => string
  note?: string | undefined
}

function Rows({ title, rows, more, note }: RowsProps) {
  return (
    <div className="mt-4 space-y-2">
      <p>{title}</p>
      <dl className="grid max-w-96 grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {rows.slice(0, shownAtMost).map(([when, count]) => (
          <div key={when} className="contents">
            <dt className="text-quiet">{when}</dt>
            <dd className="text-right tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {rows.length > shownAtMost && <p className="text-quiet">{more(rows.length - shownAtMost)}</p>}
      {note && <p className="text-quiet">{note}</p>}
    </div>
  )
}
