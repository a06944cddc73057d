// What did best in a span: campaigns, templates, events.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Select } from '../../ui/field'
import { formatNumber, formatPercent } from '../../ui/format'
import { Loaded } from '../../ui/loading'
import { Card } from '../../ui/page'
import { campaignsQuery, eventsQuery, metrics, type Span, templatesQuery } from './data'

interface CampaignsProps {
  span: Span
  metric?: string
  onMetric: (metric: string) => void
}

export function TopCampaigns({ span, metric, onMetric }: CampaignsProps) {
  const by = metrics.find(each => each === metric) ?? 'opened'
  const query = useQuery(campaignsQuery(span, by))
  return (
    <Card
      title={t.campaigns.title}
      actions={
        <Select
          label={t.analytics.rankedBy}
          className="w-auto max-w-60"
          value={by}
          options={metrics.map(each => [each, t.analytics.by[each]])}
          onChange={onMetric}
        />
      }
    >
      <Loaded query={query}>
        {rows => (
          <Ranking
            label={t.campaigns.title}
            heads={rates()}
            rows={rows.map(row => ({ id: row.id, name: row.name, cells: ratesOf(row) }))}
          />
        )}
      </Loaded>
    </Card>
  )
}

const rates = () => [t.analytics.sent, t.analytics.opened, t.analytics.clicked]

type Rated = Record<'sentCount' | 'openRate' | 'clickRate', number>

const ratesOf = ({ sentCount, openRate, clickRate }: Rated): string[] => [
  formatNumber(sentCount),
  formatPercent(openRate / 100),
  formatPercent(clickRate / 100),
]

export function TopTemplates({ span }: { span: Span }) {
  const query = useQuery(templatesQuery(span))
  return (
    <Card title={t.templates.title}>
      <Loaded query={query}>
        {rows => (
          <Ranking
            label={t.templates.title}
            heads={rates()}
            rows={rows.map(row => ({
              id: row.id,
              name: (
                <Link to="/messages" search={{ template: row.id }} className="hover:underline">
                  {row.name}
                </Link>
              ),
              cells: ratesOf(row),
            }))}
          />
        )}
      </Loaded>
    </Card>
  )
}

export function TopEvents({ span }: { span: Span }) {
  const query = useQuery(eventsQuery(span))
  return (
    <Card title={t.events.title}>
      <Loaded query={query}>
        {rows => (
          <Ranking
            label={t.events.title}
            heads={[t.events.count, t.analytics.change]}
            rows={rows.map(({ name, count, trend }) => ({
              id: name,
              name: (
                <Link to="/events/$name" params={{ name }} className="hover:underline">
                  {name}
                </Link>
              ),
              cells: [formatNumber(count), `${trend > 0 ? '+' : ''}${formatPercent(trend / 100)}`],
            }))}
          />
        )}
      </Loaded>
    </Card>
  )
}

interface RankingProps {
  label: string
  heads: string[]
  rows: Array<{ id: string; name: ReactNode; cells: string[] }>
}

function Ranking({ label, heads, rows }: RankingProps) {
  if (rows.length === 0) return <p className="text-quiet">{t.analytics.nothing}</p>
  return (
    <table aria-label={label} className="w-full tabular-nums">
      <thead className="text-xs text-quiet">
        <tr>
          <th scope="col" className="pb-1.5 text-left font-medium">
            {t.words.name}
          </th>
          {heads.map(head => (
            <th key={head} scope="col" className="pb-1.5 pl-4 text-right font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, cells }) => (
          <tr key={id} className="border-t border-line">
            <td className="w-full max-w-0 truncate py-2 font-medium">{name}</td>
            {cells.map((cell, index) => (
              <td
                key={heads[index]}
                className={classes('py-2 pl-4 text-right whitespace-nowrap', index > 0 && 'text-quiet')}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
