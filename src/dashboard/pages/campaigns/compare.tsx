// Two campaigns side by side, figure by figure.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { t } from '../../texts'
import { classes } from '../../ui/classes'
import { inputClass } from '../../ui/field'
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
  const choice = (label: string, value: string | undefined, member: 'one' | 'other') => (
    <select
      aria-label={label}
      className={inputClass}
      value={value ?? ''}
      onChange={event =>
        void navigate({
          to: '/campaigns/compare',
          search: { one: first, other: second, [member]: event.target.value },
          replace: true,
        })
      }
    >
      {sent.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
  return (
    <Page title={t.campaigns.compare} above={<Back />}>
      {data && sent.length < 2 ? (
        <Empty title={t.campaigns.tooFew}>{t.campaigns.tooFewHint}</Empty>
      ) : (
        <div className="overflow-x-auto rounded-lg border border-line bg-sheet">
          <table className="w-full tabular-nums" aria-label={t.campaigns.compare}>
            <thead>
              <tr>
                <td className="px-4 max-md:p-0" />
                <th className="w-2/5 min-w-24 max-w-0 p-2 font-normal max-md:px-1">
                  {choice(t.campaigns.firstCampaign, first, 'one')}
                </th>
                <th className="w-2/5 min-w-24 max-w-0 p-2 font-normal max-md:px-1">
                  {choice(t.campaigns.secondCampaign, second, 'other')}
                </th>
              </tr>
            </thead>
            {first && second && <Figures one={first} other={second} />}
          </table>
        </div>
      )}
    </Page>
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
    <td className={classes('px-5 py-3 text-left max-md:px-4', isBetter && 'font-semibold text-good')}>
      {value === undefined ? '' : line.isRate ? formatPercent(value / 100) : formatNumber(value)}
    </td>
  )
}
