// A campaign that has been sent or is being sent: its progress, its results, and who did what.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { answer, api } from '../../api/client'
import { ForSenders, ForWriters } from '../../app/rights'
import { refresh } from '../../app/session'
import { language, t } from '../../texts'
import { useBusy } from '../../ui/busy'
import { Button } from '../../ui/button'
import { ErrorNote } from '../../ui/error-note'
import { formatNumber, formatPercent } from '../../ui/format'
import { Loaded, Skeleton } from '../../ui/loading'
import { FittedMail } from '../../ui/mail/fitted'
import { Card, Page } from '../../ui/page'
import { Progress } from '../../ui/progress'
import { Time } from '../../ui/time'
import { toast } from '../../ui/toast'
import { AbResults } from './ab-results'
import { Back } from './back'
import { abResultsQuery, type CampaignRow, checkQuery, type Stats, statsQuery, timelineQuery } from './data'
import { Forecast } from './forecast'
import { Links } from './links'
import { More } from './more'
import { NextSteps } from './next-steps'
import { Receivers } from './receivers'
import { Recipients } from './recipients'
import { CampaignStatus } from './status'

const Chart = lazy(() => import('../../ui/chart'))

export function Results({ campaign }: { campaign: CampaignRow }) {
  const query = useQuery(statsQuery(campaign.id))
  return (
    <Page
      title={campaign.name}
      state={<CampaignStatus campaign={campaign} />}
      description={campaign.sentAt && <Time at={campaign.sentAt} exact />}
      above={<Back />}
      actions={
        <>
          <More campaign={campaign} />
          <Actions campaign={campaign} stats={query.data} />
        </>
      }
    >
      {campaign.pausedReason && (
        <ErrorNote error={new Error(t.campaigns.pausedBecause(campaign.pausedReason))} />
      )}
      <Receivers campaign={campaign} />
      <Loaded query={query} outline={<Skeleton className="h-48 w-full" />}>
        {stats => (
          <>
            <Running campaign={campaign} stats={stats} />
            {stats.status === 'SENDING' && <Forecast campaign={campaign} />}
            <Tiles stats={stats} />
            {stats.skippedByRuleCount > 0 && (
              <p className="text-quiet">{t.campaigns.skippedByRule(stats.skippedByRuleCount)}</p>
            )}
          </>
        )}
      </Loaded>
      <AbResults campaign={campaign} />
      {query.data && (
        <ForWriters>
          <NextSteps campaign={campaign} stats={query.data} />
        </ForWriters>
      )}
      <div className="grid gap-6 lg:grid-cols-2">
        <Hours id={campaign.id} />
        <Links id={campaign.id} />
      </div>
      <Sent campaign={campaign} />
      <Recipients campaign={campaign} />
    </Page>
  )
}

/** As it was sent, in its layout, to somebody without data. */
function Sent({ campaign: { id, version } }: { campaign: CampaignRow }) {
  const query = useQuery(checkQuery(id, version, 'A'))
  return (
    <Loaded query={query} outline={<Skeleton className="h-112 w-full" />}>
      {({ subject, html }) => (
        <Card title={subject}>
          <div className="max-h-112 overflow-y-auto">
            <FittedMail html={html} title={subject} width={680} />
          </div>
        </Card>
      )}
    </Loaded>
  )
}

function Actions({ campaign: { id, status, pausedAt }, stats }: { campaign: CampaignRow; stats?: Stats }) {
  const [busy, run] = useBusy()
  const act = async (action: 'pause' | 'resume' | 'retry-failed'): Promise<void> => {
    await run(async () => {
      const params = { params: { path: { id } } }
      if (action === 'retry-failed') {
        const { requeued } = await answer(api.POST('/campaigns/{id}/retry-failed', params))
        toast(t.campaigns.retried(requeued))
      } else await answer(api.POST(`/campaigns/{id}/${action}`, params))
    })
    void refresh('campaigns')
  }
  const failed = (stats?.failedCount ?? 0) + (stats?.skippedCount ?? 0)
  return (
    <>
      {failed > 0 && status === 'SENT' && (
        <ForSenders label={t.campaigns.retryFailed}>
          <Button busy={busy} onClick={() => act('retry-failed')}>
            {t.campaigns.retryFailed}
          </Button>
        </ForSenders>
      )}
      {status === 'SENDING' && pausedAt && (
        <ForSenders label={t.campaigns.resume} variant="strong">
          <Button variant="strong" busy={busy} onClick={() => act('resume')}>
            {t.campaigns.resume}
          </Button>
        </ForSenders>
      )}
      {status === 'SENDING' && !pausedAt && (
        <ForWriters>
          <Button variant="strong" busy={busy} onClick={() => act('pause')}>
            {t.campaigns.pause}
          </Button>
        </ForWriters>
      )}
    </>
  )
}

