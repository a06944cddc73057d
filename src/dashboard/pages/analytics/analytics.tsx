// Figures over a span compared with the previous one, and what did best in it.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Select } from '../../ui/field'
import { formatNumber, formatPercent } from '../../ui/format'
import { Loaded, Skeleton } from '../../ui/loading'
import { Card, Page } from '../../ui/page'
import { type Line, lines, type Point, pointsQuery, type Span, spans, sumOf } from './data'
import { TopCampaigns, TopEvents, TopTemplates } from './tops'

const Chart = lazy(() => import('../../ui/chart'))
const route = getRouteApi('/inside/analytics')

export function Analytics() {
  const search = route.useSearch()
  const span = spans.find(days => String(days) === search.days) ?? 30
  const line = lines.find(each => each === search.show) ?? 'emails'
  const navigate = useNavigate()
  const change = (part: Record<string, string>) =>
    void navigate({ to: '/analytics', search: { ...search, ...part }, replace: true })
  const query = useQuery(pointsQuery(span))
  return (
    <Page
      title={t.analytics.title}
      description={t.analytics.about}
      actions={
        <Select
          label={t.words.period}
          value={span}
          options={spans.map(days => [String(days), t.messages.lastDays(days)])}
          onChange={days => change({ days })}
        />
      }
    >
      <Loaded query={query} outline={<Skeleton className="h-96 w-full" />}>
        {points => <Series points={points} span={span} line={line} onLine={show => change({ show })} />}
      </Loaded>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TopCampaigns span={span} metric={search.metric} onMetric={metric => change({ metric })} />
        <TopTemplates span={span} />
        <TopEvents span={span} />
      </div>
    </Page>
  )
}

interface SeriesProps {
  points: Point[]
  span: Span
  line: Line
  onLine: (line: Line) => void
}

function Series({ points, span, line, onLine }: SeriesProps) {
  const now = points.slice(-span)
  const before = points.slice(0, -span).slice(-span)
  const { at, series } = useMemo(() => {
    const [shown, earlier] = [points.slice(-span), points.slice(0, -span).slice(-span)]
    return {
      at: shown.map(({ date }) => Date.parse(date)),
      series: [
        { label: t.analytics.lines[line], color: 'accent', values: shown.map(point => point[line]) },
        { label: t.words.daysBefore, color: 'quiet', values: earlier.map(point => point[line]), faint: true },
      ],
    }
  }, [points, span, line])
  return (
    <Card flush className="overflow-hidden">
      <fieldset className="-mt-2 grid min-w-0 grid-cols-2 gap-px border-b border-line bg-line max-lg:[&>*:last-child]:col-span-2 sm:grid-cols-4 lg:grid-cols-7">
        <legend className="sr-only">{t.analytics.choose}</legend>
        {lines.map(each => (
          <Tile
            key={each}
            line={each}
            now={now}
            before={before}
            isOn={each === line}
            onChoose={() => onLine(each)}
          />
        ))}
      </fieldset>
      <div className="px-4 py-4 md:px-5">
        <Suspense fallback={<Skeleton className="h-[17rem] w-full" />}>
          <Chart label={t.analytics.lines[line]} at={at} series={series} />
        </Suspense>
      </div>
    </Card>
  )
}

interface TileProps {
  line: Line
  now: readonly Point[]
  before: readonly Point[]
  isOn: boolean
  onChoose: () => void
}

function Tile({ line, now, before, isOn, onChoose }: TileProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onChoose}
      className={classes('space-y-0.5 px-4 py-3 text-left', isOn ? 'bg-hover' : 'bg-sheet hover:bg-hover')}
    >
      <span className={classes('block', isOn ? 'font-medium text-ink' : 'text-quiet')}>
        {t.analytics.lines[line]}
      </span>
      <span className="block text-lg font-semibold tracking-tight tabular-nums">
        {formatNumber(sumOf(now, line))}
      </span>
      <span className="block text-xs text-quiet tabular-nums">{compared(line, now, before)}</span>
    </button>
  )
}

/** Beside the span before: how many emails, or the share of them to which it happened. */
function compared(line: Line, now: readonly Point[], before: readonly Point[]): string {
  const earlier = sumOf(before, 'emails')
  if (line === 'emails') return t.analytics.vs(formatNumber(earlier))
  const share = (points: readonly Point[], emails: number): string =>
    emails === 0 ? '–' : formatPercent(sumOf(points, line) / emails)
  return `${share(now, sumOf(now, 'emails'))} ${t.analytics.vs(share(before, earlier))}`
}
