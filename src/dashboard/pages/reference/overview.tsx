// All operations of the API, sending first, found by any word.

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import type { Reference } from '../../api/reference'
import { guidesUrl, pageAddress } from '../../app/page-address'
import { t } from '../../texts'
import { CopyValue } from '../../ui/copy'
import { useFilterFields } from '../../ui/list-page'
import { Loaded } from '../../ui/loading'
import { Card, Empty, Page } from '../../ui/page'
import { SearchField } from '../../ui/search-field'
import { referenceQuery, searched } from './data'
import { Method } from './members'

const route = getRouteApi('/inside/docs')

export function ApiReference() {
  const query = useQuery(referenceQuery)
  const filters = route.useSearch()
  const field = useFilterFields(filters)
  return (
    <Page title={t.navigation.apiReference} description={t.reference.hint}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <span className="inline-flex max-w-full items-center gap-2">
          <span className="text-quiet">{t.reference.base}</span> <CopyValue value={pageAddress.origin} />
        </span>
        <a href={`${pageAddress.origin}/openapi.json`} className="text-accent underline underline-offset-2">
          {t.reference.document}
        </a>
        <a
          href={guidesUrl}
          target="_blank"
          rel="noopener"
          className="text-accent underline underline-offset-2"
        >
          {t.navigation.guides}
        </a>
      </div>
      <SearchField className="md:w-80" label={t.reference.search} {...field('search')} />
      <Loaded query={query}>
        {({ sections }) => <Sections sections={searched(sections, filters.search)} />}
      </Loaded>
    </Page>
  )
}

function Sections({ sections }: Pick<Reference, 'sections'>) {
  if (sections.length === 0) return <Empty icon={<Compass aria-hidden />} title={t.reference.nothing} />
  return sections.map(({ tag, description, operations }) => (
    <Card key={tag} title={tag} description={description} flush>
      <ul className="border-t border-line">
        {operations.map(({ id, method, path, summary }) => (
          <li
            key={id}
            className="relative flex min-h-11 flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-2.5 last:border-0 hover:bg-hover md:px-5"
          >
            <Method method={method} className="w-14" />
            <Link
              to="/docs/$id"
              params={{ id }}
              className="min-w-0 flex-1 basis-48 md:basis-0 font-mono text-[0.8125rem] wrap-anywhere after:absolute after:inset-0"
            >
              {path}
            </Link>
            <span className="min-w-0 text-quiet max-md:w-full md:flex-1">{summary}</span>
          </li>
        ))}
      </ul>
    </Card>
  ))
}