function Running({
  campaign: { id, abTest, receivers = [] },
  stats,
}: {
  campaign: CampaignRow
  stats: Stats
}) {
  const { status, progress, totalRecipients, heldCount } = stats
  const { data: test } = useQuery({ ...abResultsQuery(id), enabled: !!abTest && status === 'SENDING' })
  if (status !== 'SENDING') return null
  const { processed, ratePerSecond, secondsLeft } = progress
  // Those who wait for their mailbox provider are named with it.
  const forProviders = receivers.reduce((sum, { heldCount: each }) => sum + each, 0)
  const held = Math.max(0, heldCount - forProviders)
  const isHalted = heldCount > 0 && processed + heldCount >= totalRecipients
  // Nothing is on its way then, so a pace would be wrong.
  const waits = test?.state === 'UNDECIDED' || (test?.state === 'TESTING' && test.dueAt !== null)
  const percent = totalRecipients === 0 ? 0 : Math.round((processed / totalRecipients) * 100)
  return (
    <>
      <Progress
        label={
          waits
            ? t.campaigns.waitsForTest(processed, totalRecipients)
            : t.campaigns.progress(
                processed,
                totalRecipients,
                isHalted ? null : ratePerSecond,
                isHalted ? null : secondsLeft,
              )
        }
        percent={percent}
      />
      {held > 0 && <p className="text-quiet">{t.campaigns.held(held)}</p>}
    </>
  )
}

function Tiles({ stats }: { stats: Stats }) {
  const share = (rate: number): string => formatPercent(rate / 100)
  const { tiles } = t.campaigns
  const { usual } = stats
  const all: Array<[label: string, value: string, note: string, usual?: number]> = [
    [tiles.sent, formatNumber(stats.sentCount), t.campaigns.ofRecipients(stats.totalRecipients)],
    [tiles.delivered, share(stats.deliveryRate), formatNumber(stats.deliveredCount), usual?.deliveryRate],
    [
      tiles.opened,
      share(stats.openRate),
      t.campaigns.peopleAndPrograms(stats.openedCount, stats.machineOpenedCount),
      usual?.openRate,
    ],
    [
      tiles.clicked,
      share(stats.clickRate),
      t.campaigns.peopleAndPrograms(stats.clickedCount, stats.machineClickedCount),
      usual?.clickRate,
    ],
    [tiles.bounced, share(stats.bounceRate), formatNumber(stats.bouncedCount), usual?.bounceRate],
    [
      tiles.unsubscribed,
      share(stats.unsubscribeRate),
      formatNumber(stats.unsubscribedCount),
      usual?.unsubscribeRate,
    ],
  ]
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3 lg:grid-cols-6">
      {all.map(([label, value, note, usually]) => (
        <div key={label} className="space-y-0.5 bg-sheet px-4 py-3.5">
          <dt className="text-quiet">{label}</dt>
          <dd className="text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className="text-xs text-quiet">{note}</dd>
          {usually !== undefined && (
            <dd className="text-xs text-quiet tabular-nums">{t.campaigns.usually(share(usually))}</dd>
          )}
        </div>
      ))}
    </dl>
  )
}

const hourMs = 3_600_000

function Hours({ id }: { id: string }) {
  const query = useQuery(timelineQuery(id))
  return (
    <Card title={t.campaigns.overTime}>
      <Loaded query={query}>
        {hours =>
          hours.length === 0 ? <p className="text-quiet">{t.words.nothingYet}</p> : <Drawn hours={hours} />
        }
      </Loaded>
    </Card>
  )
}

interface Hour {
  at: string
  opened: number
  clicked: number
}

function Drawn({ hours }: { hours: readonly Hour[] }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of the lines come with the language.
  const { at, series } = useMemo(() => linesOf(hours), [hours, language()])
  return (
    <Suspense fallback={<Skeleton className="h-60 w-full" />}>
      <Chart label={t.campaigns.overTime} at={at} series={series} />
    </Suspense>
  )
}

/** Hours without any hits are included too, and at least a day, so that the line shows how long it was quiet. */
function linesOf(hours: readonly Hour[]) {
  const first = Date.parse(hours[0]!.at)
  const last = Math.max(Date.parse(hours.at(-1)!.at), first + 23 * hourMs)
  const known = new Map(hours.map(hour => [Date.parse(hour.at), hour]))
  const at = Array.from(
    { length: Math.round((last - first) / hourMs) + 1 },
    (_, index) => first + index * hourMs,
  )
  const values = (name: 'opened' | 'clicked'): number[] => at.map(moment => known.get(moment)?.[name] ?? 0)
  return {
    at,
    series: [
      { label: t.campaigns.tiles.opened, color: 'good', values: values('opened') },
      { label: t.campaigns.tiles.clicked, color: 'accent', values: values('clicked') },
    ],
  }
}
