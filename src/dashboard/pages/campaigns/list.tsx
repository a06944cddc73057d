// All campaigns with their results.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { t } from '../../texts'
import { ButtonLink } from '../../ui/button'
import type { Column } from '../../ui/data-table'
import { FilterSelect } from '../../ui/filter-select'
import { formatNumber, formatPercent } from '../../ui/format'
import { ListPage, useFilterFields } from '../../ui/list-page'
import { RowLink } from '../../ui/row-link'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { type CampaignRow, campaignsQuery, type Filters, statuses } from './data'
import { CampaignStatus } from './status'

const route = getRouteApi('/inside/campaigns')

export function Campaigns() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(campaignsQuery(filters))
  const field = useFilterFields(filters)
  const create = (
    <ButtonLink to="/campaigns/new" variant="strong">
      {t.campaigns.create}
    </ButtonLink>
  )
  return (
    <ListPage
      words={t.campaigns}
      icon={Megaphone}
      description={t.campaigns.hint}
      create={create}
      actions={<ButtonLink to="/campaigns/compare">{t.campaigns.compare}</ButtonLink>}
      isFiltered={Boolean(filters.search || filters.status)}
      query={query}
      columns={columns()}
      rowKey={campaign => campaign.id}
      filters={
        <div className="grid gap-2 md:flex">
          <SearchField className="md:w-72" label={t.words.searchByNameOrSubject} {...field('search')} />
          <FilterSelect
            className="md:max-w-44"
            label={t.campaigns.anyStatus}
            options={statuses.map(status => [status, t.campaigns.statuses[status]])}
            {...field('status')}
          />
        </div>
      }
    />
  )
}

function columns(): Column<CampaignRow>[] {
  const share = (id: 'opened' | 'clicked'): Column<CampaignRow> => ({
    id,
    header: t.campaigns[id],
    cell: ({ sentCount, ...campaign }) =>
      sentCount === 0 ? '–' : formatPercent(campaign[`${id}Count`] / sentCount),
    align: 'right',
    wideOnly: true,
  })
  return [
    {
      id: 'name',
      header: t.words.name,
      cell: ({ id, name }) => (
        <RowLink to="/campaigns/$id" params={{ id }}>
          {name}
        </RowLink>
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
    share('opened'),
    share('clicked'),
    {
      id: 'when',
      header: t.words.when,
      cell: ({ sentAt, scheduledFor, updatedAt }) => <Time at={sentAt ?? scheduledFor ?? updatedAt} quiet />,
      align: 'right',
      wideOnly: true,
    },
  ]
}
