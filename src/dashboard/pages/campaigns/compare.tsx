// Two campaigns side by side, figure by figure.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { Select } from '../../ui/field'
import { formatNumber, formatPercent } from '../../ui/format'
import { Empty, Page } from '../../ui/page'
import { Back } from './back'
import { campaignsQuery, type Stats, statsQuery } from './data'

const route = getRouteApi('/inside/campaigns/compare')

export function CompareCampaigns() {
  const { one, other } = route.useSearch()
  const navigate = useNavigate()
  const { data } = useInfiniteQuery(campaignsQuery({ status: 'SENT' }))
  const sent = data?.pages.flatMap(page => page.data) ?? []
  const first = one ?? sent[0]?.id
  const second = other ?? sent.find(({ id }) => id !== first)?.id
  const nameOf = (campaign?: string) => sent.find(({ id }) => id === campaign)?.name
  const choice = (label: string, value: string | undefined, member: 'one' | 'other') => (
    <Select
      label={label}
      value={value ?? ''}
      options={sent.map(({ id, name }) => [id, name])}
      onChange={id =>
        void navigate({
          to: '/campaigns/compare',
          search: { one: first, other: second, [member]: id },
          replace: true,
        })
      }
    />
  )
  return (
    <Page title={t.campaigns.compare} above={<Back />}>
      {data && sent.length < 2 ? (
        <Empty title={t.campaigns.tooFew}>{t.campaigns.tooFewHint}</Empty>
      ) : (
        <div className="overflow-hidden rounded-lg border border-line bg-sheet">
          <div className="grid gap-2 p-2 md:grid-cols-[1fr_2fr_2fr] md:gap-0 md:p-0">
            <div className="min-w-0 md:col-start-2 md:p-2">
              {choice(t.campaigns.firstCampaign, first, 'one')}
            </div>
            <div className="min-w-0 md:p-2">{choice(t.campaigns.secondCampaign, second, 'other')}</div>
          </div>
          <table className="w-full table-fixed tabular-nums" aria-label={t.campaigns.compare}>
            <thead>
              <tr className="max-md:border-t max-md:border-line">
                <td className="w-2/5 md:w-1/5" />
                <Heading>{nameOf(first)}</Heading>
                <Heading>{nameOf(second)}</Heading>
              </tr>
            </thead>
            {first && second && <Figures one={first} other={second} />}
          </table>
        </div>
      )}
    </Page>
  )
}

/** On phones, where the choices stand one below the other; else these are the headings that one sees. */
function Heading({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="px-2 py-2 text-left align-bottom text-xs font-normal text-quiet md:p-0">
      <span className="line-clamp-2 wrap-anywhere md:sr-only">{children}</span>
    </th>
  )
}

interface Line {
  label: string
  read: (stats: Stats) => number
  isRate?: boolean
  moreIsWorse?: boolean
}

const lines = (): Line[] => {
  const { tiles } = t.campaigns
  return [
    { label: tiles.sent, read: stats => stats.sentCount },
    { label: tiles.delivered, read: stats => stats.deliveryRate, isRate: true },
    { label: tiles.opened, read: stats => stats.openRate, isRate: true },
    { label: tiles.clicked, read: stats => stats.clickRate, isRate: true },
    { label: tiles.bounced, read: stats => stats.bounceRate, isRate: true, moreIsWorse: true },
    { label: tiles.complained, read: stats => stats.complaintRate, isRate: true, moreIsWorse: true },
    { label: tiles.unsubscribed, read: stats => stats.unsubscribeRate, isRate: true, moreIsWorse: true },
  ]
}

function Figures({ one, other }: { one: string; other: string }) {
  const first = useQuery(statsQuery(one)).data
  const second = useQuery(statsQuery(other)).data
  return (
    <tbody>
      {lines().map(line => {
        const [mine, theirs] = [first && line.read(first), second && line.read(second)]
        return (
          <tr key={line.label} className="border-t border-line">
            <th
              scope="row"
              className="px-4 py-3 text-left font-normal whitespace-nowrap text-quiet max-md:px-3"
            >
              {line.label}
            </th>
            <Figure line={line} value={mine} than={theirs} />
            <Figure line={line} value={theirs} than={mine} />
          </tr>
        )
      })}
    </tbody>
  )
}

function Figure({ line, value, than }: { line: Line; value?: number; than?: number }) {
  const isBetter =
    line.isRate &&
    value !== undefined &&
    than !== undefined &&
    value !== than &&
    value > than !== line.moreIsWorse
  return (
    <td className={classes('px-6 py-3 text-left max-md:px-2', isBetter && 'font-semibold text-good')}>
      {value === undefined ? '' : line.isRate ? formatPercent(value / 100) : formatNumber(value)}
    </td>
  )
}
