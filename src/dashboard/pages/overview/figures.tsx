// Totals of the span compared with the previous one, and the days as lines.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { language, t } from '../../texts'
import { classes } from '../../ui/classes'
import { formatNumber, formatPercent } from '../../ui/format'
import { Loaded, Skeleton } from '../../ui/loading'
import { Card, Empty } from '../../ui/page'
import { type Point, pointsQuery, type Span, shareOf, type Totals, totalsOf } from './data'

const Chart = lazy(() => import('../../ui/chart'))

export function Figures({ span }: { span: Span }) {
  const query = useQuery(pointsQuery(span))
  return (
    <Loaded query={query} outline={<Skeleton className="h-96 w-full" />}>
      {points => <Drawn points={points} span={span} />}
    </Loaded>
  )
}

function Drawn({ points, span }: { points: Point[]; span: Span }) {
  const now = points.slice(-span)
  const before = points.slice(0, -span)
  const hasMail = points.some(point => point.emails > 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names of the lines come with the language.
  const { at, series } = useMemo(() => linesOf(points, span), [points, span, language()])
  if (!hasMail) return <Empty title={t.overview.noMail}>{t.overview.noMailHint}</Empty>
  return (
    <Card className="overflow-hidden" flush>
      <Tiles now={totalsOf(now)} before={totalsOf(before)} />
      <div className="px-4 pt-4 pb-4 md:px-5">
        <Suspense fallback={<Skeleton className="h-[17rem] w-full" />}>
          <Chart label={t.overview.chart} at={at} series={series} />
        </Suspense>
      </div>
    </Card>
  )
}

function linesOf(points: Point[], span: Span) {
  const now = points.slice(-span)
  const before = points.slice(0, -span).slice(-span)
  return {
    at: now.map(point => Date.parse(point.date)),
    series: [
      { label: t.overview.sent, color: 'accent', values: now.map(point => point.sent) },
      { label: t.overview.opens, color: 'good', values: now.map(point => point.opens) },
      { label: t.overview.clicks, color: 'warn', values: now.map(point => point.clicks) },
      { label: t.overview.sentBefore, color: 'quiet', values: before.map(point => point.sent), faint: true },
    ],
  }
}

interface Tile {
  label: string
  value: string
  /** Change from the previous span: a percentage, or percentage points. */
  change?: string
  isGood?: boolean
}

function Tiles({ now, before }: { now: Totals; before: Totals }) {
  return (
    <dl className="-mt-2 grid grid-cols-2 gap-px border-b border-line bg-line md:grid-cols-3 lg:grid-cols-6">
      {tilesOf(now, before).map(({ label, value, change, isGood }) => (
        <div key={label} className="space-y-0.5 bg-sheet px-4 py-3.5 md:px-5">
          <dt className="text-quiet">{label}</dt>
          <dd className="text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd
            className={classes(
              'min-h-4 text-xs',
              isGood === undefined ? 'text-quiet' : isGood ? 'text-good' : 'text-bad',
            )}
          >
            {change}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function tilesOf(now: Totals, before: Totals): Tile[] {
  const rate = (name: keyof Totals, label: string, moreIsGood: boolean): Tile => {
    const share = shareOf(now[name], now.sent)
    const difference = share - shareOf(before[name], before.sent)
    const isUnknown = before.sent === 0 || now.sent === 0
    const isSame = isUnknown || Math.abs(difference) < 0.001
    return {
      label,
      // There is no share of nothing.
      value: now.sent === 0 ? '–' : formatPercent(share),
      change: isUnknown ? '' : isSame ? t.overview.asBefore : t.overview.points(difference * 100),
      ...(isSame ? {} : { isGood: difference > 0 === moreIsGood }),
    }
  }
  return [
    {
      label: t.overview.sent,
      value: formatNumber(now.sent),
      change: t.overview.before(formatNumber(before.sent)),
    },
    rate('delivered', t.overview.delivered, true),
    rate('opens', t.overview.opens, true),
    rate('clicks', t.overview.clicks, true),
    rate('bounces', t.overview.bounces, false),
    rate('complaints', t.overview.complaints, false),
  ]
}
