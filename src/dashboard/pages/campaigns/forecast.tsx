// When a campaign leaves: on which days while its domain or its transports are in a warm-up, and in which hours by the time zones of its recipients
// and by the cap. Nothing is shown where all of it leaves at once.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { answer, api } from '../../api/client'
import { t } from '../../texts'
import { formatDateTime, formatNumber, formatUtcDay } from '../../ui/format'
import type { CampaignRow } from './data'

/** Of one that has not begun it counts all contacts, so it is asked for less often. */
const forecastQuery = ({ id, version, status }: CampaignRow) =>
  queryOptions({
    queryKey: ['campaigns', 'forecast', id, version],
    queryFn: ({ signal }) =>
      answer(api.GET('/campaigns/{id}/forecast', { params: { path: { id } }, signal })),
    refetchInterval: status === 'SENDING' ? 60_000 : 300_000,
    retry: false,
  })

const shownAtMost = 7

interface ForecastProps {
  campaign: CampaignRow
  /** Where it is said already whom the cap holds. */
  isBesideReach?: boolean
}

export function Forecast({ campaign, isBesideReach = false }: ForecastProps) {
  const { data } = useQuery(forecastQuery(campaign))
  if (!data) return null
  const { domain, transports, days, lastDate, moments, withoutTimeZone, heldByCap, skippedByCap } = data
  const words = t.campaigns
  const hours = moments.map(({ at, recipients }) => [formatDateTime(at), recipients] as const)
  const dates = days.map(({ date, messages }) => [formatUtcDay(date), messages] as const)
  const hasHours = moments.length > 1
  const hasDays = lastDate !== null && days.length > 1
  const notes = [
    ...(hasHours && withoutTimeZone > 0 ? [words.withoutTimeZone(withoutTimeZone)] : []),
    ...(heldByCap > 0 && !isBesideReach ? [words.heldByCap(heldByCap)] : []),
    ...(skippedByCap > 0 && !isBesideReach ? [words.skippedByCap(skippedByCap)] : []),
  ]
  const isMentioned = {
    OTHER_MAIL: heldByCap + skippedByCap > 0,
    OTHER_PROJECTS: hasDays,
    RECIPIENT_TRANSPORTS: hasDays,
  }
  const unknown = data.unknown.filter(each => isMentioned[each]).map(each => words.forecastUnknown[each])
  return (
    <>
      {hasHours && <Rows title={words.forecastMoments} rows={hours} more={words.forecastMoreHours} />}
      {hasDays && (
        <Rows
          title={
            transports.length > 0
              ? words.forecastTransports(transports.join(', '), formatUtcDay(lastDate))
              : words.forecast(domain, formatUtcDay(lastDate))
          }
          rows={dates}
          more={words.forecastMore}
        />
      )}
      {[...notes, ...unknown].map(note => (
        <p key={note} className="mt-2 text-quiet">
          {note}
        </p>
      ))}
    </>
  )
}

interface RowsProps {
  title: string
  rows: ReadonlyArray<readonly [when: string, count: number]>
  more: (count: number) => string
}

function Rows({ title, rows, more }: RowsProps) {
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
    </div>
  )
}
