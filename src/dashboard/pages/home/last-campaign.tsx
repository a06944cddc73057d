// The campaign that was sent last, or is being sent: its rates beside what is usual, and when it was opened.
import { useQuery } from '@tanstack/react-query'
import { t } from '../../texts'
import { ButtonLink } from '../../ui/button'
import { classes } from '../../ui/classes'
import { formatDateTime, formatNumber, formatPercent } from '../../ui/format'
import { Loaded, Skeleton } from '../../ui/loading'
import { Card } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { type CampaignRow, sendingQuery, sentQuery, statsQuery, timelineQuery } from './data'
import { lastOf, opensByHour, type Rate, rates, usualOf } from './figures'

export function LastCampaign() {
  const sending = useQuery(sendingQuery)
  const sent = useQuery(sentQuery)
  return (
    <Loaded query={sent} outline={<Skeleton className="h-64 w-full" />}>
      {({ data }) => {
        const campaign = lastOf([...(sending.data?.data ?? []), ...data])
        if (campaign) return <Shown campaign={campaign} sent={data} />
        return (
          <Card title={t.home.lastCampaign}>
            <p className="text-quiet">{t.home.noCampaign}</p>
          </Card>
        )
      }}
    </Loaded>
  )
}

function Shown({ campaign, sent }: { campaign: CampaignRow; sent: readonly CampaignRow[] }) {
  const { id, name, status, sentAt, sentCount, totalRecipients, openedCount } = campaign
  const notOpened = sentCount - openedCount
  return (
    <section
      aria-labelledby="last-campaign"
      className="rounded-lg border border-line bg-sheet px-4 py-4 md:px-5"
    >
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <p className="text-xs text-quiet">{t.home.lastCampaign}</p>
          <h2 id="last-campaign" className="text-base font-semibold wrap-anywhere">
            {name}
          </h2>
          {sentAt && (
            <p className="text-[0.8125rem] text-quiet">
              {t.home.sentTo(formatDateTime(sentAt), totalRecipients)}
            </p>
          )}
        </div>
        <ButtonLink to="/campaigns/$id" params={{ id }}>
          {t.home.viewResults}
        </ButtonLink>
      </header>
      {status === 'SENDING' && <Sending campaign={campaign} />}
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-3 sm:grid-cols-5">
        {rates.map(rate => (
          <Figure
            key={rate}
            rate={rate}
            isUnknown={sentCount === 0}
            value={campaign[`${rate}Count`] / sentCount}
            usual={usualOf(campaign, sent, rate)}
          />
        ))}
        <Unsubscribed id={id} sentCount={sentCount} />
      </dl>
      {sentAt && <Opens id={id} sentAt={sentAt} />}
      {status === 'SENT' && notOpened > 0 && sentCount > 0 && (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
          <p className="min-w-0 flex-1 basis-48 text-[0.8125rem]">{t.home.notOpened(notOpened)}</p>
          <ButtonLink
            to="/campaigns/$id"
            params={{ id }}
            search={{ reaction: 'notOpened' }}
            hash="recipients"
          >
            {t.home.showContacts}
          </ButtonLink>
        </div>
      )}
    </section>
  )
}

function Sending({ campaign: { id, name } }: { campaign: CampaignRow }) {
  const { data } = useQuery(statsQuery(id))
  if (!data) return null
  const { progress, totalRecipients } = data
  const percent = totalRecipients === 0 ? 0 : Math.round((progress.processed / totalRecipients) * 100)
  return (
    <div className="mt-4">
      <Progress label={t.home.sending(name)} percent={percent} />
    </div>
  )
}

interface FigureProps {
  rate: Rate
  isUnknown: boolean
  value: number
  usual: number | undefined
}

/** Differences below this are none, in percentage points. */
const smallest = 0.05

function Figure({ rate, isUnknown, value, usual }: FigureProps) {
  const points = isUnknown || usual === undefined ? undefined : (value - usual) * 100
  const isSame = points !== undefined && Math.abs(points) < smallest
  const isBetter = points !== undefined && points > 0 === (rate !== 'bounced')
  return (
    <div>
      <dt className="text-[0.8125rem] text-quiet">{t.home.rates[rate]}</dt>
      <dd className="text-lg/6 font-semibold tracking-tight tabular-nums">
        {isUnknown ? '–' : formatPercent(value)}
      </dd>
      {points !== undefined && (
        <dd className={classes('text-xs', isSame ? 'text-quiet' : isBetter ? 'text-good' : 'text-warn')}>
          {isSame ? t.home.asUsual : t.home.vsUsual(points)}
        </dd>
      )}
    </div>
  )
}

function Unsubscribed({ id, sentCount }: { id: string; sentCount: number }) {
  const { data } = useQuery(statsQuery(id))
  return (
    <div>
      <dt className="text-[0.8125rem] text-quiet">{t.home.rates.unsubscribed}</dt>
      <dd className="text-lg/6 font-semibold tracking-tight tabular-nums">
        {data && sentCount > 0 ? formatPercent(data.unsubscribedCount / sentCount) : '–'}
      </dd>
      {data && <dd className="text-xs text-quiet">{t.home.contacts(data.unsubscribedCount)}</dd>}
    </div>
  )
}

const hours = 48

/** When the campaign was opened, in its first two days; nothing while nobody has opened it. */
function Opens({ id, sentAt }: { id: string; sentAt: string }) {
  const { data } = useQuery({ ...timelineQuery(id), select: found => opensByHour(found, sentAt, hours) })
  const highest = Math.max(...(data ?? [0]))
  if (!data || highest === 0) return null
  const line = data.map((opens, hour) => `${hour},${40 - (opens / highest) * 38}`).join(' L')
  const total = data.reduce((sum, opens) => sum + opens, 0)
  return (
    <figure className="mt-3">
      <svg
        role="img"
        aria-label={t.home.opensChart(formatNumber(total))}
        viewBox={`0 0 ${hours - 1} 40`}
        preserveAspectRatio="none"
        className="h-11 w-full overflow-visible border-b border-line"
      >
        <path className="fill-accent-soft" d={`M0,40 L${line} L${hours - 1},40 Z`} />
        <path
          className="fill-none stroke-accent"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
          d={`M${line}`}
        />
      </svg>
      <figcaption className="flex justify-between pt-1 text-xs text-quiet">
        <span>{t.home.opensPerHour}</span>
        <span>{t.home.firstHours(hours)}</span>
      </figcaption>
    </figure>
  )
}
