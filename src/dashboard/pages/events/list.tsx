// The names of all events and how often each was recorded.
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { useMemo } from 'react'
import { t } from '../../texts'
import { type Column, DataTable } from '../../ui/data-table'
import { formatNumber } from '../../ui/format'
import { Empty, Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { type NameCount, namesQuery } from './data'

const route = getRouteApi('/inside/events')

export function Events() {
  const { search = '' } = route.useSearch()
  const navigate = useNavigate()
  const query = useInfiniteQuery({ ...namesQuery })
  const found = useMemo(() => narrow(query.data, search), [query.data, search])
  return (
    <Page title={t.events.title} description={t.events.about}>
      <SearchField
        className="md:w-72"
        label={t.words.searchByName}
        value={search}
        onChange={text =>
          void navigate({ to: '/events', search: { search: text || undefined }, replace: true })
        }
      />
      <DataTable
        label={t.events.title}
        query={{ ...query, data: found } as typeof query}
        columns={columns()}
        rowKey={({ name }) => name}
        empty={
          <Empty icon={<Zap aria-hidden />} title={search ? t.events.nothing : t.events.empty}>
            {search ? undefined : t.events.emptyHint}
          </Empty>
        }
      />
    </Page>
  )
}

type Names = { pages: Array<{ data: NameCount[] }>; pageParams: unknown[] }

function narrow<Data extends Names>(data: Data | undefined, search: string): Data | undefined {
  const fits = ({ name }: NameCount) => name.toLowerCase().includes(search.toLowerCase())
  return data && { ...data, pages: data.pages.map(page => ({ ...page, data: page.data.filter(fits) })) }
}

const columns = (): Column<NameCount>[] => [
  {
    id: 'name',
    header: t.words.name,
    grows: true,
    cell: ({ name }) => (
      <Link to="/events/$name" params={{ name }} className="block truncate py-2 font-medium hover:underline">
        {name}
      </Link>
    ),
  },
  { id: 'count', header: t.events.count, align: 'right', cell: ({ count }) => formatNumber(count) },
]
