// The names of all events and how often each was recorded.

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { useMemo } from 'react'
import { read } from '../../api/queries'
import { t } from '../../texts'
import type { Column } from '../../ui/data-table'
import { formatNumber } from '../../ui/format'
import { ListPage, useFilterFields } from '../../ui/list-page'
import { RowLink } from '../../ui/row-link'
import { SearchField } from '../../ui/search-field'

const route = getRouteApi('/inside/events')

interface NameCount {
  name: string
  count: number
}

/** All names at once, in the shape of a page. */
const namesQuery = infiniteQueryOptions({
  queryKey: ['events', 'counts'],
  queryFn: async ({ signal }) => ({ data: await read('/events/stats', {}, signal) }),
  initialPageParam: undefined,
  getNextPageParam: () => undefined,
})

export function Events() {
  const filters = route.useSearch()
  const field = useFilterFields(filters)
  const { search = '' } = filters
  const query = useInfiniteQuery({ ...namesQuery })
  const found = useMemo(() => narrow(query.data, search), [query.data, search])
  return (
    <ListPage
      words={t.events}
      description={t.events.about}
      icon={Zap}
      isFiltered={Boolean(search)}
      filters={<SearchField className="md:w-72" label={t.words.searchByName} {...field('search')} />}
      query={{ ...query, data: found } as typeof query}
      columns={columns()}
      rowKey={({ name }) => name}
    />
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
      <RowLink to="/events/$name" params={{ name }}>
        {name}
      </RowLink>
    ),
  },
  { id: 'count', header: t.events.count, align: 'right', cell: ({ count }) => formatNumber(count) },
]
