// All campaigns with their results.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { t } from '../../texts'
import { ButtonLink } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { FilterSelect } from '../../ui/filter-select'
import { formatNumber, formatPercent } from '../../ui/format'
import { Empty, Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { type CampaignRow, campaignsQuery, type Filters, statuses } from './data'
import { CampaignStatus } from './status'

const route = getRouteApi('/inside/campaigns')

export function Campaigns() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(campaignsQuery(filters))
  const isFiltered = Boolean(filters.search || filters.status)
  return (
    <Page
      title={t.campaigns.title}
      description={t.campaigns.hint}
      actions={
        <>
          <ButtonLink to="/campaigns/compare">{t.campaigns.compare}</ButtonLink>
          <ButtonLink to="/campaigns/new" look="strong">
            {t.campaigns.create}
          </ButtonLink>
        </>
      }
    >
      <FilterBar filters={filters} />
      <DataTable
        label={t.campaigns.title}
        query={query}
        columns={columns()}
        rowKey={campaign => campaign.id}
        empty={
          <Empty
            icon={<Megaphone aria-hidden />}
            title={isFiltered ? t.campaigns.nothing : t.campaigns.empty}
            action={
              isFiltered ? undefined : (
                <ButtonLink to="/campaigns/new" look="strong">
                  {t.campaigns.create}
                </ButtonLink>
              )
            }
          >
            {isFiltered ? t.campaigns.nothingHint : t.campaigns.emptyHint}
          </Empty>
        }
      />
    </Page>
  )
}

function columns(): Column<CampaignRow>[] {
  const share = (part: number, { sentCount }: CampaignRow): string =>
    sentCount === 0 ? '–' : formatPercent(part / sentCount)
  return [
    {
      id: 'name',
      header: t.words.name,
      cell: ({ id, name }) => (
        <Link to="/campaigns/$id" params={{ id }} className="block truncate py-2 font-medium hover:underline">
          {name}
        </Link>
      ),
      grows: true,
    },
    { id: 'status', header: t.words.status, cell: campaign => <CampaignStatus campaign={campaign} /> },
    {
      id: 'recipients',
      header: t.campaigns.recipients,
      cell: ({ totalRecipients }) => formatNumber(totalRecipients),
      align: 'right',
      wideOnly: true,
    },
    {
      id: 'opened',
      header: t.campaigns.opened,
      cell: campaign => share(campaign.openedCount, campaign),
      align: 'right',
      wideOnly: true,
    },
    {
      id: 'clicked',
      header: t.campaigns.clicked,
      cell: campaign => share(campaign.clickedCount, campaign),
      align: 'right',
      wideOnly: true,
    },
    {
      id: 'when',
      header: t.words.when,
      cell: ({ sentAt, scheduledFor, updatedAt }) => <Time at={sentAt ?? scheduledFor ?? updatedAt} quiet />,
      align: 'right',
      wideOnly: true,
    },
  ]
}

function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate()
  const change = (name: keyof Filters) => (value: string) =>
    void navigate({ to: '/campaigns', search: { ...filters, [name]: value || undefined }, replace: true })
  return (
    <div className="grid gap-2 md:flex">
      <SearchField
        className="md:w-72"
        label={t.words.searchByNameOrSubject}
        value={filters.search}
        onChange={change('search')}
      />
      <FilterSelect
        className="md:max-w-44"
        label={t.campaigns.anyStatus}
        value={filters.status}
        options={statuses.map(status => [status, t.campaigns.statuses[status]])}
        onChange={change('status')}
      />
    </div>
  )
}
