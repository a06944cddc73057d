// All workflows: whether they are on, what starts them, and how many contacts are in them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Workflow as Sign } from 'lucide-react'
import { t } from '../../texts'
import { Badge } from '../../ui/badge'
import type { Column } from '../../ui/data-table'
import { FilterSelect } from '../../ui/filter-select'
import { formatCompact } from '../../ui/format'
import { ListPage, useFilterFields } from '../../ui/list-page'
import { SearchField } from '../../ui/search-field'
import { Time } from '../../ui/time'
import { CreateWorkflow } from './create'
import { type Filters, inShort, type Listed, workflowsQuery } from './data'
import { sayTrigger } from './say'

const route = getRouteApi('/inside/workflows')

export function Workflows() {
  const filters: Filters = route.useSearch()
  const query = useInfiniteQuery(workflowsQuery(filters))
  const field = useFilterFields(filters)
  return (
    <ListPage
      words={t.workflows}
      icon={Sign}
      description={t.workflows.hint}
      create={<CreateWorkflow />}
      isFiltered={Boolean(filters.search || filters.status)}
      query={query}
      columns={columns()}
      rowKey={workflow => workflow.id}
      filters={
        <div className="grid grid-cols-2 gap-2 max-md:[&>select]:col-span-2 md:flex">
          <SearchField
            className="max-md:col-span-2 md:w-72"
            label={t.words.searchByName}
            {...field('search')}
          />
          <FilterSelect
            label={t.workflows.anyState}
            options={[
              ['active', t.words.on],
              ['disabled', t.words.off],
            ]}
            {...field('status')}
          />
        </div>
      }
    />
  )
}

export function StateBadge({ enabled }: { enabled: boolean }) {
  return <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? t.words.on : t.words.off}</Badge>
}

function columns(): Column<Listed>[] {
  const counted = (id: 'running' | 'finished' | 'failed'): Column<Listed> => ({
    id,
    header: t.workflows.columns[id],
    cell: ({ executionCounts }) => <Count of={inShort(executionCounts)[id]} isBad={id === 'failed'} />,
    align: 'right',
    wideOnly: true,
  })
  return [
    { id: 'name', header: t.words.name, cell: workflow => <Name {...workflow} />, grows: true },
    { id: 'state', header: t.words.status, cell: workflow => <StateBadge {...workflow} /> },
    counted('running'),
    counted('finished'),
    counted('failed'),
    {
      id: 'updatedAt',
      header: t.words.updatedAt,
      cell: ({ updatedAt }) => <Time at={updatedAt} quiet />,
      align: 'right',
      wideOnly: true,
    },
  ]
}

function Name(workflow: Listed) {
  const { id, name } = workflow
  return (
    <Link to="/workflows/$id" params={{ id }} className="group block py-1.5">
      <span className="block truncate font-medium group-hover:underline">{name}</span>
      <span className="block truncate text-xs text-quiet">{sayTrigger(workflow)}</span>
    </Link>
  )
}

function Count({ of, isBad }: { of: number; isBad: boolean }) {
  return <span className={of === 0 ? 'text-quiet' : isBad ? 'text-bad' : undefined}>{formatCompact(of)}</span>
}
